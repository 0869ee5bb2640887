// Declares a kind of figure: its state, stages, view, caption and code.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Check } from "./checks.ts";
import type { Figure } from "./figure.ts";
import { shareUnchanged } from "./structural_sharing.ts";
import type { Translate } from "./strings.ts";

/** A number in a line of code that can be dragged. */
export interface CodeNumber<S> {
  name: string; // of the control, as data-control
  value: number;
  low: number;
  high: number;
  step?: number; // 1 by default
  /** The values to choose from, in the order of dragging, if they are not evenly spaced. */
  numbers?: readonly number[];
  change: (value: number) => Partial<S>;
}

/** A line of PyTorch with what it prints. */
export interface CodeLine<S> {
  parts: (string | CodeNumber<S>)[];
  output: string;
}

/** A part of the state that only the view and links know, such as the selected row; no trait. */
export interface ViewField {
  initial: unknown;
  check: Check;
}

/**
 * Everything a kind has to declare. The core derives state updates, links, session memory, the
 * question, captions, the code line, screen-reader announcements, exports and hiding from it.
 *
 * S: the traits by their names in Python, and the view state. T: the stages by their names in
 * Python's `Figure.stages()`.
 */
export interface Declaration<S, T> {
  /** The name of its file, and `kind` in Python. */
  name: string;
  /** The traits that a reader can change, each with its check. */
  state: { readonly [K in keyof S]?: Check<S> };
  /** The other traits. */
  fixed: readonly (keyof S & string)[];
  /** Traits with text in the page's language. Links leave them out, so they survive a translation. */
  localised?: readonly (keyof S & string)[];
  /** Values of traits that a page does not store, such as a model that is loaded at first use. */
  defaults?: Partial<S>;
  viewState?: { readonly [K in keyof S]?: ViewField };
  /**
   * Adjusts dependent traits after a change and before validation, e.g. selecting a preset replaces
   * the keys.
   */
  settle?(next: S, before: S): S;
  /** Computes each stage from the state and earlier stages; lazy and memoised. */
  stages: { readonly [K in keyof T]: (at: Readonly<S & T>) => T[K] };
  /** The picture and its controls. */
  View(props: { figure: Figure<S, T> }): ComponentChildren;
  /** The caption: what is visible now, in a sentence with *names* and **numbers** marked. */
  sentence?(at: Readonly<S & T>, t: Translate): string;
  code?(at: Readonly<S & T>): CodeLine<S>;
  /** A complete Python program that computes what is shown. */
  program(at: Readonly<S & T>, t: Translate): string;
  /** The screen-reader announcement, if it differs from the sentence. */
  announcement?(at: Readonly<S & T>, t: Translate): string;
  /** Values to export besides state and stages, by name. */
  numbers?(at: Readonly<S & T>): Record<string, unknown>;
  /** Columns of one heatmap, and the number of columns that should fit side by side. */
  columns?(at: Readonly<S & T>): { keys: number; columns: number };
}

export interface Kind extends Declaration<any, any> {
  /** Computes all stages of a state without a figure, for tests against torch. */
  compute(state: Record<string, unknown>): Record<string, unknown>;
}

/** Whether what a figure hides are attention weights. */
export const showsWeights = (kind: Kind) => "attention_weights" in kind.stages;

/** What a figure says in place of what is hidden. */
export const hiddenNote = (kind: Kind, t: Translate) =>
  t(showsWeights(kind) ? "weightsHidden" : "resultsHidden");

/** Adds `compute` to a declaration. */
export function declare<S extends object, T extends object>(own: Declaration<S, T>): Kind {
  const kind = own as unknown as Declaration<any, any>;
  const compute = (state: Record<string, unknown>) => {
    const viewState = Object.entries(kind.viewState ?? {}).map(([name, field]) => [
      name,
      field?.initial,
    ]);
    const all = { ...kind.defaults, ...Object.fromEntries(viewState), ...state };
    const at = reactiveState(kind, (name) => signal(all[name]), Object.keys(all));
    return Object.fromEntries(Object.keys(kind.stages).map((name) => [name, at[name]]));
  };
  return { ...kind, compute };
}

/** Returns an object of state and stages; reading a property subscribes to its signal. */
export function reactiveState(
  kind: Declaration<any, any>,
  signalOf: (name: string) => ReadonlySignal<unknown>,
  names: string[],
): Record<string, unknown> {
  const at: Record<string, unknown> = {};
  const define = (name: string, value: ReadonlySignal<unknown>) =>
    Object.defineProperty(at, name, { get: () => value.value, enumerable: true });
  names.forEach((name) => define(name, signalOf(name)));
  // If a stage has the same name as a trait, the trait wins.
  for (const [name, stage] of Object.entries(kind.stages)) {
    if (names.includes(name)) continue;
    let last: unknown;
    define(
      name,
      computed(() => (last = shareUnchanged(stage(at), last))),
    );
  }
  return at;
}
