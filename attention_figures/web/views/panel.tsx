// Renders a matrix under its name.
import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Edges } from "../controls/edges.tsx";
import { rowLengths } from "../maths/softmax.ts";
import type { Matrix, Vector } from "../maths/tensor.ts";
import { Heatmap, type MapProps } from "./heatmap.tsx";

export function Panel({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="panel">
      <code>{name}</code>
      {children}
    </div>
  );
}

/** Renders a heatmap in a panel. */
export const HeatmapPanel = (props: MapProps & { name?: string }) => (
  <Panel name={props.name ?? props.label}>
    <Heatmap {...props} />
  </Panel>
);

type StageProps = Omit<MapProps, "label" | "matrix" | "lengths"> & {
  /** The example, and the name of the stage. */
  b: number;
  stage: string;
  /** The label; by default `stage[b]`. */
  label?: string;
  /** Whether to leave padding unhatched. */
  bare?: boolean;
  /** Whether the mask edge is the figure's handle. */
  main?: boolean;
};

/** Renders a heatmap whose mask edge can be dragged, in a panel. */
export function MaskedPanel(props: StageProps) {
  const label = props.label ?? `${props.stage}[${props.b}]`;
  return (
    <Panel name={label}>
      <StageMap {...props} label={label} />
    </Panel>
  );
}

/** Renders a stage of one example; a change of other examples does not re-render it. */
function StageMap(props: StageProps & { label: string }) {
  const { figure, b, stage, bare, main } = props;
  const own = useComputed<Matrix>(() => figure.at[stage][b]);
  const length = useComputed<number | Vector>(() => figure.at.valid_lens[b]);
  const matrix = own.value;
  const lengths = bare ? undefined : rowLengths([length.value], matrix.length)[0];
  return (
    <Heatmap {...props} matrix={matrix} lengths={lengths}>
      <Edges figure={figure} b={b} numKeys={matrix[0].length} main={main} />
    </Heatmap>
  );
}

/** Formats a mask as torch prints it: True and False. */
export const truth = (kept: number) => (kept ? "True" : "False");
