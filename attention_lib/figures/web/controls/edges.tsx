// The mask edge over a heatmap, a handle for each length; sliders beside it do the same for keyboards
// and assistive technology.
import { clamped } from "../core/format.ts";

export function Edges(props: {
  numKeys: number;
  /** Of every row, or a single one for all. */
  lengths: readonly number[];
  title: string;
  /** The first is drawn as the one handle of its figure. */
  main?: boolean;
  change: (q: number, length: number) => void;
}) {
  const { numKeys, lengths, title, main, change } = props;
  return (
    <div class="edges" aria-hidden="true">
      {lengths.map((length, q) => (
        <div
          key={q}
          class="edge"
          data-edge={q}
          data-handle={main && !q ? "" : undefined}
          title={title}
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
