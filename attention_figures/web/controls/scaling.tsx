// Renders the controls of scaled dot products: the number of components, and whether √d divides.
import { sameShape, isBoolean, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import type { CodeNumber } from "../core/kind.ts";
import { largestSize, sizesOf, type ScalingState } from "../maths/scaling.ts";
import { Switch } from "./choice.tsx";
import { ListSlider } from "./slider.tsx";

export const scalingChecks = {
  queries: sameShape(),
  keys_: sameShape(),
  d: oneOf(sizesOf),
  scaled: isBoolean,
};

export const ScalingControls = ({
  figure: { at, set, t },
}: {
  figure: Figure<ScalingState, object>;
}) => (
  <div class="controls">
    <span data-handle class="held">
      <ListSlider name="d" numbers={sizesOf(at)} value={at.d} change={(d) => set({ d })} />
    </span>
    <Switch
      name="scaled"
      label={t("divideByRoot")}
      value={at.scaled}
      change={(scaled) => set({ scaled })}
    />
  </div>
);

/** d as a draggable number in the code line. */
export const draggedSize = (at: ScalingState): CodeNumber<ScalingState> => ({
  name: "code.d",
  value: at.d,
  low: 1,
  high: largestSize(at),
  numbers: sizesOf(at),
  change: (d) => ({ d }),
});
