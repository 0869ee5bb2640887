// Draws lines from queries to keys, downwards or sideways, as thick as their weights.
import { lengthOf } from "../maths/weights.ts";
import { useWidth } from "./use_width.ts";

const THICKEST = { down: 22, sideways: 13 };
const MANY = 100; // lines beyond which they are not animated: no eye follows one of them
const SEEN = 0.005; // sideways, a weight that rounds to 0.00 gets no hairline

export interface Arc {
  /** Positions from 0 to 1: from left to right, or downwards if the lines go sideways. */
  from: number;
  to: number;
  weight: number;
  /** A line to padding is dashed and grey, whatever its weight. */
  padding?: boolean;
}

export function Arcs(props: {
  arcs: Arc[];
  height: number;
  open: boolean;
  label: string;
  sideways?: boolean;
}) {
  const { arcs, height, open, label, sideways } = props;
  const [svg, width] = useWidth<SVGSVGElement>();
  const w = width.value || 1;
  const thickest = sideways ? THICKEST.sideways : THICKEST.down;
  const thickness = (weight: number) =>
    lengthOf(weight, thickest, sideways && weight < SEEN ? 0 : undefined);
  const path = ({ from, to }: Arc) => {
    if (sideways) {
      const [a, b] = [from * height, to * height];
      return `M0 ${a}C${0.4 * w} ${a} ${0.6 * w} ${b} ${w} ${b}`;
    }
    const [a, b] = [from * w, to * w];
    return `M${a} 0C${a} ${0.7 * height} ${b} ${0.3 * height} ${b} ${height}`;
  };
  return (
    <svg
      class="plot arcs"
      data-many={arcs.length > MANY ? "" : undefined}
      ref={svg}
      viewBox={`0 0 ${w} ${height}`}
      height={height}
      preserveAspectRatio={sideways ? "none" : undefined}
      role="img"
      aria-label={label}
    >
      {arcs.map((arc, i) => (
        <path
          key={i}
          d={path(arc)}
          class={arc.padding ? "arc padding" : "arc"}
          data-covered={open ? undefined : ""}
          data-length={open ? arc.weight : undefined}
          style={open ? { strokeWidth: thickness(arc.weight) } : undefined}
        />
      ))}
    </svg>
  );
}
