// Renders the controls of a kernel: its name, with the formula, and its width.
import { between, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { WIDTHS, type KernelName } from "../maths/kernels.ts";
import { WIDEST } from "../maths/regression.ts";
import { Formula } from "../views/formula.tsx";
import { Select } from "./choice.tsx";
import { ListSlider } from "./slider.tsx";

const FORMULAS: Record<KernelName, string> = {
  gaussian: "exp(−½u²)",
  boxcar: "1 (|u| ≤ 1), 0 (|u| > 1)",
  epanechnikov: "max(0, 1 − u²)",
  triangular: "max(0, 1 − |u|)",
  linear: "w x · w x_i",
};
const NAMES = Object.keys(FORMULAS) as KernelName[];

export const isKernel = oneOf(NAMES);
export const isWidth = between(0, WIDEST);

export const KernelSelect = ({
  figure: { at, set, t },
}: {
  figure: Figure<{ kernel: KernelName }, object>;
}) => (
  <Select
    name="kernel"
    value={at.kernel}
    label={t("kernel")}
    choices={NAMES}
    format={(kernel) => t(`kernel_${kernel}`)}
    change={(kernel) => set({ kernel })}
  />
);

export function KernelFormula({ kernel }: { kernel: KernelName }) {
  const u = FORMULAS[kernel].includes("u") ? ",  u = w (x − x_i)" : "";
  return <Formula text={`K = ${FORMULAS[kernel]}${u}`} />;
}

/** A slider over many widths, including the initial one. */
export function WidthSlider({
  figure: { at, initialState, set },
}: {
  figure: Figure<{ w: number }, object>;
}) {
  const numbers = [...new Set([...WIDTHS, initialState.w as number])].sort((a, b) => a - b);
  return <ListSlider name="w" numbers={numbers} value={at.w} change={(w) => set({ w })} />;
}
