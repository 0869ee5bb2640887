// A matrix under its name.
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

/** A heatmap in a panel. */
export const HeatmapPanel = (props: MapProps & { name?: string }) => (
  <Panel name={props.name ?? props.label}>
    <Heatmap {...props} />
  </Panel>
);

type StageProps = Omit<MapProps, "label" | "matrix" | "lengths"> & {
  /** The example, and the stage by its name. */
  b: number;
  stage: string;
  /** Unless it is called after these. */
  label?: string;
  /** Whether its padding is not hatched. */
  bare?: boolean;
  /** Whether its edge is drawn as the one handle of the figure. */
  main?: boolean;
};

/** A heatmap in a panel whose mask edge can be dragged. */
export function MaskedPanel(props: StageProps) {
  const label = props.label ?? `${props.stage}[${props.b}]`;
  return (
    <Panel name={label}>
      <StageMap {...props} label={label} />
    </Panel>
  );
}

/** What a stage is for an example: painted when that changes, whatever the other examples do. */
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

/** True and False, as torch prints a mask. */
export const truth = (kept: number) => (kept ? "True" : "False");
