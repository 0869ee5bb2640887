// A line of text to type. What is typed counts at once; what an input method composes, when it is done,
// and until then nobody else writes there.
import { useLayoutEffect, useRef } from "preact/hooks";

export function TextField(props: {
  name: string;
  label?: string;
  value: string;
  /** Characters, at most. */
  limit: number;
  change: (text: string) => void;
}) {
  const { name, label = name, value, limit, change } = props;
  const field = useRef<HTMLInputElement>(null);
  const composes = useRef(false);
  useLayoutEffect(() => {
    const input = field.current!;
    // Only another text, or the caret would jump.
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
