// Renders sliders for valid_lens in its two forms, one length per example (B,) or per query (B, Q).
import { useComputed } from "@preact/signals";
import type { Figure } from "../core/figure.ts";
import { rowLengths, type Lengths } from "../maths/softmax.ts";
import { range, type Matrix } from "../maths/tensor.ts";
import { Switch } from "./choice.tsx";
import { Slider } from "./slider.tsx";

export const isPerQuery = (validLens: Lengths): validLens is Matrix => Array.isArray(validLens[0]);

/** Returns a copy with one length changed; q is ignored if there is one length per example. */
export const withLength = (validLens: Lengths, b: number, q: number, length: number): Lengths =>
  validLens.map((own, i) => {
    if (i !== b) return own;
    return Array.isArray(own) ? own.with(q, length) : length;
  });

/** Converts lengths to one of the forms; an example gets the longest of its queries' lengths. */
export const inForm = (validLens: Lengths, perQuery: boolean, numQueries: number): Lengths =>
  perQuery
    ? rowLengths(validLens, numQueries)
    : validLens.map((own) => (Array.isArray(own) ? Math.max(...own) : own));

/**
 * Renders a slider for every length and a switch between the forms. A change re-renders only its own
 * slider: there may be hundreds.
 */
export function LengthControls(props: {
  figure: Figure;
  numQueries: number;
  numKeys: number;
  /** Further changes with a length of this example. */
  besides?: (b: number) => object;
}) {
  const { figure, numQueries, numKeys, besides = () => ({}) } = props;
  const batch = useComputed<number>(() => figure.at.valid_lens.length);
  const perQuery = useComputed(() => isPerQuery(figure.at.valid_lens));
  const change = (perQuery: boolean) =>
    figure.set({ valid_lens: inForm(figure.at.valid_lens, perQuery, numQueries) });
  const places = range(batch.value).flatMap((b) =>
    perQuery.value
      ? range(numQueries).map((q) => ({ b, q, name: `valid_lens[${b}][${q}]` }))
      : [{ b, q: 0, name: `valid_lens[${b}]` }],
  );
  return (
    <div class="lengths">
      <div class="sliders">
        {places.map(({ b, q, name }) => (
          <LengthSlider key={name} {...{ figure, b, q, name, besides }} max={numKeys} />
        ))}
      </div>
      <Switch
        name="per_query"
        label={figure.t("perQuery")}
        value={perQuery.value}
        change={change}
      />
    </div>
  );
}

function LengthSlider(props: {
  figure: Figure;
  b: number;
  q: number;
  name: string;
  max: number;
  besides: (b: number) => object;
}) {
  const { figure, b, q, name, max, besides } = props;
  const length = useComputed<number>(() => [figure.at.valid_lens[b]].flat()[q]);
  return (
    <Slider
      name={name}
      value={length.value}
      max={max}
      change={(n) =>
        figure.set({ valid_lens: withLength(figure.at.valid_lens, b, q, n), ...besides(b) })
      }
    />
  );
}
