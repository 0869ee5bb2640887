// Applies one draw of dropout to attention weights: the dropout figure.
import type { VNode } from "preact";
import { Switch } from "../controls/choice.tsx";
import {
  areDraws,
  ChanceSlider,
  codeOfDropout,
  draggedChance,
  DrawSlider,
  isChance,
  Resample,
} from "../controls/dropping.tsx";
import { sameShape, isBoolean, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { dropout, kept } from "../maths/dropout.ts";
import { softmax } from "../maths/softmax.ts";
import { range, rowSums, sum, type Tensor } from "../maths/tensor.ts";
import { draws, floats, program, pythonFloat, remark } from "../export/python.ts";
import { Arcs } from "../views/arcs.tsx";
import { isSmall } from "../views/heatmap.tsx";
import {
  drawRow,
  KeyGrid,
  queryName,
  resultCell,
  weightCells,
  weightRow,
  type GridRow,
  type Names,
} from "../views/key_grid.tsx";
import { HeatmapPanel } from "../views/panel.tsx";
import { plainScale, weightScale } from "../views/scale.tsx";
import "../styles/flow.css";

interface State extends Names {
  scores: Tensor; // (1, Q, K)
  draws: Tensor; // (N, Q, K)
  p: number;
  training: boolean;
  /** The selected draw, counted from 1. */
  draw: number;
  /** The first is the handle. */
  controls: Control[];
}

type Control = "p" | "training" | "draw" | "resample";

interface Stages {
  attention_weights: Tensor;
  /** The selected draw; the stage "draws" in Python, whose name the trait has here. */
  draws_now: Tensor;
  kept: Tensor;
  dropped: Tensor;
  row_sums: Tensor;
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };
const MOST_NAMED = 4; // rows that the caption names
const ARCS = 52; // their height, in pixels

/** What is dropped with: in evaluation mode nothing is. */
const chance = ({ p, training }: State) => (training ? p : 0);

export default declare<State, Stages>({
  name: "dropout",
  state: {
    scores: sameShape(),
    draws: areDraws,
    p: isChance,
    training: isBoolean,
    draw: oneOf(({ draws }: State) => range(draws.length).map((n) => n + 1)),
  },
  fixed: ["query_names", "key_names", "controls"],
  localised: ["query_names", "key_names"],
  stages: {
    attention_weights: ({ scores }) => softmax(scores),
    draws_now: ({ draws, draw }) => [draws[draw - 1]],
    kept: (at) => kept(at.draws_now, chance(at)),
    dropped: (at) => dropout(at.attention_weights, at.draws_now, chance(at)),
    row_sums: ({ dropped }) => rowSums(dropped),
  },
  View,
  sentence,
  code: ({ p, training, dropped }) => ({
    parts: training
      ? codeOfDropout("attention_weights", p)
      : ["F.dropout(attention_weights, ", draggedChance(p), ", training=False)"],
    output: torchText(dropped),
  }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        floats("scores", at.scores),
        ...draws(at.draws_now),
        `p = ${pythonFloat(at.p)}`,
        "",
        "attention_weights = torch.softmax(scores, dim=-1)",
        at.training
          ? "dropped = torch.where(draws >= p, attention_weights / (1 - p), 0.0)"
          : remark("dropped = attention_weights", t("evaluation")),
        remark("row_sums = dropped.sum(-1, keepdim=True)", t("rowSums")),
      ],
    ),
  columns: ({ scores }) => ({ keys: scores[0][0].length, columns: scores[0][0].length + 2 }),
});

function sentence(at: At, t: Translate): string {
  if (!at.training) return t("evaluation");
  const all = at.kept.flat(2);
  const sums = at.row_sums[0].flat();
  const lost = sums.flatMap((x, q) => (x === 0 ? [t("quoted", { word: queryName(at, q) })] : []));
  const parts = sums.slice(0, MOST_NAMED).map((x) => `**${formatNumber(x)}**`);
  const list = parts.join(t("comma")) + (sums.length > MOST_NAMED ? t("andMoreRows") : "");
  const counts = { dropped: all.length - sum(all), all: all.length, left: formatNumber(1 - at.p) };
  return [
    t("droppedNow", counts),
    t(sums.length > 1 ? "rowsSumTo" : "rowSumsTo", { list }),
    lost.length ? t("lostRows", { rows: lost.join(t("comma")) }) : "",
  ]
    .filter(Boolean)
    .join(t("space"));
}

function View({ figure, figure: { at } }: Props) {
  const [{ length: rows }, { length: cols }] = [at.scores[0], at.scores[0][0]];
  return (
    <div>
      <Controls figure={figure} />
      {isSmall(rows, cols) ? <Rows figure={figure} /> : <Maps figure={figure} />}
    </div>
  );
}

function Controls({ figure, figure: { at, t } }: Props) {
  const controls: Record<Control, VNode> = {
    p: <ChanceSlider figure={figure} />,
    training: (
      <Switch
        name="training"
        label={t("trainingMode")}
        value={at.training}
        change={(training) => figure.set({ training })}
      />
    ),
    draw: <DrawSlider figure={figure} />,
    resample: <Resample figure={figure} />,
  };
  const [handle, ...others] = at.controls;
  return (
    <div class="controls">
      <span data-handle class="held">
        {controls[handle]}
      </span>
      {others.map((name) => controls[name])}
    </div>
  );
}

/** Of each query the weights that are stored, their draws, and the weights that are used. */
function Rows({ figure, figure: { at, t } }: Props) {
  const alone = at.scores[0].length === 1; // one query is drawn with lines to its keys
  const rows = range(at.scores[0].length).flatMap((q): GridRow[] => [
    weightRow(figure, q, alone ? t("weight") : queryName(at, q)),
    drawRow(t("oneDraw"), at.draws_now[0], at.kept[0], chance(at), q),
    {
      name: t("used"),
      cell: weightCells(figure, q, at.dropped[0][q], "data-used-at", at.kept[0][q]),
      result: resultCell(figure, "row_sums", at.row_sums[0][q][0]),
    },
  ]);
  return (
    <KeyGrid
      names={at}
      numKeys={at.scores[0][0].length}
      rows={rows}
      after="3.5rem"
      resultName={t("rowSum")}
      above={alone && <Lines figure={figure} />}
    />
  );
}

/** From the query down to its keys, as thick as what is used; what is dropped is grey and dashed. */
function Lines({ figure: { at, t, revealed } }: Props) {
  const numKeys = at.scores[0][0].length;
  const above = at.key_names.indexOf(queryName(at, 0));
  const place = above < 0 ? (numKeys - 1) / 2 : above;
  const middle = (k: number) => (k + 0.5) / numKeys;
  const column = above < 0 ? `2 / auto / ${numKeys + 2}` : `${above + 2}`;
  return (
    <>
      <span class="side" style={{ gridArea: "1 / 1" }}>
        {t("query")}
      </span>
      <div class="query-word" style={{ gridArea: `1 / ${column}` }}>
        {queryName(at, 0)}
      </div>
      <div class="lines" style={{ gridArea: `2 / 2 / auto / ${numKeys + 2}` }}>
        <Arcs
          arcs={range(numKeys).map((k) => {
            const [gone, used] = [!at.kept[0][0][k], at.dropped[0][0][k]];
            const weight = gone ? at.attention_weights[0][0][k] : used;
            return { from: middle(place), to: middle(k), weight, padding: gone };
          })}
          height={ARCS}
          open={revealed.value}
          label={t("attentionOf")}
        />
      </div>
    </>
  );
}

/** The same where there are too many for numbers. */
function Maps({ figure, figure: { at, t } }: Props) {
  const map = { figure, example: 0, scale: weightScale };
  return (
    <>
      <div class="flow">
        <HeatmapPanel {...map} label="attention_weights[0]" matrix={at.attention_weights[0]} />
        <HeatmapPanel
          {...map}
          label="dropped[0]"
          matrix={at.dropped[0]}
          kept={at.kept[0]}
          place="data-used-at"
        />
      </div>
      <div class="tensors">
        <HeatmapPanel
          figure={figure}
          label={t("rowSums")}
          matrix={at.row_sums[0]}
          scale={plainScale}
          heads={[""]}
          reveals
        />
      </div>
    </>
  );
}
