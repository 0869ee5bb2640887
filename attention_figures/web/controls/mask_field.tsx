// Renders a field in which a mask is typed or pasted. A text that is no mask stays in the field with a
// message, and the figure keeps the mask from before.
import { useSignal } from "@preact/signals";
import type { Figure } from "../core/figure.ts";
import { maskText, readMask, type Table } from "../maths/mask_text.ts";

export function MaskField(props: {
  figure: Figure;
  name: string;
  label: string;
  value: Table;
  /** The largest number of columns. */
  limit: number;
  change: (table: Table) => void;
}) {
  const { figure, name, label, value, limit, change } = props;
  const typed = useSignal<string | null>(null); // the text while it is being edited
  const canonical = maskText(value);
  const reading = typed.value === null ? null : readMask(typed.value, limit);
  const wrong = reading !== null && "refusal" in reading && figure.refused.value !== null;
  const accepted = reading !== null && "table" in reading && maskText(reading.table) === canonical;
  return (
    <label class="mask-field">
      <span>{label}</span>
      <textarea
        rows={2}
        autocomplete="off"
        spellcheck={false}
        data-control={name}
        aria-invalid={wrong}
        value={wrong || accepted ? typed.value! : canonical}
        onInput={({ currentTarget: { value: text } }) => {
          const read = readMask(text, limit);
          typed.value = text;
          if ("table" in read) change(read.table);
          else figure.refused.value = read.refusal;
        }}
        onBlur={() => {
          if (wrong) figure.refused.value = null;
          typed.value = null;
        }}
      />
    </label>
  );
}
