// Renders the toolbar below a figure: reset, hide and the Share menu.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Figure } from "./figure.ts";
import { showsWeights } from "./kind.ts";

export function Toolbar({ figure, children }: { figure: Figure; children: ComponentChildren }) {
  const { t, hidden, revealed, questionState } = figure;
  const toggleHidden = () => {
    if (questionState.pending.value) figure.skip();
    else hidden.value = !hidden.value;
  };
  return (
    <div class="toolbar">
      <button type="button" data-control="reset" onClick={() => figure.reset()}>
        {t("reset")}
      </button>
      <button type="button" data-control="hide" onClick={toggleHidden}>
        {/* Both labels take up space, so that nothing moves. */}
        {(showsWeights(figure.kind)
          ? (["hideWeights", "showWeights"] as const)
          : (["hideResults", "showResults"] as const)
        ).map((word, i) => (
          <span key={word} class="word" data-shown={(i === 0) === revealed.value ? "" : undefined}>
            {t(word)}
          </span>
        ))}
      </button>
      <Menu name={t("share")}>{children}</Menu>
    </div>
  );
}

/** A menu that opens upwards within the figure, and closes with Escape or when it loses focus. */
function Menu({ name, children }: { name: string; children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  return (
    <details
      class="share"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        event.stopPropagation(); // Escape closes only the menu
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
