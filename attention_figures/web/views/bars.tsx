// Draws bars that stand on a base line or hang from it.
import { lengthOf } from "../maths/weights.ts";

export interface Bar {
  /** Coordinates of its two sides and its end. */
  from: number;
  to: number;
  end: number;
  /** The number that its length shows. */
  value: number;
}

export const Bars = (props: { class: string; bars: readonly Bar[]; base: number }) => (
  <g class={`bars ${props.class}`}>
    {props.bars.map(({ from, to, end, value }, i) => {
      const height = lengthOf(value, Math.abs(props.base - end) / Math.abs(value));
      return (
        <rect
          key={i}
          data-length={value}
          x={from}
          width={to - from}
          y={end < props.base ? props.base - height : props.base}
          height={height}
        />
      );
    })}
  </g>
);
