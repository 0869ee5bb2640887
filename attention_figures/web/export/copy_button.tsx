// Renders a button that copies a text to the clipboard and confirms it.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Translate } from "../core/strings.ts";

/** If the clipboard is not available, the text appears below the button, selected. */
export function CopyButton(props: {
  name: string;
  label: string;
  text: () => string;
  t: Translate;
  disabled?: boolean;
}) {
  const { name, label, text, t, disabled } = props;
  const message = useSignal("");
  const open = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    message.value = ""; // so that screen readers announce an equal message again
    const area = field.current!;
    area.value = text();
    const done = await tryToCopy(area.value);
    open.value = !done;
    area.hidden = done; // a hidden field cannot be focused
    area.focus();
    area.select();
    message.value = t(done ? "copied" : "copyByHand");
  };
  return (
    <div class="copying">
      <button
        type="button"
        data-control={name}
        disabled={disabled}
        onClick={copy}
        onBlur={() => (message.value = "")}
      >
        {label}
      </button>
      <span role="status" translate={false}>
        {message}
      </span>
      <textarea readOnly hidden={!open.value} rows={4} aria-label={label} ref={field} />
    </div>
  );
}

async function tryToCopy(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // refused, or no clipboard API because the page is not secure
  }
}
