// Computes sinusoidal positions, as attention_lib.sinusoidal_positions.
import { range, type Matrix, type Vector } from "./tensor.ts";

const BASE = 10000;

/** The angle in radians by which each clock's hand turns from one position to the next. */
export const frequencies = (size: number): Vector =>
  range(size / 2).map((i) => BASE ** ((-2 * i) / size));

/** Returns (N, size): for each position, sine and cosine of every clock. */
export const sinusoidalPositions = (numPositions: number, size: number): Matrix =>
  range(numPositions).map((p) =>
    frequencies(size).flatMap((frequency) => [Math.sin(p * frequency), Math.cos(p * frequency)]),
  );
