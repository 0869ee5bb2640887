// Creates a figure: its state as signals, the stages computed from it, and the functions that change
// the state.
import {
  batch,
  computed,
  signal,
  untracked,
  type ReadonlySignal,
  type Signal,
} from "@preact/signals";
import { createQuestionState, type QuestionState } from "./question_state.ts";
import type { Refusal } from "./checks.ts";
import { reactiveState, type Kind } from "./kind.ts";
import type { Model } from "./model.ts";
import type { Question } from "./question.ts";
import type { Translate } from "./strings.ts";

type Values = Record<string, unknown>;

/** S: traits and view state. T: stages. */
export interface Figure<S = any, T = any> {
  readonly name: string;
  readonly kind: Kind;
  readonly t: Translate;
  /** State and stages as signals: reading a property subscribes to it. */
  readonly at: Readonly<S & T>;
  /** Changes the state for the reader. If a value is refused, returns false and changes nothing. */
  set(changes: Partial<S>): boolean;
  /** Changes the state from a link or session storage, without skipping the question. */
  restore(changes: Values): boolean;
  /** Returns all that a reader can change. */
  read(): Values;
  readonly initialState: Values;
  /** Returns to the initial state, with the question unanswered. */
  reset(): void;
  readonly questionState: QuestionState;
  /** Of the question about what the reader saw. */
  readonly observationState: QuestionState;
  /** Commits what the reader saw; moves the figure to the observation's state if it was wrong. */
  commitObservation(): void;
  /** Commits the guess and moves the figure to the question's state. */
  commit(): void;
  /** Skips the question and moves the figure to its state. */
  skip(): void;
  /** Whether the reader skipped by asking for the answer. */
  readonly answerRequested: Signal<boolean>;
  /** Reveals the answer of an unanswered question; returns a function that undoes this. */
  revealForPrint(): () => void;
  /** Moves the figure back to the question's state. */
  returnToQuestion(): void;
  /** Whether the state shown differs from the question's, and thus from the verdict's. */
  readonly movedAway: ReadonlySignal<boolean>;
  /** Hidden by the reader or a lecturer. */
  readonly hidden: Signal<boolean>;
  /** Whether everything is visible: neither hidden nor waiting for a guess. */
  readonly revealed: ReadonlySignal<boolean>;
  /** Whether its handle has ever been moved. */
  readonly touched: Signal<boolean>;
  readonly refused: Signal<Refusal | null>;
  /** Changes with the page's colours; 0 until the style sheet is applied. */
  readonly theme: Signal<number>;
  stop(): void;
}

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Returns the state that a question is about. */
function stateOfQuestion(kind: Kind, initial: Values, { at }: Question): Values {
  const asked: Values = { ...initial, ...at };
  return kind.settle ? kind.settle(asked, initial) : asked;
}

export function createFigure(
  kind: Kind,
  model: Model,
  t: Translate,
  question: Question | null = null,
  observation: Question | null = null,
): Figure {
  const traits = Object.keys(kind.state);
  const viewFields = Object.keys(kind.viewState ?? {});
  const changeable = [...traits, ...viewFields];
  const signals: Record<string, Signal<unknown>> = {};
  for (const name of [...traits, ...kind.fixed])
    signals[name] = signal(model.get(name) ?? kind.defaults?.[name]);
  for (const name of viewFields) signals[name] = signal(kind.viewState![name]!.initial);
  const at = reactiveState(kind, (name) => signals[name], Object.keys(signals));

  const questionState = createQuestionState(question);
  const observationState = createQuestionState(observation);
  const hidden = signal(false);
  const touched = signal(false);
  const answerRequested = signal(false);
  const refused = signal<Refusal | null>(null);
  const revealed = computed(() => !hidden.value && !questionState.pending.value);

  const valuesOf = (names: string[]): Values =>
    untracked(() => Object.fromEntries(names.map((name) => [name, signals[name].value])));
  const read = () => valuesOf(changeable);
  const initialState = read();

  const refusalOf = (next: Values, before: Values): Refusal | null => {
    for (const name of changeable) {
      if (next[name] === before[name]) continue;
      const check = kind.state[name] ?? kind.viewState![name]!.check;
      const about = { initial: initialState[name], kept: before[name], state: next };
      const refusal = check(next[name], about);
      if (refusal) return refusal;
    }
    return null;
  };
  let writing = false;
  const write = (changes: Values) => {
    const own = Object.keys(changes).filter((name) => traits.includes(name));
    if (!own.length) return;
    writing = true;
    own.forEach((name) => model.set(name, changes[name]));
    writing = false;
    model.save_changes();
  };
  /** Validates and applies changes. `fromModel`: values that the model already has. */
  const apply = (
    changes: Values,
    { fromModel = {} as Values, showRefusal = true } = {},
  ): boolean => {
    const before = valuesOf(Object.keys(signals));
    const requested = { ...before, ...changes };
    const next: Values = kind.settle ? kind.settle(requested, before) : requested;
    const refusal = refusalOf(next, before);
    refused.value = showRefusal ? refusal : null;
    if (refusal) return false;
    const changed = changeable.filter((name) => next[name] !== before[name]);
    batch(() => changed.forEach((name) => (signals[name].value = next[name])));
    const toWrite = changed.filter(
      (name) => !(name in fromModel) || !same(fromModel[name], next[name]),
    );
    write(Object.fromEntries(toWrite.map((name) => [name, next[name]])));
    return true;
  };

  /** Applies a change from Python or from a linked widget; restores the model if it is refused. */
  const onModelChange = (name: string) => {
    if (writing) return;
    const value = model.get(name);
    const present = untracked(() => signals[name].value);
    if (same(value, present)) return;
    if (!apply({ [name]: value }, { fromModel: { [name]: value } })) write({ [name]: present });
  };
  const events = [
    ...traits.map((name) => [`change:${name}`, () => onModelChange(name)] as const),
    // A reader cannot change these traits, but Python can.
    ...kind.fixed.map(
      (name) => [`change:${name}`, () => void (signals[name].value = model.get(name))] as const,
    ),
  ];
  events.forEach(([event, listener]) => model.on(event, listener));

  const stateOf = (x: Question | null) =>
    x && stateOfQuestion(kind, valuesOf(Object.keys(signals)), x);
  const asked = stateOf(question);
  const observed = stateOf(observation);
  const goTo = (state: Values | null) => {
    if (state) apply(Object.fromEntries(changeable.map((name) => [name, state[name]])));
  };
  const goToQuestion = () => goTo(asked);
  const movedAway = computed(
    () => asked !== null && changeable.some((name) => !same(signals[name].value, asked[name])),
  );
  return {
    name: String(model.get("name")),
    kind,
    t,
    at,
    set: (changes) =>
      batch(() => {
        touched.value = true;
        questionState.skip(); // moving a control skips the question
        return apply(changes);
      }),
    restore: (changes) => batch(() => apply(changes, { showRefusal: false })),
    read,
    initialState,
    reset: () =>
      batch(() => {
        apply(initialState);
        questionState.reset();
        observationState.reset();
        touched.value = false;
        answerRequested.value = false;
      }),
    questionState,
    observationState,
    commitObservation: () =>
      batch(() => {
        if (observationState.commit() && !observationState.verdict.value?.right) goTo(observed);
      }),
    commit: () =>
      batch(() => {
        if (!questionState.commit()) return;
        hidden.value = false;
        goToQuestion();
      }),
    skip: () =>
      batch(() => {
        if (!questionState.pending.value) return;
        questionState.skip();
        answerRequested.value = true;
        hidden.value = false;
        goToQuestion();
      }),
    revealForPrint: () => {
      const before = {
        state: read(),
        isHidden: hidden.peek(),
        status: questionState.status.peek(),
      };
      batch(() => {
        hidden.value = false;
        if (before.status !== "unanswered") return;
        questionState.skip();
        goToQuestion();
      });
      return () =>
        batch(() => {
          apply(before.state);
          questionState.status.value = before.status;
          hidden.value = before.isHidden;
        });
    },
    answerRequested,
    returnToQuestion: () => batch(goToQuestion),
    movedAway,
    hidden,
    revealed,
    touched,
    refused,
    theme: signal(0),
    stop: () => events.forEach(([event, listener]) => model.off(event, listener)),
  };
}
