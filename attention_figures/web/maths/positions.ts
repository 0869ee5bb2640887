// Positions as sines and cosines, as attention_lib.sinusoidal_positions.
import { range, type Matrix, type Vector } from "./tensor.ts";

const BASE = 10000;

/** What the hand of each clock goes on by with a position, in radians. */
export const frequencies = (size: number): Vector =>
  range(size / 2).map((i) => BASE ** ((-2 * i) / size));

/** (N, size): of each position sine and cosine of every clock. */
export const sinusoidalPositions = (numPositions: number, size: number): Matrix =>
  range(numPositions).map((p) =>
    frequencies(size).flatMap((frequency) => [Math.sin(p * frequency), Math.cos(p * frequency)]),
  );
