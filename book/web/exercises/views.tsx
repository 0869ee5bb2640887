// An exercise as it stands on a page: its controls, a button, and what is said to the answer.
import { useSignal } from "@preact/signals";
import { filled, isUnclear, judge, type Answer } from "./judging.ts";
import { Control, Lines, Program } from "./controls.tsx";
import { isGap, type Field, type Paper, type Puzzle, type Said } from "./state.ts";
import { Verdict } from "./verdict.tsx";

interface Props<S> {
  slug: string;
  state: S;
  /** Whether it was solved, and in which words that is said, of what stands there or of before. */
  solved: boolean;
  done: Done;
  /** Called when it was checked. */
  report: (right: boolean) => void;
}

interface Done {
  now: string;
  before: string;
}

function Button(props: {
  check: string;
  solved: boolean;
  /** Whether what stands there is right. */
  right: boolean;
  done: Done;
  onClick: () => void;
}) {
  return (
    <p class="exercise-button">
      <button type="button" data-check onClick={props.onClick}>
        {props.check}
      </button>{" "}
      <span class="exercise-done" translate={false} data-done={props.solved ? "" : undefined}>
        {props.right ? props.done.now : props.done.before}
      </span>
    </p>
  );
}

const possible = (field: Field, comma: string): string[] => {
  if (field.kind === "choice") return [field.none, ...field.options.map(({ words }) => words)];
  const known = field.kind === "number" ? field.points : field.patterns;
  const refused = field.kind === "number" ? [field.none, comma] : [field.none];
  return [...refused, field.others, ...known.map(({ words }) => words)];
};

/** Said to a number of which the comma may be one for thousands: `comma`. */
export function PaperView(props: Props<Paper> & { comma: string }) {
  const { slug, state, solved, done, report, comma } = props;
  const answers = useSignal<Answer[]>(state.fields.map(() => null));
  const said = useSignal<(Said | null)[]>([]);
  const isSolved = useSignal(solved);

  const give = (i: number, answer: Answer) => {
    answers.value = answers.value.map((one, k) => (k === i ? answer : one));
    said.value = said.value.map((one, k) => (k === i ? null : one));
  };
  const refusal = (i: number) => {
    const { kind, none } = state.fields[i]!;
    return kind === "number" && isUnclear(String(answers.value[i] ?? "")) ? comma : none;
  };
  const check = () => {
    const found = state.fields.map((field, i) => judge(field, answers.value[i]!));
    said.value = found.map((one, i) => one ?? { words: refusal(i), right: null });
    if (found.includes(null)) return;
    const right = found.every((one) => one!.right);
    isSolved.value ||= right;
    report(right);
  };
  return (
    <>
      {state.fields.map((field, i) => (
        <div key={i} class="exercise-field">
          <Control
            field={field}
            id={`${slug}-${i}`}
            answer={answers.value[i]!}
            give={(answer) => give(i, answer)}
          />
          <Verdict said={said.value[i] ?? null} possible={possible(field, comma)} />
        </div>
      ))}
      <Button
        check={state.check}
        solved={isSolved.value}
        right={state.fields.every((_, i) => said.value[i]?.right)}
        done={done}
        onClick={check}
      />
    </>
  );
}

export function PuzzleView({ slug, state, solved, done, report }: Props<Puzzle>) {
  const places = useSignal<(number | null)[]>(state.labels.map(() => null));
  const said = useSignal<Said | null>(null);
  const isSolved = useSignal(solved);

  const choose = (gap: number, place: number) => {
    places.value = places.value.map((one, i) => (i === gap ? place : one));
    said.value = null;
  };
  const check = () => {
    const found = filled(state, places.value);
    said.value = found ?? { words: state.none, right: null };
    if (!found) return;
    isSolved.value ||= found.right === true;
    report(found.right === true);
  };
  return (
    <>
      <p>{state.intro}</p>
      <Program parts={state.parts} labels={state.labels} places={places.value} />
      <div class="program-choices" translate={false}>
        {state.parts.filter(isGap).map((lines, gap) => (
          <Lines
            key={gap}
            lines={lines}
            label={state.labels[gap]!}
            id={`${slug}-${gap}`}
            chosen={places.value[gap]!}
            choose={(place) => choose(gap, place)}
          />
        ))}
      </div>
      <Button
        check={state.check}
        solved={isSolved.value}
        right={said.value?.right === true}
        done={done}
        onClick={check}
      />
      <Verdict said={said.value} possible={[state.none, ...state.said.map((one) => one.words)]} />
    </>
  );
}
