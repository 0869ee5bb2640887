// Draws rows of weights and of what belongs to them, with a column for each key.
import type { ComponentChildren, CSSProperties, VNode } from "preact";
import type { Figure } from "../core/figure.ts";
import { formatNumber } from "../core/format.ts";
import { range, type Matrix, type Tensor, type Vector } from "../maths/tensor.ts";
import { WeightSquare } from "./weight_square.tsx";
import "../styles/words.css";
import "../styles/dropout.css";

/** Names of queries and keys; may be empty. */
export interface Names {
  query_names: string[];
  key_names: string[];
}

export const queryName = ({ query_names: names }: Names, q: number) => names[q] ?? `q${q}`;
export const keyName = ({ key_names: names }: Names, k: number) => names[k] ?? `k${k}`;

/** A row: its name, a cell for each key, and its result. */
export interface GridRow {
  name: string;
  /** Whether its name is emphasised. */
  strong?: boolean;
  cell: (k: number, style: CSSProperties) => VNode;
  result?: (style: CSSProperties) => VNode;
}

export function KeyGrid(props: {
  names: Names;
  numKeys: number;
  rows: readonly GridRow[];
  /** Widths of the columns after the keys, of which the last has the results. */
  after: string;
  /** The heading of the results. */
  resultName?: string;
  /** Whether only stored weights are shown, or several ways to use them. */
  look?: "bare" | "ways";
  /** Headings above the keys' names, in two rows. */
  above?: ComponentChildren;
}) {
  const { names, numKeys, rows, after, resultName, look, above } = props;
  const place = (row: number, col: number) => ({ gridArea: `${row} / ${col}` });
  const head = above ? 3 : 1;
  const results = numKeys + 1 + after.split(" ").length;
  return (
    <div
      class="connections"
      style={{ "--keys": numKeys, "--after": after }}
      {...(look ? { [`data-${look}`]: "" } : {})}
    >
      {above}
      {range(numKeys).map((k) => (
        <span class={names.key_names.length ? "key-word" : "head"} style={place(head, k + 2)}>
          {keyName(names, k)}
        </span>
      ))}
      {resultName && (
        <span class="head" style={place(head, results)}>
          {resultName}
        </span>
      )}
      {rows.map(({ name, strong, cell, result }, i) => {
        const top = head + 1 + i;
        const Side = strong ? "b" : "span";
        return (
          <>
            <Side class="side" style={place(top, 1)}>
              {name}
            </Side>
            {range(numKeys).map((k) => cell(k, place(top, k + 2)))}
            {result?.(place(top, results))}
          </>
        );
      })}
    </div>
  );
}

/** Renders a query's weights; `place`: the attribute instead of data-at, unless attention_weights. */
export const weightCells =
  (figure: Figure, q: number, weights: Vector, place?: string, kept?: Vector) =>
  (k: number, style: CSSProperties) => (
    <WeightSquare
      figure={figure}
      weight={weights[k]}
      at={[0, q, k]}
      place={place}
      masked={kept?.[k] === 0}
      text={formatNumber(weights[k])}
      style={style}
    />
  );

/** The row of a query's stored weights. */
export const weightRow = (
  figure: Figure<object, { attention_weights: Tensor }>,
  q: number,
  name: string,
): GridRow => ({
  name,
  strong: true,
  cell: weightCells(figure, q, figure.at.attention_weights[0][q]),
});

/** The row of a query's draws: a draw below p drops its weight. */
export const drawRow = (
  name: string,
  draws: Matrix,
  kept: Matrix,
  p: number,
  q: number,
): GridRow => ({
  name,
  cell: (k, style) => <Draw x={draws[q][k]} p={p} gone={!kept[q][k]} style={style} />,
});

/** A draw as a mark on a line from 0 to 1, hatched up to p. */
function Draw(props: { x: number; p: number; gone: boolean; style: CSSProperties }) {
  const { x, p, gone, style } = props;
  return (
    <div class="draw" data-masked={gone ? "" : undefined} style={style}>
      <i class="below" data-length={p} style={{ width: `${100 * p}%` }} />
      <i class="dot" style={{ left: `${100 * x}%` }} />
      <span>{x.toFixed(2)}</span>
    </div>
  );
}

/** A row's result, under the name of its stage. */
export const resultCell =
  ({ revealed }: Figure, name: string, value: number) =>
  (style: CSSProperties) => (
    <output class="result" data-result={name} data-tells style={style}>
      {revealed.value ? formatNumber(value) : "?"}
    </output>
  );
