// Lines from queries above to keys below, as thick as their weights; the square root of a weight, so
// that 1/64 is seen.
import { useWidth } from "./size.ts";

const THICKEST = 22;

export interface Arc {
  /** Places, from 0 to 1 across. */
  from: number;
  to: number;
  weight: number;
  /** To padding: dashed and grey, whatever it weighs. */
  padding?: boolean;
}

export function Arcs(props: { arcs: Arc[]; height: number; open: boolean; label: string }) {
  const { arcs, height, open, label } = props;
  const [svg, width] = useWidth<SVGSVGElement>();
  const w = width.value || 1;
  const path = ({ from, to }: Arc) => {
    const [a, b] = [from * w, to * w];
    return `M${a} 0C${a} ${0.7 * height} ${b} ${0.3 * height} ${b} ${height}`;
  };
  return (
    <svg
      class="plot arcs"
      ref={svg}
      viewBox={`0 0 ${w} ${height}`}
      height={height}
      role="img"
      aria-label={label}
    >
      {arcs.map((arc, i) => (
        <path
          key={i}
          d={path(arc)}
          class={arc.padding ? "arc padding" : "arc"}
          data-covered={open ? undefined : ""}
          style={
            open
              ? { strokeWidth: arc.weight ? 1 + THICKEST * Math.sqrt(arc.weight) : 0 }
              : undefined
          }
        />
      ))}
    </svg>
  );
}
