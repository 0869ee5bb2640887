// Draws two positions as hands of clocks; their product depends only on the distance: the positions
// figure.
import { Slider } from "../controls/slider.tsx";
import { indexBelow } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { axisOf, type Point } from "../maths/axis.ts";
import { sinusoidalPositions } from "../maths/positions.ts";
import { product, range, sum, type Tensor } from "../maths/tensor.ts";
import { program } from "../export/python.ts";
import { Curve } from "../views/curve.tsx";
import { lowerOnPhone, Plot } from "../views/plot.tsx";
import "../styles/self_attention.css";

interface State {
  num_positions: number;
  size: number;
  position: number;
  distance: number;
}

interface Stages {
  pair: Tensor; // (1, 2, size): the position, and the one at the distance
  terms: Tensor; // (1, 1, size / 2)
  products: Tensor; // (1, 1, N)
}

const FARTHEST = 4; // the largest distance is a quarter of all positions

const farthest = ({ num_positions }: State) => Math.floor(num_positions / FARTHEST);
const last = (state: State) => state.num_positions - 1 - farthest(state);

export default declare<State, Stages>({
  name: "positions",
  state: {
    position: indexBelow((state: State) => last(state) + 1),
    distance: indexBelow((state: State) => farthest(state) + 1),
  },
  fixed: ["num_positions", "size"],
  stages: {
    pair: ({ num_positions, size, position, distance }) => {
      const all = sinusoidalPositions(num_positions, size);
      return [[all[position], all[position + distance]]];
    },
    terms: ({ pair: [[here, there]], size }) => [
      [range(size / 2).map((i) => sum([2 * i, 2 * i + 1].map((j) => here[j] * there[j])))],
    ],
    products: ({ pair: [[here]], num_positions, size }) => [
      [sinusoidalPositions(num_positions, size).map((there) => product(here, there))],
    ],
  },
  View,
  sentence: ({ position, distance, terms }, t) =>
    t("positionsSay", {
      here: position,
      there: position + distance,
      distance,
      product: formatNumber(sum(terms[0][0])),
    }),
  code: ({ position, distance, num_positions, size, terms }) => ({
    parts: [
      `P = sinusoidal_positions(${num_positions}, ${size})\nP[`,
      {
        name: "code.position",
        value: position,
        low: 0,
        high: num_positions - 1 - Math.floor(num_positions / FARTHEST),
        change: (to) => ({ position: to }),
      },
      `] @ P[${position + distance}]`,
    ],
    output: torchText(sum(terms[0][0])),
  }),
  program: ({ num_positions, size, position, distance }, t) =>
    program(
      t,
      ["from attention_lib import sinusoidal_positions"],
      [
        `position, distance = ${position}, ${distance}`,
        `P = sinusoidal_positions(${num_positions}, ${size}, dtype=torch.float64)[None]`,
        "",
        "pair = P[:, [position, position + distance]]",
        "terms = (pair[:, :1] * pair[:, 1:]).reshape(1, 1, -1, 2).sum(-1)",
        "products = pair[:, :1] @ P.mT",
      ],
      "products",
    ),
});

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  return (
    <div class="positions">
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="position"
            label={t("positionsHere")}
            value={at.position}
            max={last(at)}
            change={(position) => figure.set({ position })}
          />
        </span>
        <Slider
          name="distance"
          label={t("positionsDistance")}
          value={at.distance}
          max={farthest(at)}
          change={(distance) => figure.set({ distance })}
        />
      </div>
      <Clocks figure={figure} />
      <Products figure={figure} />
    </div>
  );
}

const DIAL = 80; // between the middles of two clocks
const RADIUS = 26;
const HIGH = 82; // of a row of clocks
const IN_A_ROW = 4;

/** Draws a clock for each frequency, with a hand for each position and its term of the product. */
function Clocks({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const rows = Math.ceil(at.size / 2 / IN_A_ROW);
  const hand = (row: number, clock: number) => at.pair[0][row].slice(2 * clock, 2 * clock + 2);
  return (
    <svg
      class="plot clocks"
      viewBox={`0 0 ${IN_A_ROW * DIAL} ${rows * HIGH}`}
      role="img"
      aria-label={t("positionsClocks")}
    >
      {range(at.size / 2).map((clock) => {
        const [column, row] = [clock % IN_A_ROW, Math.floor(clock / IN_A_ROW)];
        const middle = [DIAL * (column + 0.5), HIGH * row + RADIUS + 3];
        return (
          <g key={clock} transform={`translate(${middle})`}>
            <circle class="dial" r={RADIUS} />
            {["there", "here"].map((which, i) => {
              const [sin, cos] = hand(1 - i, clock);
              return (
                <path
                  key={which}
                  class={`hand ${which}`}
                  d={`M0 0L${RADIUS * sin} ${-RADIUS * cos}`}
                />
              );
            })}
            <text class="of-clock" y={RADIUS + 16} text-anchor="middle" data-tells>
              {figure.revealed.value ? formatNumber(at.terms[0][0][clock]) : "?"}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const SIZE: Point = [320, 220];
const FRAME = { left: 30, right: 306, top: 20, bottom: 180 };

/** Plots the products of the position with all positions. */
function Products({ figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const [size, frame] = lowerOnPhone(SIZE, FRAME, 84);
  const { left, right, top, bottom } = frame;
  const [products] = at.products[0];
  const x = axisOf([0, at.num_positions - 1], [left, right]);
  const y = axisOf([-at.size / 4, at.size / 2], [bottom, top]);
  const there = at.position + at.distance;
  const at_ = (p: number) => `translate(${x.place(p)} ${y.place(products[p])})`;
  return (
    <div class="products" data-tells>
      <Plot
        label={t("positionsProducts")}
        size={size}
        frame={frame}
        x={x}
        y={y}
        name={t("positionsHere")}
        beside={t("positionsProducts")}
      >
        <Curve
          class="by-size"
          points={products.map((value, p) => ({ x: p, y: value }))}
          x={x}
          y={y}
          chosen
        />
        <circle class="at here" r={6} transform={at_(at.position)} />
        <rect class="at there" x={-5} y={-5} width={10} height={10} transform={at_(there)} />
      </Plot>
    </div>
  );
}
