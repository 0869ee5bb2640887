// Renders a text field. Typing changes the state at once; an input method's composition (IME) does when
// it ends, and the field is not overwritten before.
import { useLayoutEffect, useRef } from "preact/hooks";

export function TextField(props: {
  name: string;
  label?: string;
  value: string;
  /** The greatest number of characters. */
  limit: number;
  change: (text: string) => void;
}) {
  const { name, label = name, value, limit, change } = props;
  const field = useRef<HTMLInputElement>(null);
  const composes = useRef(false);
  useLayoutEffect(() => {
    const input = field.current!;
    // Assigning an equal text would move the caret.
    if (!composes.current && input.value !== value) input.value = value;
  });
  return (
    <label>
      {label === name ? <code>{label}</code> : <span>{label}</span>}
      <input
        ref={field}
        maxLength={limit}
        autocomplete="off"
        spellcheck={false}
        data-control={name}
        onCompositionStart={() => (composes.current = true)}
        onCompositionEnd={({ currentTarget }) => {
          composes.current = false;
          change(currentTarget.value);
        }}
        onInput={({ currentTarget }) => {
          if (!composes.current) change(currentTarget.value);
        }}
      />
    </label>
  );
}
