// Chooses the domain of an axis or a colour scale.
import type { Tensor, Vector } from "./tensor.ts";

export type Interval = [number, number];

/** Returns the smallest and largest of a tensor's numbers, ignoring −∞. */
export function extent(tensor: Tensor): Interval {
  let [low, high] = [Infinity, -Infinity];
  for (const matrix of tensor) {
    for (const row of matrix) {
      for (const x of row) {
        if (x > -Infinity && x < low) low = x;
        if (x > high) high = x;
      }
    }
  }
  return [low, high];
}

/** From 0, or −top if some are negative, to top: the smallest of 0.1, 0.2, 0.5, 1, … covering all. */
export function weightDomain(weights: Vector): Interval {
  const top = roundUp(Math.max(0.1, ...weights.map(Math.abs)));
  return [Math.min(...weights) < 0 ? -top : 0, top];
}

function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * ([1, 2, 5].find((factor) => factor * power >= x) ?? 10);
}

/** Returns ten numbers per decade, evenly spaced in their logarithm, rounded to two digits. */
export function decades(low: number, high: number): number[] {
  const steps = Math.round(10 * Math.log10(high / low));
  return Array.from({ length: steps + 1 }, (_, i) => Number((low * 10 ** (i / 10)).toPrecision(2)));
}
