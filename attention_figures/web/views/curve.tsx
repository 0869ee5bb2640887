// Draws a curve, with gaps at missing points and at points beyond the axes.
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
  reveals?: boolean;
}) {
  const { class: look, points, x, y, chosen, reveals } = props;
  const runs: string[][] = [[]];
  for (const point of points)
    if (point.y === null || !holds(x, point.x) || !holds(y, point.y)) runs.push([]);
    else runs.at(-1)!.push(`${short(x.place(point.x))},${short(y.place(point.y))}`);
  return (
    <path
      class={`curve ${look}`}
      d={runs.map(pathOf).join("")}
      data-chosen={chosen ? "" : undefined}
      data-tells={reveals ? "" : undefined}
    />
  );
}

/** A line, or for a single point a closed path, which a round line cap draws as a dot. */
const pathOf = (run: string[]) =>
  run.length ? `M${run.join("L")}${run.length > 1 ? "" : "Z"}` : "";

const short = (x: number) => Math.round(100 * x) / 100;

const holds = ({ domain: [low, high] }: Axis, x: number) => x >= low && x <= high;
