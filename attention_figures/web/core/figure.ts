// One figure that is shown: its state as signals, the stages that follow, and the one way to change it.
import { batch, computed, signal, untracked, type Signal } from "@preact/signals";
import { askingOf } from "./asking.ts";
import type { Refusal } from "./checks.ts";
import { following, type Kind } from "./kind.ts";
import type { Model } from "./model.ts";
import type { Question } from "./question.ts";
import type { Words } from "./words.ts";

type Values = Record<string, unknown>;

/** S: traits and choices. T: stages. */
export interface Figure<S = any, T = any> {
  readonly name: string;
  readonly kind: Kind;
  readonly words: Words;
  /** State and stages; whoever reads one of them is told when it changes. */
  readonly at: Readonly<S & T>;
  /** What a reader changes, all at once. A refused value changes nothing, and false is returned. */
  set(changes: Partial<S>): boolean;
  /** The same for what comes from a link or from memory: it does not ask to see. */
  show(changes: Values): boolean;
  /** All that a reader can change. */
  read(): Values;
  readonly start: Values;
  /** Back to the start, with the question unanswered. */
  reset(): void;
  readonly asking: ReturnType<typeof askingOf>;
  /** Committing a guess moves the figure to the state that the question names. */
  commit(): void;
  /** So does the wish to see. */
  skip(): void;
  /** Whether that was wished. */
  readonly shown: Signal<boolean>;
  /** Shows what a question that waits asks about; returns what takes that back. */
  answerOnPaper(): () => void;
  /** Back to that state, from wherever the reader has gone since. */
  returnToQuestion(): void;
  /** Whether the question was about another state than is shown: its verdict is, too. */
  readonly elsewhere: { readonly value: boolean };
  /** Covered by the reader or a lecturer. */
  readonly hidden: Signal<boolean>;
  /** Whether what gives an answer away may be seen. */
  readonly open: { readonly value: boolean };
  /** Whether its handle has ever been moved. */
  readonly touched: Signal<boolean>;
  readonly refused: Signal<Refusal | null>;
  /** Changes with the colours of the page; 0 until there are any. */
  readonly theme: Signal<number>;
  stop(): void;
}

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The state that a question is about. */
function askedState(kind: Kind, start: Values, { at }: Question): Values {
  const asked: Values = { ...start, ...at };
  return kind.settle ? kind.settle(asked, start) : asked;
}

export function figureOf(
  kind: Kind,
  model: Model,
  words: Words,
  question: Question | null = null,
): Figure {
  const traits = Object.keys(kind.state);
  const choices = Object.keys(kind.choices ?? {});
  const changing = [...traits, ...choices];
  const signals: Record<string, Signal<unknown>> = {};
  for (const name of [...traits, ...kind.fixed])
    signals[name] = signal(model.get(name) ?? kind.unset?.[name]);
  for (const name of choices) signals[name] = signal(kind.choices![name]!.start);
  const at = following(kind, (name) => signals[name], Object.keys(signals));

  const asking = askingOf(question);
  const hidden = signal(false);
  const touched = signal(false);
  const shown = signal(false);
  const refused = signal<Refusal | null>(null);
  const open = computed(() => !hidden.value && !asking.waits.value);

  const valuesOf = (names: string[]): Values =>
    untracked(() => Object.fromEntries(names.map((name) => [name, signals[name].value])));
  const read = () => valuesOf(changing);
  const start = read();

  const refusalOf = (next: Values, before: Values): Refusal | null => {
    for (const name of changing) {
      if (next[name] === before[name]) continue;
      const check = kind.state[name] ?? kind.choices![name]!.check;
      const about = { start: start[name], kept: before[name], state: next };
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
  /** Take up values that fit each other; `known`: what the model has already. */
  const take = (changes: Values, { known = {} as Values, says = true } = {}): boolean => {
    const before = valuesOf(Object.keys(signals));
    const wanted = { ...before, ...changes };
    const next: Values = kind.settle ? kind.settle(wanted, before) : wanted;
    const refusal = refusalOf(next, before);
    refused.value = says ? refusal : null;
    if (refusal) return false;
    const changed = changing.filter((name) => next[name] !== before[name]);
    batch(() => changed.forEach((name) => (signals[name].value = next[name])));
    const news = changed.filter((name) => !(name in known) || !same(known[name], next[name]));
    write(Object.fromEntries(news.map((name) => [name, next[name]])));
    return true;
  };

  /** From Python, or from another widget that is linked. */
  const follow = (name: string) => {
    if (writing) return;
    const value = model.get(name);
    const kept = untracked(() => signals[name].value);
    if (same(value, kept)) return;
    if (!take({ [name]: value }, { known: { [name]: value } })) write({ [name]: kept });
  };
  const events = [
    ...traits.map((name) => [`change:${name}`, () => follow(name)] as const),
    // What no reader can change, Python may.
    ...kind.fixed.map(
      (name) => [`change:${name}`, () => void (signals[name].value = model.get(name))] as const,
    ),
  ];
  events.forEach(([event, listener]) => model.on(event, listener));

  const asked = question && askedState(kind, valuesOf(Object.keys(signals)), question);
  const toQuestion = () => {
    if (asked) take(Object.fromEntries(changing.map((name) => [name, asked[name]])));
  };
  const elsewhere = computed(
    () => asked !== null && changing.some((name) => !same(signals[name].value, asked[name])),
  );
  return {
    name: String(model.get("name")),
    kind,
    words,
    at,
    set: (changes) =>
      batch(() => {
        touched.value = true;
        asking.skip(); // to touch a handle is to ask to see
        return take(changes);
      }),
    show: (changes) => batch(() => take(changes, { says: false })),
    read,
    start,
    reset: () =>
      batch(() => {
        take(start);
        asking.reset();
        touched.value = false;
        shown.value = false;
      }),
    asking,
    commit: () =>
      batch(() => {
        if (!asking.commit()) return;
        hidden.value = false;
        toQuestion();
      }),
    skip: () =>
      batch(() => {
        if (!asking.waits.value) return;
        asking.skip();
        shown.value = true;
        hidden.value = false;
        toQuestion();
      }),
    answerOnPaper: () => {
      const before = { state: read(), isHidden: hidden.peek(), status: asking.status.peek() };
      batch(() => {
        hidden.value = false;
        if (before.status !== "unanswered") return;
        asking.skip();
        toQuestion();
      });
      return () =>
        batch(() => {
          take(before.state);
          asking.status.value = before.status;
          hidden.value = before.isHidden;
        });
    },
    shown,
    returnToQuestion: () => batch(toQuestion),
    elsewhere,
    hidden,
    open,
    touched,
    refused,
    theme: signal(0),
    stop: () => events.forEach(([event, listener]) => model.off(event, listener)),
  };
}
