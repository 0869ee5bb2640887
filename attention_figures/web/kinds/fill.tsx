// Shows that padding filled with a finite number gets weight once the scores are as low: the fill figure.
import { Select, Switch } from "../controls/choice.tsx";
import { ListSlider } from "../controls/slider.tsx";
import { sameShape, between, isBoolean, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, plainNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { half } from "../maths/half.ts";
import { softmax } from "../maths/softmax.ts";
import { byRow, range, sum, type Tensor } from "../maths/tensor.ts";
import { floats, program, pythonFloat } from "../export/python.ts";
import { WeightBar } from "../views/weight_bar.tsx";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";

interface State {
  scores: Tensor; // (1, 1, K)
  valid_len: number;
  fill: string;
  level: number;
  half: boolean;
  names: string[]; // of the keys; empty, or one for each
}

interface Stages {
  mask: Tensor;
  moved_scores: Tensor;
  filled_scores: Tensor;
  attention_weights: Tensor;
  padding_share: Tensor;
}

type At = Readonly<State & Stages>;

const LOWEST_HALF = -60000; // float16 ends at −65504
const LARGEST = 100;
const FILLS = ["-1e4", "-1e6", "-inf"];
const LEVELS = [
  0, -10, -100, -1000, -9990, -1e4, -10_010, -60_000, -1e5, -999_990, -1e6, -1_000_010, -1e7,
];

const numberOf = (fill: string) => (fill === "-inf" ? -Infinity : Number(fill));
const held = ({ half: isHalf }: State) => (isHalf ? half : (x: number) => x);
const each = (tensor: Tensor, f: (x: number) => number) => byRow(tensor, (row) => row.map(f));

export default declare<State, Stages>({
  name: "fill",
  state: {
    level: between(-1e7, 0),
    fill: oneOf(FILLS),
    half: isBoolean,
    scores: sameShape((x) => Math.abs(x) <= LARGEST),
  },
  fixed: ["valid_len", "names"],
  localised: ["names"],
  settle: (next) =>
    next.half && next.level < LOWEST_HALF ? { ...next, level: LOWEST_HALF } : next,
  stages: {
    mask: ({ scores, valid_len }) => byRow(scores, (row) => row.map((_, k) => +(k < valid_len))),
    moved_scores: (at) => each(at.scores, (x) => held(at)(x + at.level)),
    filled_scores: (at) =>
      byRow(at.moved_scores, (row) =>
        row.map((x, k) => (k < at.valid_len ? x : held(at)(numberOf(at.fill)))),
      ),
    attention_weights: (at) => each(softmax(at.filled_scores), held(at)),
    padding_share: ({ attention_weights, valid_len }) =>
      byRow(attention_weights, (row) => [sum(row.slice(valid_len))]),
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      `torch.where(mask, X${at.half ? ".half()" : ""} - `,
      {
        name: "code.level",
        value: -at.level,
        low: 0,
        high: 1e7,
        numbers: LEVELS.filter((x) => !at.half || x >= LOWEST_HALF).map((x) => -x),
        change: (x) => ({ level: -x || 0 }),
      },
      `, ${at.fill === "-inf" ? "-torch.inf" : at.fill}).softmax(-1)`,
    ],
    output: torchText(at.attention_weights),
  }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        floats("scores", at.scores),
        `dtype = torch.float${at.half ? 16 : 64}`,
        "",
        `mask = (torch.arange(scores.shape[-1]) < ${at.valid_len}).expand(scores.shape)`,
        `moved = (scores + ${pythonFloat(at.level)}).to(dtype)`,
        `fill = torch.tensor(float("${at.fill}"), dtype=dtype)`,
        "filled = torch.where(mask, moved, fill)",
        "moved_scores, filled_scores = moved.double(), filled.double()",
        "attention_weights = torch.softmax(filled_scores, dim=-1).to(dtype).double()",
        `padding_share = attention_weights[..., ${at.valid_len}:].sum(-1, keepdim=True)`,
      ],
    ),
});

function sentence(at: At, t: Translate): string {
  const [kept, fill] = [
    at.moved_scores[0][0].slice(0, at.valid_len),
    at.filled_scores[0][0].at(-1)!,
  ];
  const share = at.padding_share[0][0][0];
  const became = at.fill !== "-inf" && fill === -Infinity ? t("fillBecomes") : "";
  const what = !share
    ? t(fill === -Infinity ? "fillExact" : "fillFarBelow")
    : t(Math.max(...kept) < fill ? "fillAbove" : "fillNear", { share: percent(share) });
  return [became, what].filter(Boolean).join(t("space"));
}

/** Formats a number of any size in few characters. */
function shortScore(x: number): string {
  if (!Number.isFinite(x)) return "−∞";
  return Math.abs(x) < 1000 ? formatNumber(x) : plainNumber(Math.round(10 * x) / 10);
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t } = figure;
  const weights = at.attention_weights[0][0];
  const all = range(weights.length);
  const cell = (row: number, k: number) => ({
    style: { gridArea: `${row} / ${k + 2}` },
    "data-pad": k >= at.valid_len ? "" : undefined,
  });
  const rows = [t("score"), t("filled"), t("weight")];
  return (
    <>
      <div class="controls">
        <ListSlider
          name="level"
          label={t("level")}
          numbers={at.half ? LEVELS.filter((x) => x >= LOWEST_HALF) : LEVELS}
          value={at.level}
          format={plainNumber}
          change={(level) => figure.set({ level })}
        />
        <Select
          name="fill"
          label={t("fill")}
          value={at.fill}
          choices={FILLS}
          format={(fill) => fill.replace("-inf", "−∞").replace("-", "−")}
          change={(fill) => figure.set({ fill })}
        />
        <Switch
          name="half"
          label="float16"
          value={at.half}
          change={(isHalf) => figure.set({ half: isHalf })}
        />
      </div>
      <div class="columns" data-many={dataMany(all.length)} style={{ "--number": all.length }}>
        <span class="role" style={{ gridRow: 1 }}>
          {t("keys")}
        </span>
        {rows.map((name, i) => (
          <span key={name} class="role" style={{ gridRow: i + 2 }}>
            {name}
          </span>
        ))}
        {all.map((k) => (
          <>
            <div class="key-word" data-place={k} {...cell(1, k)}>
              {k < at.valid_len ? (at.names[k] ?? t("keyNumber", { k })) : t("pad")}
            </div>
            <div class="number-cell wide" {...cell(2, k)}>
              {shortScore(at.moved_scores[0][0][k])}
            </div>
            <div class="number-cell wide" {...cell(3, k)}>
              {shortScore(at.filled_scores[0][0][k])}
            </div>
            <WeightBar figure={figure} weight={weights[k]} at={[0, 0, k]} {...cell(4, k)} />
          </>
        ))}
      </div>
    </>
  );
}
