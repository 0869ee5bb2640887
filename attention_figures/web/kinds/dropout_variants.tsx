// Compares dropout of weights, of weights that are then renormalised, and of scores.
import {
  areDraws,
  ChanceSlider,
  codeOfDropout,
  isChance,
  Resample,
} from "../controls/dropping.tsx";
import { sameShape } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { dropout, kept } from "../maths/dropout.ts";
import { softmax } from "../maths/softmax.ts";
import { byRow, range, rowSums, sum, type Tensor } from "../maths/tensor.ts";
import { draws, floats, program, pythonFloat, remark } from "../export/python.ts";
import {
  drawRow,
  keyName,
  KeyGrid,
  queryName,
  resultCell,
  weightCells,
  weightRow,
  type GridRow,
  type Names,
} from "../views/key_grid.tsx";

interface State extends Names {
  scores: Tensor; // (1, Q, K)
  draws: Tensor; // (1, Q, K)
  p: number;
}

interface Stages {
  attention_weights: Tensor;
  kept: Tensor;
  dropped: Tensor;
  row_sums: Tensor;
  renormalised: Tensor;
  scores_dropped: Tensor;
}

export default declare<State, Stages>({
  name: "dropout_variants",
  state: { scores: sameShape(), draws: areDraws, p: isChance },
  fixed: ["query_names", "key_names"],
  localised: ["query_names", "key_names"],
  stages: {
    attention_weights: ({ scores }) => softmax(scores),
    kept: ({ draws, p }) => kept(draws, p),
    dropped: (at) => dropout(at.attention_weights, at.draws, at.p),
    row_sums: ({ dropped }) => rowSums(dropped),
    renormalised: ({ dropped }) =>
      byRow(dropped, (row) => row.map((weight) => weight / (sum(row) || 1))),
    scores_dropped: ({ scores, draws, p }) => softmax(dropout(scores, draws, p)),
  },
  View,
  sentence,
  code: ({ p, scores_dropped }) => ({
    parts: ["torch.softmax(", ...codeOfDropout("scores", p), ", dim=-1)"],
    output: torchText(scores_dropped),
  }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        floats("scores", at.scores),
        ...draws(at.draws),
        `p = ${pythonFloat(at.p)}`,
        "",
        "attention_weights = torch.softmax(scores, dim=-1)",
        "dropped = torch.where(draws >= p, attention_weights / (1 - p), 0.0)",
        remark("row_sums = dropped.sum(-1, keepdim=True)", t("rowSums")),
        "renormalised = torch.where(row_sums == 0, 0.0, dropped / row_sums)",
        "hit = torch.where(draws >= p, scores / (1 - p), 0.0)",
        remark("scores_dropped = torch.softmax(hit, dim=-1)", t("dropScores")),
      ],
    ),
  columns: ({ scores }) => ({ keys: scores[0][0].length, columns: scores[0][0].length + 2 }),
});

/** Describes the weight of the first dropped key if scores are dropped. */
function sentence(at: Readonly<State & Stages>, t: Translate): string {
  const k = at.kept[0][0].indexOf(0);
  if (k < 0) return t("noneDropped");
  const rows = t("quoted", { word: queryName(at, 0) });
  const others = at.kept[0][0].some(Boolean) ? "" : t("lostRows", { rows });
  const scores = formatNumber(at.scores_dropped[0][0][k]);
  return [t("waysSay", { key: keyName(at, k), scores }), others].filter(Boolean).join(t("space"));
}

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const variant = (name: string, place: string, [weights]: Tensor, q: number, hatched = true) => ({
    name,
    cell: weightCells(figure, q, weights[q], place, hatched ? at.kept[0][q] : undefined),
    result: resultCell(figure, place === "data-used-at" ? "row_sums" : place, sum(weights[q])),
  });
  const rows = range(at.scores[0].length).flatMap((q): GridRow[] => [
    {
      name: t("score"),
      cell: (k, style) => (
        <span class="head" style={style}>
          {formatNumber(at.scores[0][q][k])}
        </span>
      ),
    },
    weightRow(figure, q, t("weight")),
    drawRow(t("oneDraw"), at.draws[0], at.kept[0], at.p, q),
    variant(t("dropWeights"), "data-used-at", at.dropped, q),
    variant(t("dropRenormalised"), "data-renormalised-at", at.renormalised, q),
    variant(t("dropScores"), "data-scores-at", at.scores_dropped, q, false),
  ]);
  return (
    <div>
      <div class="controls">
        <span data-handle class="held">
          <ChanceSlider figure={figure} />
        </span>
        <Resample figure={figure} />
      </div>
      <KeyGrid
        names={at}
        numKeys={at.scores[0][0].length}
        rows={rows}
        after="3.5rem"
        resultName={t("rowSum")}
        look="ways"
      />
    </div>
  );
}
