// Renders choices: a select, a switch and a group of buttons. `format` returns a choice's text.
export function Select<T extends string | number>(props: {
  name: string;
  label?: string;
  value: T;
  choices: readonly T[];
  format?: (choice: T) => string;
  change: (choice: T) => void;
}) {
  const { name, label = name, value, choices, format = String, change } = props;
  return (
    <label>
      {label === name ? <code>{label}</code> : <span>{label}</span>}
      <select
        data-control={name}
        value={value}
        onChange={({ currentTarget }) => change(choices[currentTarget.selectedIndex])}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {format(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Switch(props: {
  name: string;
  label: string;
  value: boolean;
  change: (checked: boolean) => void;
}) {
  const { name, label, value, change } = props;
  return (
    <label>
      <input
        type="checkbox"
        data-control={name}
        checked={value}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** Renders a few choices as buttons, all of them visible. */
export function Segments<T extends string>(props: {
  name: string;
  label: string;
  value: T;
  choices: readonly T[];
  format: (choice: T) => string;
  change: (choice: T) => void;
}) {
  const { name, label, value, choices, format, change } = props;
  return (
    <div class="segments" role="group" aria-label={label}>
      <span>{label}</span>
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          data-control={`${name}.${choice}`}
          aria-pressed={choice === value}
          onClick={() => change(choice)}
        >
          {format(choice)}
        </button>
      ))}
    </div>
  );
}
