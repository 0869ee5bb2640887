// Converts directions in the plane to degrees, anticlockwise from the right, and back.
import { rounded } from "../core/format.ts";
import type { Vector } from "./tensor.ts";

const TOLERANCE = 0.02; // for coordinates typed with two decimals

/** Returns the angle of a vector, a whole degree from 0 to 359. */
export const degrees = ([x, y]: Vector): number =>
  (Math.round((Math.atan2(y, x) * 180) / Math.PI) + 360) % 360;

/** Returns the unit vector of an angle, to 4 decimals. */
export function direction(angle: number): [number, number] {
  const turn = (angle * Math.PI) / 180;
  return [rounded(Math.cos(turn)) || 0, rounded(Math.sin(turn)) || 0]; // never −0
}

/** Whether the first two numbers of a vector are a unit vector. */
export const isDirection = ([x, y]: Vector): boolean =>
  y !== undefined && Math.abs(Math.hypot(x, y) - 1) < TOLERANCE;
