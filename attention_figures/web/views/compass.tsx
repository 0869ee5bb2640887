// Draws queries and keys as directions that can be turned: queries inside a circle, keys on it. Lines
// from the selected query are as thick as its weights.
import { Handles } from "../controls/handles.tsx";
import { degrees } from "../maths/angles.ts";
import type { Point } from "../maths/axis.ts";
import type { Matrix } from "../maths/tensor.ts";
import { KeyMark, Link, QueryMark } from "./marks.tsx";
import { useDrawnSize } from "./plot.tsx";

const SIZE = 300;
const MIDDLE = SIZE / 2;
const RADIUS = { query: 52, key: 112, label: 136 };

export interface Needle {
  /** The common prefix of its fields' names. */
  name: string;
  /** The accessible name. */
  label: string;
  text: string;
}

export function Compass(props: {
  label: string;
  title: string;
  /** The hint at the handle until it is first moved. */
  hint: string;
  queries: Matrix;
  keys: Matrix;
  /** Needles of the queries, then of the keys. */
  needles: readonly Needle[];
  /** The selected query's weights. */
  weights: readonly number[];
  chosen: number;
  focused: string;
  choose: (q: number) => void;
  /** Turns a needle to an angle in degrees. */
  turn: (needle: number, to: number) => void;
}) {
  const { label, title, hint, queries, keys, needles, weights, chosen, focused } = props;
  const { choose, turn } = props;
  const drawing = useDrawnSize(SIZE);
  const angles = [...queries, ...keys].map(degrees);
  const isQuery = (i: number) => i < queries.length;
  const place = (angle: number, radius: number): Point => {
    const turned = (angle * Math.PI) / 180;
    return [MIDDLE + radius * Math.cos(turned), MIDDLE - radius * Math.sin(turned)];
  };
  const places = angles.map((angle, i) => place(angle, isQuery(i) ? RADIUS.query : RADIUS.key));
  const from = places[chosen];
  const handles = needles.map((needle, i) => {
    const [x, y] = place(angles[i], isQuery(i) ? RADIUS.query - 26 : RADIUS.label);
    const text = (
      <text x={x - places[i][0]} y={y - places[i][1] + 4} text-anchor="middle">
        {needle.text}
      </text>
    );
    const main = i === chosen;
    const rank = angles.slice(queries.length, i).filter((angle) => angle === angles[i]).length;
    const mark = isQuery(i) ? (
      <QueryMark chosen={main} main={main}>
        {text}
        {main && (
          <text class="drag-me" y={places[i][1] > MIDDLE ? 38 : -28} text-anchor="middle">
            {hint}
          </text>
        )}
      </QueryMark>
    ) : (
      <KeyMark weight={weights[i - queries.length]} rank={rank}>
        {text}
      </KeyMark>
    );
    return { ...needle, numbers: [angles[i]], place: places[i], main, mark };
  });
  return (
    <svg
      ref={drawing}
      class="plot compass"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="group"
      aria-label={label}
    >
      <g class="axes" aria-hidden="true">
        <circle cx={MIDDLE} cy={MIDDLE} r={RADIUS.key} />
        <circle cx={MIDDLE} cy={MIDDLE} r={2} />
      </g>
      {places.slice(queries.length).map(([x, y], k) => (
        <Link key={k} from={from} to={[x, y]} weight={weights[k]} />
      ))}
      <Handles
        handles={handles}
        focused={focused}
        title={title}
        start={(i) => isQuery(i) && choose(i)}
        move={(i, [x, y]) => turn(i, degrees([x - MIDDLE, MIDDLE - y]))}
        nudge={(i, [right, up]) => turn(i, angles[i] + up - right)}
        end={() => {}}
      />
    </svg>
  );
}
