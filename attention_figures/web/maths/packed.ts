// Unpacks a trained model's parameters, as attention_figures.packed has packed them.
import type { Matrix, Vector } from "./tensor.ts";

/** Parameters by their names in torch's state_dict. A vector is a matrix of one row. */
export type Parameters = Readonly<Record<string, Matrix>>;

/** Quantised parameters: a scale for each row, and 8-bit levels in base64. */
export type Packed = Readonly<Record<string, { scale: Vector; levels: string }>>;

export const unpacked = (stored: Packed): Parameters =>
  Object.fromEntries(
    Object.entries(stored).map(([name, { scale, levels }]) => {
      const bytes = Int8Array.from(atob(levels), (byte) => byte.charCodeAt(0));
      const size = bytes.length / scale.length;
      const row = (r: number) => [...bytes.subarray(r * size, (r + 1) * size)];
      return [name, scale.map((step, r) => row(r).map((level) => level * step))];
    }),
  );
