// Renders a grid with queries on the left, keys above and a cell for each pair, one of them selected:
// matrix multiplication and broadcasting.
import type { ComponentChildren } from "preact";
import type { Figure } from "../core/figure.ts";
import type { Matrix } from "../maths/tensor.ts";
import { Heatmap, isSmall } from "./heatmap.tsx";
import { EditablePanel } from "./number_grid.tsx";
import { HeatmapPanel, Panel } from "./panel.tsx";
import { symmetricScale, weightScale, type Scale } from "./scale.tsx";
import "../styles/pairs.css";

export interface PairState {
  queries: Matrix[]; // (1, Q, size)
  keys_: Matrix[]; // (1, K, size)
  query: number;
  key: number;
  /** Names of keys and of queries; empty or absent if there are none. */
  names?: string[];
  query_names?: string[];
}

export const keyName = ({ names }: PairState, k: number) => names?.[k] ?? `k${k}`;
export const queryName = ({ query_names: names }: PairState, q: number) => names?.[q] ?? `q${q}`;

export function Pairs(props: {
  figure: Figure<PairState, { attention_weights: Matrix[] }>;
  /** The contents of the cells. */
  label: string;
  matrix: Matrix;
  /** What the vectors of queries and keys are, if not these themselves. */
  vectors?: { queries: string; keys: string };
  /** The number of components that count; all by default. */
  used?: number;
  /** The content of the corner, beside the keys and above the queries. */
  children?: ComponentChildren;
}) {
  const { figure, label, matrix } = props;
  const { at } = figure;
  const [numQueries, numKeys, size] = [matrix.length, matrix[0].length, at.queries[0][0].length];
  const { used = size } = props;
  const scale: Scale = symmetricScale("scores", [matrix]);
  const pick = ({ target }: Event) => {
    const place = (target as Element).closest<HTMLElement>("[data-pair]")?.dataset.pair;
    if (!place) return;
    const [, query, key] = place.split(",").map(Number);
    figure.set({ query, key });
  };
  const names = {
    heads: matrix[0].map((_, k) => keyName(at, k)),
    sides: matrix.map((_, q) => queryName(at, q)),
  };
  const cells = (columns: number, rows: number, right = 0, bottom = 0) => ({
    width: `calc(${columns} * var(--attention-cell))`,
    height: `calc(${rows} * var(--high))`,
    right: `calc(${right} * var(--attention-cell))`,
    bottom: `calc(${bottom} * var(--high))`,
  });
  const few = isSmall(size, size); // otherwise the components are left out
  const [left, below] = [numKeys - 1 - at.key, numQueries - 1 - at.query]; // cells after the selected one
  return (
    <div
      class="pairs"
      data-named={at.names?.length ? "" : undefined}
      style={{
        "--across": few ? size + numKeys : numKeys,
        "--size": few ? size : 0,
        "--rows": numQueries,
      }}
    >
      {props.children && <div class="corner">{props.children}</div>}
      {few && (
        <>
          <div class="above">
            <EditablePanel
              figure={figure}
              trait="keys_"
              b={0}
              scale={symmetricScale("keys", at.keys_)}
              transposed
              heads={names.heads}
              named={props.vectors?.keys}
            />
            <i class="picked" style={cells(1, used, left, size - used)} />
            {used < size && <i class="unused" style={cells(numKeys, size - used)} />}
          </div>
          <div class="beside">
            <EditablePanel
              figure={figure}
              trait="queries"
              b={0}
              scale={symmetricScale("queries", at.queries)}
              sides={names.sides}
              named={props.vectors?.queries}
            />
            <i class="picked" style={cells(used, 1, size - used, below)} />
            {used < size && <i class="unused" style={cells(size - used, numQueries)} />}
          </div>
        </>
      )}
      <div class="made" onClick={pick}>
        <Panel name={label}>
          <Heatmap
            figure={figure}
            label={label}
            matrix={matrix}
            scale={scale}
            example={0}
            place="data-pair"
            {...names}
            reveals
          />
        </Panel>
        {isSmall(numQueries, numKeys) && <i class="picked" style={cells(1, 1, left, below)} />}
      </div>
      <div class="weighed">
        <HeatmapPanel
          figure={figure}
          label="attention_weights[0]"
          matrix={at.attention_weights[0]}
          scale={weightScale}
          example={0}
          {...names}
        />
      </div>
    </div>
  );
}
