// Renders a slider with its number, formatted by `format`.
export function Slider(props: {
  name: string;
  label?: string;
  value: number;
  min?: number;
  max: number;
  step?: number;
  format?: (value: number) => string;
  change: (value: number) => void;
}) {
  const { name, label = name, value, min = 0, max, step = 1, format = String, change } = props;
  return (
    <label>
      {label === name ? <code>{label}</code> : <span>{label}</span>}
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        data-control={name}
        aria-valuetext={format(value)} // for screen readers
        onInput={({ currentTarget }) => change(Number(currentTarget.value))}
      />
      <output>{format(value)}</output>
    </label>
  );
}

/** Renders a slider over a list of numbers; a number between them, from Python, is shown unrounded. */
export function ListSlider(props: {
  name: string;
  label?: string;
  numbers: readonly number[];
  value: number;
  format?: (value: number) => string;
  change: (value: number) => void;
}) {
  const { numbers, value, format = String, change, ...rest } = props;
  return (
    <Slider
      {...rest}
      value={indexOfNearest(numbers, value)}
      max={numbers.length - 1}
      format={() => format(value)}
      change={(i) => change(numbers[i])}
    />
  );
}

/** Returns the index of the number nearest to x. */
export function indexOfNearest(numbers: readonly number[], x: number): number {
  const distances = numbers.map((number) => Math.abs(number - x));
  return distances.indexOf(Math.min(...distances));
}
