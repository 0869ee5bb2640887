// valid_lens in its two forms, one length per example (B,) or one per query (B, Q); its controls.
import type { Figure } from "../core/figure.ts";
import { rowLengths, type Lengths } from "../maths/softmax.ts";
import type { Matrix } from "../maths/tensor.ts";
import { Switch } from "./choice.tsx";
import { Slider } from "./slider.tsx";

export const isPerQuery = (validLens: Lengths): validLens is Matrix => Array.isArray(validLens[0]);

/** A copy with one length changed; q counts only where each query has its own. */
export const withLength = (validLens: Lengths, b: number, q: number, length: number): Lengths =>
  validLens.map((own, i) => {
    if (i !== b) return own;
    return Array.isArray(own) ? own.with(q, length) : length;
  });

/** The same lengths in the other form; an example takes the longest of its queries' lengths. */
export const inForm = (validLens: Lengths, perQuery: boolean, numQueries: number): Lengths =>
  perQuery
    ? rowLengths(validLens, numQueries)
    : validLens.map((own) => (Array.isArray(own) ? Math.max(...own) : own));

/** Every place that holds a length. */
export const places = (validLens: Lengths) =>
  validLens.flatMap((own, b) =>
    Array.isArray(own)
      ? own.map((length, q) => ({ b, q, length, name: `valid_lens[${b}][${q}]` }))
      : [{ b, q: 0, length: own, name: `valid_lens[${b}]` }],
  );

/** Sliders for every length, and the switch between the two forms. */
export function LengthControls(props: { figure: Figure; numQueries: number; numKeys: number }) {
  const { figure, numQueries, numKeys } = props;
  const validLens: Lengths = figure.at.valid_lens;
  const change = (lengths: Lengths) => figure.set({ valid_lens: lengths });
  return (
    <div class="lengths">
      <div class="sliders">
        {places(validLens).map(({ b, q, length, name }) => (
          <Slider
            key={name}
            name={name}
            value={length}
            max={numKeys}
            change={(n) => change(withLength(validLens, b, q, n))}
          />
        ))}
      </div>
      <Switch
        name="per_query"
        label={figure.words("perQuery")}
        value={isPerQuery(validLens)}
        change={(perQuery) => change(inForm(validLens, perQuery, numQueries))}
      />
    </div>
  );
}
