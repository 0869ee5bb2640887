// What stands below every figure: back to the start, covering, and a menu of what can be taken along.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Figure } from "./figure.ts";

export function Toolbar({ figure, children }: { figure: Figure; children: ComponentChildren }) {
  const { words, hidden, open, asking } = figure;
  const cover = () => {
    if (asking.waits.value) figure.skip();
    else hidden.value = !hidden.value;
  };
  return (
    <div class="toolbar">
      <button type="button" data-control="reset" onClick={() => figure.reset()}>
        {words("reset")}
      </button>
      <button type="button" data-control="hide" onClick={cover}>
        {/* Both words keep their room, so that nothing moves. */}
        {["hideWeights", "showWeights"].map((word, i) => (
          <span key={word} class="word" data-shown={(i === 0) === open.value ? "" : undefined}>
            {words(word)}
          </span>
        ))}
      </button>
      <Menu name={words("share")}>{children}</Menu>
    </div>
  );
}

/** Opens above the bar, within the figure; closes with Escape, and when the focus leaves it. */
function Menu({ name, children }: { name: string; children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  return (
    <details
      class="share"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        event.stopPropagation(); // it closes the menu, and nothing around it
        menu.current.open = false;
        summary.current?.focus();
      }}
      onFocusOut={({ relatedTarget: next }) => {
        const inside = menu.current?.contains(next as Node | null);
        if (menu.current && document.hasFocus() && !inside) menu.current.open = false;
      }}
    >
      <summary ref={summary}>{name}</summary>
      <div class="entries">{children}</div>
    </details>
  );
}
