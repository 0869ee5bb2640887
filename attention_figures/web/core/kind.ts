// Declares a kind of figure. From a declaration the core derives state updates, links, session
// memory, the question, the sentence, the line of code, announcements, exports and hiding.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Check } from "./checks.ts";
import type { Figure } from "./figure.ts";
import { shared } from "./sharing.ts";
import type { Words } from "./words.ts";

/** A number in a line of code that can be dragged. */
export interface CodeNumber<S> {
  name: string; // of the control, as data-control
  value: number;
  low: number;
  high: number;
  step?: number; // 1 unless said
  /** Those to choose from, in the order of dragging, if they are not evenly spaced. */
  numbers?: readonly number[];
  change: (value: number) => Partial<S>;
}

/** A line of PyTorch with what it prints. */
export interface CodeLine<S> {
  parts: (string | CodeNumber<S>)[];
  output: string;
}

/** What is chosen in a view and is no trait: Python does not know it, links do. */
export interface Choice {
  start: unknown;
  check: Check;
}

/**
 * S: the traits by their names in Python, and the choices. T: the stages, by the names that
 * `Figure.stages()` has in Python.
 */
export interface Declaration<S, T> {
  /** Its file's name, and `kind` in Python. */
  name: string;
  /** The traits that a reader can change, and what each may hold. */
  state: { readonly [K in keyof S]?: Check<S> };
  /** The other traits. */
  fixed: readonly (keyof S & string)[];
  /** Traits that are words of a language: links do not depend on them. */
  spoken?: readonly (keyof S & string)[];
  /** The values of traits that a page does not store, such as a model that is loaded at first use. */
  unset?: Partial<S>;
  choices?: { readonly [K in keyof S]?: Choice };
  /** What else a change changes: keys follow the name of a preset. Before values are checked. */
  settle?(next: S, before: S): S;
  /** Each from the state and from stages before it; computed when asked for, and only if it must. */
  stages: { readonly [K in keyof T]: (at: Readonly<S & T>) => T[K] };
  /** The picture and its controls. */
  View(props: { figure: Figure<S, T> }): ComponentChildren;
  /** What is seen now, in a sentence; *words* stand out, **numbers** more so. */
  sentence?(at: Readonly<S & T>, words: Words): string;
  code?(at: Readonly<S & T>): CodeLine<S>;
  /** Python that computes what is shown, and can be run as it is. */
  program(at: Readonly<S & T>, words: Words): string;
  /** What is told to listeners where there is no sentence, or more than it says. */
  announcement?(at: Readonly<S & T>, words: Words): string;
  /** What is shared as numbers besides state and stages, by names. */
  numbers?(at: Readonly<S & T>): Record<string, unknown>;
  /** Columns of one heatmap, and of numbers that should fit side by side. */
  columns?(at: Readonly<S & T>): { keys: number; columns: number };
}

export interface Kind extends Declaration<any, any> {
  /** All stages of a state that stands alone, for tests against torch. */
  compute(state: Record<string, unknown>): Record<string, unknown>;
}

/** A kind of figure. */
export function declare<S extends object, T extends object>(own: Declaration<S, T>): Kind {
  const kind = own as unknown as Declaration<any, any>;
  const compute = (state: Record<string, unknown>) => {
    const choices = Object.entries(kind.choices ?? {}).map(([name, it]) => [name, it?.start]);
    const all = { ...kind.unset, ...Object.fromEntries(choices), ...state };
    const at = following(kind, (name) => signal(all[name]), Object.keys(all));
    return Object.fromEntries(Object.keys(kind.stages).map((name) => [name, at[name]]));
  };
  return { ...kind, compute };
}

/** State and stages by their names; reading one of them is following it. */
export function following(
  kind: Declaration<any, any>,
  signalOf: (name: string) => ReadonlySignal<unknown>,
  names: string[],
): Record<string, unknown> {
  const at: Record<string, unknown> = {};
  const define = (name: string, now: ReadonlySignal<unknown>) =>
    Object.defineProperty(at, name, { get: () => now.value, enumerable: true });
  names.forEach((name) => define(name, signalOf(name)));
  // A stage may bear the name of a trait that it is but a copy of: the trait stays.
  for (const [name, stage] of Object.entries(kind.stages)) {
    if (names.includes(name)) continue;
    let last: unknown;
    define(
      name,
      computed(() => (last = shared(stage(at), last))),
    );
  }
  return at;
}
