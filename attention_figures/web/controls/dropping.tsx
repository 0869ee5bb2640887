// Renders the controls of dropout: sliders for p and the draw, a button for new draws, and p in the code.
import { sameShape, between } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import type { CodeNumber } from "../core/kind.ts";
import { byRow, range, type Tensor } from "../maths/tensor.ts";
import { ListSlider, Slider } from "./slider.tsx";

const MOST = 0.9;
const CHANCES = range(19).map((i) => i / 20);

const isHundredths = (x: number) => Math.abs(100 * x - Math.round(100 * x)) < 1e-9;

/** Checks p. */
export const isChance = between(0, MOST);

/** Checks draws: uniform random numbers, truncated to two decimals. */
export const areDraws = sameShape((x) => x >= 0 && x < 1 && isHundredths(x));

export const ChanceSlider = ({ figure }: { figure: Figure<{ p: number }, object> }) => (
  <ListSlider name="p" numbers={CHANCES} value={figure.at.p} change={(p) => figure.set({ p })} />
);

export const DrawSlider = ({
  figure: { at, set, t },
}: {
  figure: Figure<{ draws: Tensor; draw: number }, object>;
}) => (
  <Slider
    name="draw"
    label={t("draw")}
    value={at.draw}
    min={1}
    max={at.draws.length}
    change={(draw) => set({ draw })}
  />
);

/** Replaces all draws by new ones. */
export const Resample = ({
  figure: { at, set, t },
}: {
  figure: Figure<{ draws: Tensor }, object>;
}) => (
  <button
    type="button"
    data-control="resample"
    onClick={() => set({ draws: byRow(at.draws, (row) => row.map(uniform)) })}
  >
    {t("resample")}
  </button>
);

const uniform = () => Math.floor(100 * Math.random()) / 100;

/** p as a draggable number in the code line. */
export const draggedChance = (p: number, name = "code.p"): CodeNumber<{ p: number }> => ({
  name,
  value: p,
  low: 0,
  high: MOST,
  step: 0.05,
  change: (value) => ({ p: value }),
});

/** Writes the Python code that drops entries of a tensor. */
export const codeOfDropout = (name: string, p: number) => [
  "torch.where(draws >= ",
  draggedChance(p),
  `, ${name} / (1 - `,
  draggedChance(p, "code.p[1]"),
  "), 0.0)",
];
