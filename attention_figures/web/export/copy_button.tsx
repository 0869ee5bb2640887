// A button that copies a text, and says so.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Translate } from "../core/strings.ts";

/** Where the clipboard is closed, the text stands below the button, selected. */
export function CopyButton(props: {
  name: string;
  label: string;
  text: () => string;
  t: Translate;
  disabled?: boolean;
}) {
  const { name, label, text, t, disabled } = props;
  const said = useSignal("");
  const open = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    said.value = ""; // so that the same words are said again
    const area = field.current!;
    area.value = text();
    const done = await couldCopy(area.value);
    open.value = !done;
    area.hidden = done; // before it is focused
    area.focus();
    area.select();
    said.value = t(done ? "copied" : "copyByHand");
  };
  return (
    <div class="copying">
      <button
        type="button"
        data-control={name}
        disabled={disabled}
        onClick={copy}
        onBlur={() => (said.value = "")}
      >
        {label}
      </button>
      <span role="status" translate={false}>
        {said}
      </span>
      <textarea readOnly hidden={!open.value} rows={4} aria-label={label} ref={field} />
    </div>
  );
}

async function couldCopy(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // refused, or no clipboard at all where the page is not secure
  }
}
