// Directions in the plane, in degrees, anticlockwise from the right.
import { rounded } from "../core/format.ts";
import type { Vector } from "./tensor.ts";

const NEARLY = 0.02; // of numbers that were typed with two decimals

/** From 0 to 359, to a whole degree. */
export const degrees = ([x, y]: Vector): number =>
  (Math.round((Math.atan2(y, x) * 180) / Math.PI) + 360) % 360;

/** A vector of length 1, to 4 decimals. */
export function direction(angle: number): [number, number] {
  const turn = (angle * Math.PI) / 180;
  return [rounded(Math.cos(turn)) || 0, rounded(Math.sin(turn)) || 0]; // never −0
}

/** Whether the first two numbers of a vector are a direction. */
export const isDirection = ([x, y]: Vector): boolean =>
  y !== undefined && Math.abs(Math.hypot(x, y) - 1) < NEARLY;
