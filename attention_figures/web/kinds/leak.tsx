// Shows how NaN or infinity in padding leaks into a weighted sum despite a weight of 0: the leak figure.
import { sameShape, isBoolean, validLengths, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { Switch } from "../controls/choice.tsx";
import { Slider } from "../controls/slider.tsx";
import { maskedSoftmax, type Lengths } from "../maths/softmax.ts";
import { byRow, range, rowSums, type Tensor } from "../maths/tensor.ts";
import { floats, integers, program } from "../export/python.ts";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";
import "../styles/masking.css";

interface State {
  scores: Tensor; // (1, 1, K)
  values: Tensor; // (1, K, 1)
  valid_lens: Lengths; // (1,)
  held: Held;
  cleared: boolean;
  names: string[]; // of the keys; empty, or one for each
}

interface Stages {
  attention_weights: Tensor;
  read_values: Tensor; // (1, 1, K)
  terms: Tensor; // (1, 1, K)
  output: Tensor; // (1, 1, 1)
}

type At = Readonly<State & Stages>;
type Held = (typeof ALL_HELD)[number];
const ALL_HELD = ["0", "5", "-1000", "1e6", "inf", "nan"] as const;
const NUMBERS: Record<Held, number> = {
  "0": 0,
  "5": 5,
  "-1000": -1000,
  "1e6": 1e6,
  inf: Infinity,
  nan: NaN,
};
const SHOWN: Record<Held, string> = {
  "0": "0",
  "5": "5",
  "-1000": "−1000",
  "1e6": "1e6",
  inf: "∞",
  nan: "NaN",
};

const length = ({ valid_lens }: At) => Number(valid_lens[0]);

export default declare<State, Stages>({
  name: "leak",
  state: {
    held: oneOf(ALL_HELD),
    cleared: isBoolean,
    scores: sameShape(),
    values: sameShape(),
    valid_lens: validLengths(({ scores }) => [1, 1, scores[0][0].length]),
  },
  fixed: ["names"],
  localised: ["names"],
  settle: (next) => ({ ...next, valid_lens: [next.valid_lens].flat(2) as Lengths }),
  stages: {
    attention_weights: ({ scores, valid_lens }) => maskedSoftmax(scores, valid_lens),
    read_values: (at) => {
      const held = at.cleared ? 0 : NUMBERS[at.held];
      return [[at.values[0].map(([x], k) => (k < length(at) ? x : held))]];
    },
    terms: ({ attention_weights, read_values }) =>
      byRow(attention_weights, (row, b, q) => row.map((x, k) => x * read_values[b][q][k])),
    output: ({ terms }) => rowSums(terms),
  },
  View,
  sentence,
  code: (at) => ({
    parts: [at.cleared ? "weights @ values.masked_fill(padding, 0)" : "weights @ values"],
    output: torchText(at.output),
  }),
  program: (at, t) =>
    program(
      t,
      ["from attention_lib import length_mask, masked_softmax"],
      [
        floats("scores", at.scores),
        floats("values", at.values),
        integers("valid_lens", at.valid_lens),
        "",
        "attention_weights = masked_softmax(scores, valid_lens)",
        "padding = ~length_mask(valid_lens, *scores.shape[1:]).mT",
        `read_values = values.masked_fill(padding, float("${at.cleared ? "0" : at.held}")).mT`,
        "terms = attention_weights * read_values",
        "output = terms.sum(dim=-1, keepdim=True)",
      ],
    ),
});

function sentence(at: At, t: Translate): string {
  const output = at.output[0][0][0];
  const held = SHOWN[at.held];
  if (at.cleared) return t("leakCleared", { held, output: formatNumber(output) });
  return Number.isFinite(output)
    ? t("leakKeptOut", { held, output: formatNumber(output) })
    : t("leakThrough", { held, output: formatNumber(output) });
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed, hidden } = figure;
  const all = range(at.scores[0][0].length);
  const isPad = (k: number) => k >= length(at);
  const cell = (row: number, k: number) => ({
    style: { gridArea: `${row} / ${k + 2}` },
    "data-pad": isPad(k) ? "" : undefined,
  });
  const unlessHidden = (x: number) => (revealed.value ? formatNumber(x) : "?");
  const rows: [string, (k: number) => string, boolean][] = [
    [
      t("weight"), // no question asks for it, but a lecturer may hide it
      (k) => (hidden.value ? "?" : formatNumber(at.attention_weights[0][0][k])),
      hidden.value,
    ],
    [t("value"), (k) => formatNumber(at.read_values[0][0][k]), false],
    [t("product"), (k) => unlessHidden(at.terms[0][0][k]), true],
  ];
  return (
    <>
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="held"
            label={t("paddingHolds")}
            value={ALL_HELD.indexOf(at.held)}
            max={ALL_HELD.length - 1}
            format={(i) => SHOWN[ALL_HELD[i]]}
            change={(i) => figure.set({ held: ALL_HELD[i] })}
          />
        </span>
        <Switch
          name="cleared"
          label={t("clearFirst")}
          value={at.cleared}
          change={(cleared) => figure.set({ cleared })}
        />
      </div>
      <div
        class="columns leak"
        data-many={dataMany(all.length)}
        style={{ "--number": all.length + 1 }}
      >
        {all.map((k) => (
          <div class="key-word" {...cell(1, k)}>
            {isPad(k) ? t("pad") : (at.names[k] ?? t("keyNumber", { k }))}
          </div>
        ))}
        <div class="sum-head" style={{ gridArea: `1 / ${all.length + 2}` }}>
          {t("output")}
        </div>
        {rows.map(([name, text, reveals], row) => (
          <>
            <span class="role" style={{ gridRow: row + 2 }}>
              {name}
            </span>
            {all.map((k) => (
              <output
                class="number-cell"
                data-at={row === 0 ? `0,0,${k}` : undefined}
                data-tells={reveals ? "" : undefined}
                {...cell(row + 2, k)}
              >
                {text(k)}
              </output>
            ))}
          </>
        ))}
        <output class="sum" data-tells style={{ gridArea: `4 / ${all.length + 2}` }}>
          = {unlessHidden(at.output[0][0][0])}
        </output>
      </div>
    </>
  );
}
