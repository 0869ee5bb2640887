// Weights for those who listen.
import { formatNumber } from "../core/format.ts";
import type { Words } from "../core/words.ts";
import type { Tensor } from "../maths/tensor.ts";

const FEW = 16; // weights that are all told
const TOLD = 4; // of more weights, these many rows are

export interface Names {
  /** A row's name, instead of "query 3". */
  row?: (q: number) => string;
  key?: (k: number) => string;
}

/** All weights in words; of many the largest in each of the first rows. */
export function weightsInWords(weights: Tensor, words: Words, names: Names = {}): string {
  const { row = (q) => `${words("query")} ${q}`, key = (k) => `${words("key")} ${k}` } = names;
  const rows = weights.flatMap((matrix, b) =>
    matrix.map((line, q) => ({
      name: weights.length > 1 ? words("rowOfExample", { b, row: row(q) }) : row(q),
      line,
    })),
  );
  const few = weights.flat(2).length <= FEW;
  const told = (few ? rows : rows.slice(0, TOLD)).map(({ name, line }) => {
    if (few)
      return words("rowWeights", { name, weights: line.map(formatNumber).join(words("comma")) });
    if (line.every((x) => x === 0)) return words("rowOfZeros", { name });
    const largest = line.indexOf(Math.max(...line));
    return words("rowLargest", { name, key: key(largest), weight: formatNumber(line[largest]) });
  });
  return words("weightsAre", { list: told.join(words("semicolon")) });
}
