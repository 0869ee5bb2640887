// What an axis or a scale of colours spans.
import type { Tensor, Vector } from "./tensor.ts";

export type Interval = [number, number];

/** Smallest and largest of a tensor's numbers, −∞ aside. */
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

/** From 0, or from as far below, to the smallest of 0.1, 0.2, 0.5, 1, 2, 5 … that holds them all. */
export function weightDomain(weights: Vector): Interval {
  const top = roundUp(Math.max(0.1, ...weights.map(Math.abs)));
  return [Math.min(...weights) < 0 ? -top : 0, top];
}

function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * ([1, 2, 5].find((factor) => factor * power >= x) ?? 10);
}

/** Ten numbers in each power of ten, evenly spaced in their logarithm, of two digits. */
export function decades(low: number, high: number): number[] {
  const steps = Math.round(10 * Math.log10(high / low));
  return Array.from({ length: steps + 1 }, (_, i) => Number((low * 10 ** (i / 10)).toPrecision(2)));
}
