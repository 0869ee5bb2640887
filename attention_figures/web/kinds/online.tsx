// Computes softmax and the weighted mean in one pass with a running maximum: the online figure.
import { Slider } from "../controls/slider.tsx";
import { sameShape, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { NumberField } from "../controls/number.tsx";
import { maskedSoftmax } from "../maths/softmax.ts";
import { range, type Tensor, type Vector } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import type { Translate } from "../core/strings.ts";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";
import "../styles/decoding.css";

interface State {
  scores: Tensor; // (1, 1, K)
  values: Tensor; // (1, K, 1)
  step: number; // number of keys read
  names: string[]; // of the keys; empty, or one for each
}

interface Stages {
  running_max: Tensor; // (1, 1, K), like all below
  factor: Tensor;
  running_sum: Tensor;
  output: Tensor;
  attention_weights: Tensor;
}

interface Running {
  max: number;
  factor: number;
  sum: number;
  output: number;
}

type At = Readonly<State & Stages>;

const WEIGHTS = 4; // the row of the weights, below the running numbers

const keyName = ({ names }: At, k: number, t: Translate) => names[k] ?? t("keyNumber", { k });

/** Returns one of the running numbers after each key. */
const row =
  (name: keyof Running) =>
  ({ scores, values, step }: At): Tensor => {
    let now: Running = { max: -Infinity, factor: 1, sum: 0, output: 0 };
    const after = scores[0][0].map((score, k) => {
      now = k < step ? read(now, score, values[0][k][0]) : { ...now, factor: 1 };
      return now[name];
    });
    return [[after]];
  };

export default declare<State, Stages>({
  name: "online",
  state: {
    step: oneOf(({ scores }: State) => range(scores[0][0].length).map((n) => n + 1)),
    scores: sameShape(),
    values: sameShape(),
  },
  fixed: ["names"],
  localised: ["names"],
  stages: {
    running_max: row("max"),
    factor: row("factor"),
    running_sum: row("sum"),
    output: row("output"),
    attention_weights: ({ scores, step }) => maskedSoftmax(scores, [step]),
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      "torch.softmax(scores[:",
      {
        name: "code.step",
        value: at.step,
        low: 1,
        high: at.scores[0][0].length,
        change: (step) => ({ step }),
      },
      "], dim=-1) @ values[:",
      String(at.step),
      "]",
    ],
    output: torchText(at.output[0][0].slice(-1)),
  }),
  program: ({ scores, values, step }, t) =>
    program(
      t,
      [],
      [
        floats("scores", scores),
        floats("values", values),
        "",
        "top, total, mean = torch.tensor([-torch.inf, 0, 0], dtype=torch.float64)",
        "rows = []",
        "for k, (score, value) in enumerate(zip(scores[0, 0], values[0, :, 0])):",
        "    factor = torch.ones_like(top)",
        `    if k < ${step}:`,
        "        higher = torch.maximum(top, score)",
        "        factor, term = torch.exp(top - higher), torch.exp(score - higher)",
        "        grown = total * factor + term",
        "        mean = (mean * total * factor + term * value) / grown",
        "        top, total = higher, grown",
        "    rows.append(torch.stack([top, factor, total, mean]))",
        "columns = torch.stack(rows, dim=-1)[:, None, None]",
        "running_max, factor, running_sum, output = columns",
        `unread = torch.arange(scores.shape[-1]) >= ${step}`,
        "attention_weights = torch.softmax(scores.masked_fill(unread, -torch.inf), dim=-1)",
      ],
      "output",
    ),
});

/** Reads one more key: the old sums are rescaled to the new maximum. */
function read(before: Running, score: number, value: number): Running {
  const max = Math.max(before.max, score);
  const factor = Math.exp(before.max - max);
  const term = Math.exp(score - max);
  const sum = before.sum * factor + term;
  return { max, factor, sum, output: (before.output * before.sum * factor + term * value) / sum };
}

function sentence(at: At, t: Translate): string {
  const k = at.step - 1;
  const about = {
    key: keyName(at, k, t),
    max: formatNumber(at.running_max[0][0][k]),
    factor: formatNumber(at.factor[0][0][k]),
    sum: formatNumber(at.running_sum[0][0][k]),
    output: formatNumber(at.output[0][0][k]),
  };
  const rises = k > 0 && at.running_max[0][0][k] > at.running_max[0][0][k - 1];
  const how = k === 0 ? "onlineFirst" : rises ? "onlineRises" : "onlineStays";
  const last = at.step === at.scores[0][0].length;
  return [t(how, about), last ? t("onlineDone", about) : ""].filter(Boolean).join(t("space"));
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const scores = at.scores[0][0];
  const all = range(scores.length);
  const set = (trait: "scores" | "values", k: number, x: number) =>
    figure.set(
      trait === "scores"
        ? { scores: [[scores.with(k, x)]] }
        : { values: [at.values[0].with(k, [x])] },
    );
  const cell = (line: number, k: number) => ({
    style: { gridArea: `${line} / ${k + 2}` },
    "data-unread": k < at.step ? undefined : "",
    "data-now": k === at.step - 1 ? "" : undefined,
  });
  const shown = (numbers: Vector, k: number) =>
    k >= at.step ? "·" : revealed.value ? formatNumber(numbers[k]) : "?";
  const rows: [string, Vector][] = [
    [t("onlineMax"), at.running_max[0][0]],
    [t("onlineFactor"), at.factor[0][0]],
    [t("onlineSum"), at.running_sum[0][0]],
    [t("output"), at.output[0][0]],
    [t("weight"), at.attention_weights[0][0]],
  ];
  return (
    <>
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="step"
            label={t("onlineRead")}
            value={at.step}
            min={1}
            max={all.length}
            change={(step) => figure.set({ step })}
          />
        </span>
      </div>
      <div
        class="columns one-pass"
        data-many={dataMany(all.length)}
        style={{ "--number": all.length }}
      >
        {all.map((k) => (
          <div class="key-word" {...cell(1, k)} data-masked={k < at.step ? undefined : ""}>
            {keyName(at, k, t)}
          </div>
        ))}
        {(["scores", "values"] as const).map((trait, line) => (
          <>
            <span class="role" style={{ gridRow: line + 2 }}>
              {t(trait === "scores" ? "score" : "value")}
            </span>
            {all.map((k) => (
              <div
                class={`number-cell ${trait === "values" ? "value" : ""}`}
                {...cell(line + 2, k)}
              >
                <NumberField
                  figure={figure}
                  name={trait === "scores" ? `scores[0][0][${k}]` : `values[0][${k}][0]`}
                  value={trait === "scores" ? scores[k] : at.values[0][k][0]}
                  change={(x) => set(trait, k, x)}
                />
              </div>
            ))}
          </>
        ))}
        {rows.map(([name, numbers], line) => (
          <>
            <span class="role" style={{ gridRow: line + 4 }}>
              {name}
            </span>
            {all.map((k) => (
              <output
                class="number-cell"
                data-tells
                data-at={line === WEIGHTS && k < at.step ? `0,0,${k}` : undefined}
                {...cell(line + 4, k)}
              >
                {shown(numbers, k)}
              </output>
            ))}
          </>
        ))}
      </div>
    </>
  );
}
