// Draws terms that add up as arrows on a number line, each from the end of the one before.
import { anchorAt, axisOf, fitted, widthOf, type Point } from "../maths/axis.ts";
import { lowerOnPhone, Plot } from "./plot.tsx";
import "../styles/pairs.css";

const WIDTH = 320;
const ACROSS = [14, 306] as [number, number];
const TOP = 10;
const ABOVE = 12; // height above the line, for the landmarks
const SIZE: Point = [WIDTH, 172];
const FRAME = { left: ACROSS[0], right: ACROSS[1], top: TOP, bottom: 114 };

export interface Landmark {
  class: string;
  text: string;
  value: number;
}

export function NumberLine(props: {
  label: string;
  /** Numbers that the axis must span, independent of the present terms. */
  domain: readonly number[];
  /** The sums after the first term, the first two, and so on. */
  sums: readonly number[];
  landmarks: readonly Landmark[];
}) {
  const { label, domain, sums, landmarks } = props;
  const axis = axisOf(fitted([0, ...domain]), ACROSS);
  const [size, frame] = lowerOnPhone(SIZE, FRAME, 36);
  const line = frame.bottom;
  const step = (line - ABOVE - TOP) / Math.max(6, sums.length);
  return (
    <Plot label={label} size={size} frame={frame} x={axis}>
      <path class="zero" d={`M${axis.place(0)} ${TOP}V${line}`} />
      {sums.map((sum, i) => {
        const [from, to] = [axis.place(sums[i - 1] ?? 0), axis.place(sum)];
        const y = TOP + (i + 0.5) * step;
        const tip = Math.sign(to - from) * Math.min(4, Math.abs(to - from));
        return (
          <g key={i} class="term" data-negative={to < from ? "" : undefined}>
            <path d={`M${from} ${y}H${to}m${-tip} -3l${tip} 3l${-tip} 3`} />
            {i + 1 < sums.length && <path class="on" d={`M${to} ${y}v${step}`} />}
          </g>
        );
      })}
      {landmarks.map(({ class: kind, text, value }, i) => {
        const place = axis.place(value);
        return (
          <g key={kind} class={kind} transform={`translate(${place} ${line})`}>
            <path d="M0 0l5-9h-10Z" />
            <text y={30 + 14 * i} text-anchor={anchorAt(place, widthOf(text), [0, WIDTH])}>
              {text}
            </text>
          </g>
        );
      })}
    </Plot>
  );
}
