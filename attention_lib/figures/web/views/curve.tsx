// A curve in a drawing, with a gap wherever there is nothing to draw: no number, or one beyond the axes.
import { line } from "d3-shape";
import type { Axis } from "../maths/axis.ts";

export interface CurvePoint {
  x: number;
  y: number | null;
}

export function Curve(props: {
  class: string;
  points: readonly CurvePoint[];
  x: Axis;
  y: Axis;
  chosen?: boolean;
  tells?: boolean;
}) {
  const { class: look, points, x, y, chosen, tells } = props;
  const path = line<CurvePoint>()
    .digits(2)
    .defined((point) => point.y !== null && holds(y, point.y) && holds(x, point.x))
    .x((point) => x.place(point.x))
    .y((point) => y.place(point.y!));
  return (
    <path
      class={`curve ${look}`}
      d={path(points as CurvePoint[]) ?? ""}
      data-chosen={chosen ? "" : undefined}
      data-tells={tells ? "" : undefined}
    />
  );
}

const holds = ({ domain: [low, high] }: Axis, x: number) => x >= low && x <= high;
