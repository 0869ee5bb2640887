// Describes kernel regression as text: the query, and the keys that determine the curve's height there.
import { formatNumber, percent, plainNumber } from "../core/format.ts";
import type { Translate } from "../core/strings.ts";
import { isEmpty } from "../maths/kernels.ts";
import type { Regression, RegressionState } from "../maths/regression.ts";
import { range } from "../maths/tensor.ts";

const MOST_NAMED = 3; // keys that the caption names

export const withUnit = (text: string, unit?: string) => (unit ? `${text}\u202f${unit}` : text);

/** Names a key by its position with the unit, or k0, k1, … without units. */
export const keyName = ({ keys_, units }: RegressionState, k: number) =>
  units.length ? withUnit(plainNumber(keys_[0][k][0]), units[0]) : `k${k}`;

export const queryName = ({ queries, units }: RegressionState) =>
  units.length ? withUnit(plainNumber(queries[0][0][0]), units[0]) : "q0";

export const axisName = ({ units }: RegressionState, t: Translate) => units[0] ?? t("key");

/** Describes the height of the curve at the query, and the keys with the largest weights. */
export function curveInWords(at: Regression, t: Translate): string {
  const [weights] = at.attention_weights[0];
  const x = withUnit(plainNumber(at.queries[0][0][0]), at.units[0]);
  if (isEmpty(weights)) return t("noReach", { x });
  const order = range(weights.length).filter((k) => weights[k] !== 0);
  order.sort((a, b) => Math.abs(weights[b]) - Math.abs(weights[a]));
  const shares = order
    .slice(0, MOST_NAMED)
    .map((k) => t("readsShare", { share: percent(weights[k]), word: keyName(at, k) }));
  const list = shares.join(t("comma")) + (order.length > MOST_NAMED ? t("andMore") : "");
  const output = withUnit(formatNumber(at.output[0][0][0]), at.units[1]);
  return t("curveSays", { x, list, output });
}
