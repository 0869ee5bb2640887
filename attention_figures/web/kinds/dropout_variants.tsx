// Dropout of a row in three ways: of its weights, of its weights that are then divided by their sum,
// and of its scores.
import {
  areDraws,
  ChanceSlider,
  codeOfDropout,
  isChance,
  Resample,
} from "../controls/dropping.tsx";
import { alike } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Words } from "../core/words.ts";
import { dropout, kept } from "../maths/dropout.ts";
import { softmax } from "../maths/softmax.ts";
import { byRow, range, rowSums, sum, type Tensor } from "../maths/tensor.ts";
import { draws, floats, program, pythonFloat, remark } from "../share/python.ts";
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
  state: { scores: alike(), draws: areDraws, p: isChance },
  fixed: ["query_names", "key_names"],
  spoken: ["query_names", "key_names"],
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
  program: (at, words) =>
    program(
      words,
      [],
      [
        floats("scores", at.scores),
        ...draws(at.draws),
        `p = ${pythonFloat(at.p)}`,
        "",
        "attention_weights = torch.softmax(scores, dim=-1)",
        "dropped = torch.where(draws >= p, attention_weights / (1 - p), 0.0)",
        remark("row_sums = dropped.sum(-1, keepdim=True)", words("rowSums")),
        "renormalised = torch.where(row_sums == 0, 0.0, dropped / row_sums)",
        "hit = torch.where(draws >= p, scores / (1 - p), 0.0)",
        remark("scores_dropped = torch.softmax(hit, dim=-1)", words("dropScores")),
      ],
    ),
  columns: ({ scores }) => ({ keys: scores[0][0].length, columns: scores[0][0].length + 2 }),
});

/** What the first key that is dropped weighs if its score is dropped. */
function sentence(at: Readonly<State & Stages>, say: Words): string {
  const k = at.kept[0][0].indexOf(0);
  if (k < 0) return say("noneDropped");
  const rows = say("quoted", { word: queryName(at, 0) });
  const others = at.kept[0][0].some(Boolean) ? "" : say("lostRows", { rows });
  const scores = formatNumber(at.scores_dropped[0][0][k]);
  return [say("waysSay", { key: keyName(at, k), scores }), others]
    .filter(Boolean)
    .join(say("space"));
}

function View({ figure, figure: { at, words } }: { figure: Figure<State, Stages> }) {
  const variant = (name: string, place: string, [weights]: Tensor, q: number, hatched = true) => ({
    name,
    cell: weightCells(figure, q, weights[q], place, hatched ? at.kept[0][q] : undefined),
    result: resultCell(figure, place === "data-used-at" ? "row_sums" : place, sum(weights[q])),
  });
  const rows = range(at.scores[0].length).flatMap((q): GridRow[] => [
    {
      name: words("score"),
      cell: (k, style) => (
        <span class="head" style={style}>
          {formatNumber(at.scores[0][q][k])}
        </span>
      ),
    },
    weightRow(figure, q, words("weight")),
    drawRow(words("oneDraw"), at.draws[0], at.kept[0], at.p, q),
    variant(words("dropWeights"), "data-used-at", at.dropped, q),
    variant(words("dropRenormalised"), "data-renormalised-at", at.renormalised, q),
    variant(words("dropScores"), "data-scores-at", at.scores_dropped, q, false),
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
        resultName={words("rowSum")}
        look="ways"
      />
    </div>
  );
}
