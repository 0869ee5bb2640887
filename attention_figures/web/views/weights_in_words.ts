// Describes weights as text for screen readers.
import { formatNumber } from "../core/format.ts";
import type { Translate } from "../core/strings.ts";
import type { Tensor } from "../maths/tensor.ts";

const FEW = 16; // most weights that are all listed
const MOST_ROWS = 4; // rows that are described if there are more weights

export interface Names {
  /** The name of a row, instead of "query 3". */
  row?: (q: number) => string;
  key?: (k: number) => string;
}

/** Lists all weights or, if there are many, the largest weight of each of the first rows. */
export function weightsInWords(weights: Tensor, t: Translate, names: Names = {}): string {
  const { row = (q) => `${t("query")} ${q}`, key = (k) => `${t("key")} ${k}` } = names;
  const rows = weights.flatMap((matrix, b) =>
    matrix.map((line, q) => ({
      name: weights.length > 1 ? t("rowOfExample", { b, row: row(q) }) : row(q),
      line,
    })),
  );
  const few = weights.flat(2).length <= FEW;
  const told = (few ? rows : rows.slice(0, MOST_ROWS)).map(({ name, line }) => {
    if (few) return t("rowWeights", { name, weights: line.map(formatNumber).join(t("comma")) });
    if (line.every((x) => x === 0)) return t("rowOfZeros", { name });
    const largest = line.indexOf(Math.max(...line));
    return t("rowLargest", { name, key: key(largest), weight: formatNumber(line[largest]) });
  });
  return t("weightsAre", { list: told.join(t("semicolon")) });
}
