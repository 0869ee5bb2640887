// Renders the mask edge over a heatmap, draggable for each length; keyboards and assistive technology use
// the sliders beside it.
import { useComputed } from "@preact/signals";
import type { Figure } from "../core/figure.ts";
import { clamped } from "../core/format.ts";
import { withLength } from "./lengths.tsx";

export function Edges(props: {
  figure: Figure;
  b: number;
  numKeys: number;
  /** Whether the first edge is the figure's handle. */
  main?: boolean;
}) {
  const { figure, b, numKeys, main } = props;
  const own = useComputed<number | number[]>(() => figure.at.valid_lens[b]);
  const change = (q: number, length: number) =>
    figure.set({ valid_lens: withLength(figure.at.valid_lens, b, q, length) });
  return (
    <div class="edges" aria-hidden="true">
      {[own.value].flat().map((length, q) => (
        <div
          key={q}
          class="edge"
          data-edge={q}
          data-handle={main && !q ? "" : undefined}
          title={figure.t("dragEdge")}
          style={{ left: `${(100 * length) / numKeys}%` }}
          onPointerDown={(event) => {
            event.preventDefault();
            if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={({ currentTarget, pointerId, clientX }) => {
            if (!currentTarget.hasPointerCapture(pointerId)) return;
            const { left, width } = currentTarget.parentElement!.getBoundingClientRect();
            const to = clamped(Math.round(((clientX - left) / width) * numKeys), 0, numKeys);
            if (to !== length) change(q, to);
          }}
        >
          {main && !q && <span class="grip">⇔</span>}
        </div>
      ))}
    </div>
  );
}
