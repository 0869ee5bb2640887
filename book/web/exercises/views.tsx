// Renders exercises and puzzles: controls, a Check button and the feedback.
import { useSignal, type Signal } from "@preact/signals";
import { judgePuzzle, isUnclear, judge, type Answer } from "./judging.ts";
import type { Language } from "../strings/progress.ts";
import { t } from "../strings/ways.ts";
import { CodePlace } from "./code_place.tsx";
import { Control, Lines, Program } from "./controls.tsx";
import { isGone, lineToRemove, PATIENCE, type Place } from "./fewer_lines.ts";
import { isGap, type Field, type Exercise, type Puzzle, type Feedback } from "./state.ts";
import { Verdict } from "./verdict.tsx";
import { raiseStart, start, storedWay, storeWay } from "./ways.ts";
import { WAYS, type Way } from "../progress/record.ts";

interface Props<S> {
  slug: string;
  lang: Language;
  state: S;
  /** Whether it was solved before, and the labels for solved now and solved before. */
  solved: boolean;
  done: Done;
  /** Called after each check. */
  report: (right: boolean, way?: Way) => void;
}

export interface Done {
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
      <button data-check onClick={props.onClick}>
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
    // A form, so that Enter in a field clicks its button.
    <form onSubmit={(event) => event.preventDefault()}>
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
    </form>
  );
}

/** Radio buttons for the three ways. The last one opens the editor (`data-editor`). */
function Ways(props: { slug: string; lang: Language; way: Way; choose: (way: Way) => void }) {
  return (
    <fieldset class="ways">
      <legend>{t("ways", props.lang)}</legend>
      {WAYS.map((way) => (
        <label key={way} data-editor={way === "own" && props.way === "lines" ? "" : undefined}>
          <input
            type="radio"
            name={`${props.slug}-way`}
            data-way={way}
            checked={props.way === way}
            onChange={() => props.choose(way)}
          />
          <span>{t(way, props.lang)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** What a reader has done with the lines, which is kept while another way is shown. */
interface LinesState {
  places: Signal<(number | null)[]>;
  said: Signal<Feedback | null>;
  failed: Signal<number>;
  gone: Signal<Place[]>;
  told: Signal<string>;
}

/** `onBegin` is called when a line is chosen, `onCheck` with whether the chosen lines are right. */
function LinesView(props: {
  slug: string;
  state: Puzzle;
  lang: Language;
  kept: LinesState;
  isSolved: boolean;
  done: Done;
  onBegin: () => void;
  onCheck: (right: boolean) => void;
}) {
  const { slug, state, lang } = props;
  const { places, said, failed, gone, told } = props.kept;

  const choose = (gap: number, place: number) => {
    props.onBegin();
    places.value = places.value.map((one, i) => (i === gap ? place : one));
    said.value = null;
  };
  const removeLine = () => {
    const line = lineToRemove(state, places.value, gone.value);
    if (!line) return;
    gone.value = [...gone.value, line];
    told.value = t("gone", lang)
      .replace("{count}", String(failed.value))
      .replace("{label}", state.labels[line.gap]!);
    if (places.value[line.gap] === line.line)
      places.value = places.value.map((one, i) => (i === line.gap ? null : one));
  };
  const check = () => {
    const found = judgePuzzle(state, places.value);
    said.value = found ?? { words: state.none, right: null };
    if (!found) return;
    told.value = "";
    if (!found.right && ++failed.value % PATIENCE === 0) removeLine();
    props.onCheck(found.right === true);
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
            isGone={(line) => isGone(gone.value, gap, line)}
            choose={(place) => choose(gap, place)}
          />
        ))}
      </div>
      <CheckButton
        check={state.check}
        solved={props.isSolved}
        right={said.value?.right === true}
        done={props.done}
        onClick={check}
      />
      <Verdict said={said.value} possible={[state.none, ...state.said.map((one) => one.words)]} />
      <p class="line-gone" role="status">
        {told.value}
      </p>
    </>
  );
}

export function PuzzleView({ slug, lang, state, solved, done, report }: Props<Puzzle>) {
  const isSolved = useSignal(solved);
  const kept: LinesState = {
    places: useSignal<(number | null)[]>(state.labels.map(() => null)),
    said: useSignal<Feedback | null>(null),
    failed: useSignal(0),
    gone: useSignal<Place[]>([]),
    told: useSignal(""),
  };
  const chosen = useSignal<Way | null>(storedWay(slug));
  const opens = useSignal(false);
  const way = state.code ? (chosen.value ?? start.value) : "lines";

  const keep = (next: Way) => {
    if (chosen.value === next) return;
    chosen.value = next;
    storeWay(slug, next);
  };
  const onCheck = (right: boolean, counts = true) => {
    keep(way);
    if (right) raiseStart(way);
    if (right && counts) isSolved.value = true;
    if (counts) report(right, way);
  };
  const lines = (
    <LinesView
      slug={slug}
      state={state}
      lang={lang}
      kept={kept}
      isSolved={isSolved.value}
      done={done}
      onBegin={() => keep("lines")}
      onCheck={onCheck}
    />
  );
  if (!state.code) return lines;
  return (
    <>
      <Ways
        slug={slug}
        lang={lang}
        way={way}
        choose={(next) => {
          opens.value = true;
          keep(next);
        }}
      />
      {way === "lines" ? (
        lines
      ) : (
        <CodePlace
          key={way}
          lang={lang}
          task={{
            ...{ slug, way, lang, done, name: state.code.name, check: state.check },
            start: way === "own" ? state.code.stub : state.code.blanks,
            opens: opens.value,
            isSolved: isSolved.value,
            isRaised: !chosen.value,
            onBegin: () => keep(way),
            onCheck,
          }}
        />
      )}
    </>
  );
}
