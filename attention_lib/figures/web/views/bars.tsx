// Bars that stand on a base line, or hang from it.
export interface Bar {
  /** Places in the drawing: its sides, and its end. */
  from: number;
  to: number;
  end: number;
}

export const Bars = (props: { class: string; bars: readonly Bar[]; base: number }) => (
  <g class={`bars ${props.class}`}>
    {props.bars.map(({ from, to, end }, i) => (
      <rect
        key={i}
        x={from}
        width={to - from}
        y={Math.min(end, props.base)}
        height={Math.abs(props.base - end)}
      />
    ))}
  </g>
);
