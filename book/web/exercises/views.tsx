// Renders exercises and puzzles: controls, a Check button and the feedback.
import { useSignal } from "@preact/signals";
import { judgePuzzle, isUnclear, judge, type Answer } from "./judging.ts";
import { Control, Lines, Program } from "./controls.tsx";
import { isGap, type Field, type Exercise, type Puzzle, type Feedback } from "./state.ts";
import { Verdict } from "./verdict.tsx";

interface Props<S> {
  slug: string;
  state: S;
  /** Whether it was solved before, and the labels for solved now and solved before. */
  solved: boolean;
  done: Done;
  /** Called after each check. */
  report: (right: boolean) => void;
}

interface Done {
  now: string;
  before: string;
}

function CheckButton(props: {
  check: string;
  solved: boolean;
  /** Whether the current answers are right. */
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

const possibleFeedback = (field: Field, comma: string): string[] => {
  if (field.kind === "choice") return [field.none, ...field.options.map(({ words }) => words)];
  const known = field.kind === "number" ? field.points : field.patterns;
  const refused = field.kind === "number" ? [field.none, comma] : [field.none];
  return [...refused, field.others, ...known.map(({ words }) => words)];
};

/** `comma`: the feedback on a number with an ambiguous comma. */
export function ExerciseView(props: Props<Exercise> & { comma: string }) {
  const { slug, state, solved, done, report, comma } = props;
  const answers = useSignal<Answer[]>(state.fields.map(() => null));
  const said = useSignal<(Feedback | null)[]>([]);
  const isSolved = useSignal(solved);

  const onAnswer = (i: number, answer: Answer) => {
    answers.value = answers.value.map((one, k) => (k === i ? answer : one));
    said.value = said.value.map((one, k) => (k === i ? null : one));
  };
  const refusalFor = (i: number) => {
    const { kind, none } = state.fields[i]!;
    return kind === "number" && isUnclear(String(answers.value[i] ?? "")) ? comma : none;
  };
  const check = () => {
    const found = state.fields.map((field, i) => judge(field, answers.value[i]!));
    said.value = found.map((one, i) => one ?? { words: refusalFor(i), right: null });
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
            onAnswer={(answer) => onAnswer(i, answer)}
          />
          <Verdict said={said.value[i] ?? null} possible={possibleFeedback(field, comma)} />
        </div>
      ))}
      <CheckButton
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
  const said = useSignal<Feedback | null>(null);
  const isSolved = useSignal(solved);

  const choose = (gap: number, place: number) => {
    places.value = places.value.map((one, i) => (i === gap ? place : one));
    said.value = null;
  };
  const check = () => {
    const found = judgePuzzle(state, places.value);
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
      <CheckButton
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
