// Renders the fields of an exercise as native controls, each with `data-choice`.
import type { Answer } from "./judging.ts";
import type { ChoiceField, Field, NumberField, PlaceField } from "./state.ts";
import { withCode } from "./verdict.tsx";

interface Props<F> {
  field: F;
  /** Unique on the page. */
  id: string;
  answer: Answer;
  onAnswer: (answer: Answer) => void;
}

function Radio(props: {
  name: string;
  at: string;
  on: boolean;
  onAnswer: () => void;
  label?: string;
  disabled?: boolean;
}) {
  return (
    <input
      type="radio"
      name={props.name}
      data-choice={props.at}
      checked={props.on}
      aria-label={props.label}
      disabled={props.disabled}
      onChange={props.onAnswer}
    />
  );
}

function NumberControl({ field, id, answer, onAnswer }: Props<NumberField>) {
  return (
    <label class="answer-number">
      <span>{withCode(field.label)}</span>{" "}
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        size={9}
        data-choice={id}
        value={String(answer ?? "")}
        onInput={(event) => onAnswer(event.currentTarget.value)}
      />
    </label>
  );
}

function ChoiceControl({ field, id, answer, onAnswer }: Props<ChoiceField>) {
  return (
    <fieldset>
      <legend>{withCode(field.label)}</legend>
      {field.options.map(({ text }, i) => (
        <label key={i} class="answer-option">
          <Radio name={id} at={`${id}:${i}`} on={answer === i} onAnswer={() => onAnswer(i)} />
          <span>{withCode(text)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function PlaceControl({ field, id, answer, onAnswer }: Props<PlaceField>) {
  const places = Array.isArray(answer) ? answer : field.rows.map(() => null);
  return (
    <fieldset>
      <legend>{withCode(field.label)}</legend>
      <div class="answer-scroll">
        <table>
          <thead>
            <tr>
              <td />
              {field.columns.map((name) => (
                <th key={name} scope="col">
                  {withCode(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {field.rows.map((row, r) => (
              <tr key={row}>
                <th scope="row">{withCode(row)}</th>
                {field.columns.map((column, c) => (
                  <td key={column}>
                    <label>
                      <Radio
                        name={`${id}-${r}`}
                        at={`${id}:${r},${c}`}
                        on={places[r] === c}
                        label={`${row}: ${column}`}
                        onAnswer={() => onAnswer(places.map((place, i) => (i === r ? c : place)))}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </fieldset>
  );
}

export function Control({ field, ...rest }: Props<Field>) {
  if (field.kind === "number") return <NumberControl field={field} {...rest} />;
  if (field.kind === "choice") return <ChoiceControl field={field} {...rest} />;
  return <PlaceControl field={field} {...rest} />;
}

/** A program with gaps: each shows its label and the line chosen for it. */
export function Program(props: {
  parts: (string | string[])[];
  labels: string[];
  places: (number | null)[];
}) {
  let gaps = 0;
  return (
    <pre class="program" tabIndex={0} translate={false}>
      {props.parts.map((part, i) => {
        const end = i < props.parts.length - 1 ? "\n" : "";
        if (typeof part === "string") return part + end;
        const gap = gaps++;
        const place = props.places[gap];
        const [line, indent] = [part[place ?? 0]!, /^ */.exec(part[0]!)![0]];
        return (
          <span key={i}>
            {indent}
            <mark class="program-gap">{props.labels[gap]}</mark>
            {place == null ? "" : " " + line.trim()}
            {end}
          </span>
        );
      })}
    </pre>
  );
}

/** Radio buttons for the lines that can fill a gap; a line that is gone leaves its space. */
export function Lines(props: {
  lines: string[];
  label: string;
  id: string;
  chosen: number | null;
  isGone: (place: number) => boolean;
  choose: (place: number) => void;
}) {
  return (
    <fieldset class="gap-lines">
      <legend>
        <mark class="program-gap">{props.label}</mark>
      </legend>
      {props.lines.map((line, i) => (
        <label key={line} class="answer-option" data-gone={props.isGone(i) ? "" : undefined}>
          <Radio
            name={props.id}
            at={`${props.id}:${i}`}
            on={props.chosen === i}
            disabled={props.isGone(i)}
            onAnswer={() => props.choose(i)}
          />
          <code>{line.trim()}</code>
        </label>
      ))}
    </fieldset>
  );
}
