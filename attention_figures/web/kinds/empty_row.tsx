// Compares three ways to mask one row of scores; they differ once no key counts: the empty-row figure.
import { sameShape, validLengths } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { Edge } from "../controls/edge.tsx";
import {
  exponentials,
  lengthMask,
  maskedSoftmax,
  softmax,
  type Lengths,
} from "../maths/softmax.ts";
import { byRow, range, rowSums, type Tensor } from "../maths/tensor.ts";
import { shareOf } from "../maths/weights.ts";
import { floats, integers, program } from "../export/python.ts";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";
import "../styles/masking.css";

interface State {
  scores: Tensor; // (1, 1, K)
  valid_lens: Lengths; // (1,)
  names: string[]; // of the keys; empty, or one for each
}

interface Stages {
  finite_fill: Tensor;
  infinite_fill: Tensor;
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;
const FILL = -1e6;
const ROWS = ["finite_fill", "infinite_fill", "attention_weights"] as const;
const NAMES = { finite_fill: "−1e6", infinite_fill: "−∞", attention_weights: "masked_softmax" };

const length = ({ valid_lens }: At) => Number(valid_lens[0]);
const numKeys = ({ scores }: Readonly<State>) => scores[0][0].length;

const filled = ({ scores, valid_lens }: At, fill: number): Tensor => {
  const mask = lengthMask(valid_lens, 1, scores[0][0].length);
  return byRow(scores, (row, b, q) => row.map((x, k) => (mask[b][q][k] ? x : fill)));
};

export default declare<State, Stages>({
  name: "empty_row",
  state: {
    valid_lens: validLengths((state) => [1, 1, numKeys(state)]),
    scores: sameShape(),
  },
  fixed: ["names"],
  localised: ["names"],
  settle: (next) => ({ ...next, valid_lens: [next.valid_lens].flat(2) as Lengths }),
  stages: {
    finite_fill: (at) => softmax(filled(at, FILL)),
    infinite_fill: (at) => {
      const terms = exponentials(filled(at, -Infinity));
      const sums = rowSums(terms);
      return byRow(terms, (row, b, q) => row.map((x) => x / sums[b][q][0])); // 0/0 is NaN
    },
    attention_weights: ({ scores, valid_lens }) => maskedSoftmax(scores, valid_lens),
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      "masked_softmax(X, torch.tensor([",
      {
        name: "code.valid_lens[0]",
        value: length(at),
        low: 0,
        high: numKeys(at),
        change: (n) => ({ valid_lens: [n] }),
      },
      "]))",
    ],
    output: torchText(at.attention_weights),
  }),
  program: ({ scores, valid_lens }, t) =>
    program(
      t,
      ["from attention_lib import length_mask, masked_softmax"],
      [
        floats("scores", scores),
        integers("valid_lens", valid_lens),
        "",
        "keep = length_mask(valid_lens, *scores.shape[1:])",
        "finite_fill = torch.softmax(scores.masked_fill(~keep, -1e6), dim=-1)",
        "infinite_fill = torch.softmax(scores.masked_fill(~keep, -torch.inf), dim=-1)",
        "attention_weights = masked_softmax(scores, valid_lens)",
      ],
    ),
});

function sentence(at: At, t: Translate): string {
  const n = length(at);
  if (n > 0) return t("conventionsAgree", { n });
  return t("conventionsPart", { share: formatNumber(at.finite_fill[0][0][0]) });
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const all = range(numKeys(at));
  const off = (k: number) => (k >= length(at) ? "" : undefined);
  return (
    <div
      class="columns conventions"
      data-many={dataMany(all.length)}
      style={{ "--number": all.length }}
    >
      <span class="role" style={{ gridRow: 1 }}>
        {t("keys")}
      </span>
      {all.map((k) => (
        <div class="key-word" data-masked={off(k)} style={{ gridArea: `1 / ${k + 2}` }}>
          {at.names[k] ?? t("keyNumber", { k })}
        </div>
      ))}
      {ROWS.map((name, row) => (
        <>
          <span class="role" style={{ gridRow: row + 2 }}>
            {name === "attention_weights" ? (
              <code>{NAMES[name]}</code>
            ) : (
              t("filledWith", { fill: NAMES[name] })
            )}
          </span>
          {all.map((k) => {
            const weight = at[name][0][0][k];
            return (
              <div
                class="weight-cell"
                data-pad={off(k)}
                style={{ gridArea: `${row + 2} / ${k + 2}` }}
              >
                <span
                  class="weight-bar"
                  data-covered={revealed.value ? undefined : ""}
                  data-nan={revealed.value && Number.isNaN(weight) ? "" : undefined}
                  data-length={revealed.value && weight >= 0 ? weight : undefined}
                  style={revealed.value && weight >= 0 ? { height: shareOf(weight) } : undefined}
                />
                <output data-at={name === "attention_weights" ? `0,0,${k}` : undefined} data-tells>
                  {revealed.value ? formatNumber(weight) : "?"}
                </output>
              </div>
            );
          })}
        </>
      ))}
      <div class="overlay">
        <Edge
          main
          name="valid_lens[0]"
          label="valid_lens[0]"
          title={t("dragEdge")}
          value={length(at)}
          max={all.length}
          change={(n) => figure.set({ valid_lens: [n] })}
        />
      </div>
    </div>
  );
}
