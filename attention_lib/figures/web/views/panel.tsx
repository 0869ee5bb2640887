// A matrix under its name.
import type { ComponentChildren } from "preact";
import { Edges } from "../controls/edges.tsx";
import { isPerQuery, withLength } from "../controls/lengths.tsx";
import type { Lengths } from "../maths/softmax.ts";
import { Heatmap, type MapProps } from "./heatmap.tsx";

/** A name breaks after an underscore, if it must. */
export function Panel({ name, children }: { name: string; children: ComponentChildren }) {
  const [first, ...rest] = name.split(/(?<=_)/);
  return (
    <div class="panel">
      <code>
        {first}
        {rest.map((part) => (
          <>
            <wbr />
            {part}
          </>
        ))}
      </code>
      {children}
    </div>
  );
}

/** A heatmap in a panel. */
export const HeatmapPanel = (props: MapProps & { name?: string }) => (
  <Panel name={props.name ?? props.label}>
    <Heatmap {...props} />
  </Panel>
);

/** A heatmap in a panel whose mask edge can be dragged; bare, its padding is not hatched. */
export function MaskedPanel(
  props: MapProps & { b: number; bare?: boolean; lengths: number[]; main?: boolean },
) {
  const { figure, b, bare, lengths, matrix, label, main } = props;
  const validLens: Lengths = figure.at.valid_lens;
  return (
    <Panel name={label}>
      <Heatmap {...props} lengths={bare ? undefined : lengths}>
        <Edges
          numKeys={matrix[0].length}
          lengths={isPerQuery(validLens) ? lengths : lengths.slice(0, 1)}
          title={figure.words("dragEdge")}
          main={main}
          change={(q, n) => figure.set({ valid_lens: withLength(validLens, b, q, n) })}
        />
      </Heatmap>
    </Panel>
  );
}

/** True and False, as torch prints a mask. */
export const truth = (kept: number) => (kept ? "True" : "False");
