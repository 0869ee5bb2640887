// Runs a reader's function in MicroPython on copies of a case, and compares runs.
import { build, isFloating, read, View, type Dtype } from "../torch/views.ts";
import { compatible, install, type Interpreter as Installable } from "../torch/load.ts";
import type { Stored } from "./data.ts";
import RUNNER from "./runner.py";

/** What this file needs of MicroPython. */
export interface MicroPython extends Installable {
  runPython(source: string): unknown;
}

export interface PythonError {
  kind: string;
  message: string;
  /** Of the reader's source, where the error passed through its top level. */
  line?: number;
}

/** A tensor as the judge compares it; without entries if its dtype is not floating. */
export interface Seen {
  dtype: Dtype;
  shape: number[];
  entries: Float64Array | null;
  /** All entries, of any dtype. */
  numbers: Float64Array;
}

/** A record of a call on a case. */
export interface Run {
  error: PythonError | null;
  /** The type of what was returned. */
  kind: string;
  /** The output; null if it is no tensor. */
  output: Seen | null;
  /** The elements of a tuple or list, null where one is no tensor; null for any other result. */
  elements: (Seen | null)[] | null;
  /** Indices of the arguments that it changed. */
  changed: number[];
  /** What it put into torch in the place of something else. */
  settings: string[];
  /** What the module `torch` or MicroPython lacks, if the code asked for it. */
  lacking: string | null;
  /** Names of the functions that were called, if they were recorded. */
  calls: string[];
  /** Why the result cannot be judged, if the judge says so. */
  refusal?: string;
  /** The dtype of the output before the judge converted it. */
  original?: Dtype;
}

const MOST = 1e6; // entries that are compared
const KINDS: Record<string, string> = { closure: "function", bound_method: "method" };

function seen(view: View): Seen {
  const numbers = view.numel <= MOST ? read(view) : new Float64Array();
  const isRead = isFloating(view.dtype) && view.numel <= MOST;
  return { dtype: view.dtype, shape: [...view.shape], entries: isRead ? numbers : null, numbers };
}

/** Make a fresh tensor of the data. */
export function view([dtype, shape, entries, strides]: Stored): View {
  const made = build(dtype as Dtype, shape, entries);
  return strides ? made.as(shape, strides) : made;
}

export class Runner {
  private run: Run = emptyRun();
  private source = "";
  private name = "";
  private arguments: (View | string)[] = [];
  private before: View[] = [];
  private isRecording = false;

  constructor(
    private readonly mp: MicroPython,
    files: Record<string, string>,
  ) {
    install(mp, files);
    // A JavaScript exception would not unwind MicroPython; none of these functions throws.
    mp.registerJsModule("_judge", {
      source: () => this.source,
      name: () => this.name,
      arguments: () => this.arguments,
      is_recording: () => this.isRecording,
      called: (name: string) => void this.run.calls.push(name),
      element: (one: View | null) => void (this.run.elements ??= []).push(one && seen(one)),
      no_elements: () => void (this.run.elements = []),
      returned: (kind: string, one: View | null) => {
        this.run.kind = KINDS[kind] ?? kind;
        this.run.output = one && seen(one);
      },
      failed: (kind: string, message: string, trace: string) => {
        const line = /File "<string>", line (\d+)/.exec(trace);
        this.run.error = { kind, message, line: line ? Number(line[1]) : undefined };
      },
      patched: (name: string) => void this.run.settings.push(name),
      lacking: (what: string) => void (this.run.lacking = what),
      after: (i: number, one: View | null) => {
        if (!one || !isUnchanged(one, this.before[i]!)) this.run.changed.push(i);
      },
    });
    mp.runPython(RUNNER);
  }

  /** Run a source, which defines functions, from the beginning. */
  define(source: string): Run {
    this.source = compatible(source);
    return this.ask("define()");
  }

  /** Whether the source defines a name; the kind is its type, or "" if it can be called. */
  kindOf(name: string): string | null {
    this.name = name;
    const { kind } = this.ask("look_up()");
    return kind === "missing" ? null : kind;
  }

  /** Call the function on copies of arguments. */
  call(made: (View | string)[], seed = 0, isRecording = false): Run {
    [this.arguments, this.isRecording] = [made, isRecording];
    this.before = made.map((one) => (one instanceof View ? copy(one) : one)) as View[];
    return this.ask(`call(${seed})`);
  }

  private ask(command: string): Run {
    const run = (this.run = emptyRun());
    try {
      this.mp.runPython(command);
    } catch (error) {
      // The reader's code exhausted the stack of the interpreter, or its memory outside of it.
      if (error instanceof RangeError) run.lacking = "RECURSION";
      else if ((error as { type?: string }).type === "MemoryError") run.lacking = "MEMORY";
      else throw error;
    }
    return run;
  }
}

export const emptyRun = (): Run => ({
  error: null,
  kind: "NoneType",
  output: null,
  elements: null,
  changed: [],
  settings: [],
  lacking: null,
  calls: [],
});

const copy = (one: View) =>
  new View(one.data.slice(), one.dtype, [...one.shape], [...one.strides], one.offset);

function isUnchanged(one: View, before: View): boolean {
  if (one.dtype !== before.dtype || String(one.shape) !== String(before.shape)) return false;
  const [a, b] = [read(one), read(before)];
  return a.every((x, i) => x === b[i] || (x !== x && b[i] !== b[i]));
}

const TOLERANCE = 2e-5; // as in engine/running.py

/** Whether two numbers are equal up to rounding. */
export const isClose = (a: number, b: number, more = 0) =>
  a === b ||
  (a !== a && b !== b) ||
  (Number.isFinite(a) &&
    Number.isFinite(b) &&
    Math.abs(a - b) <= (TOLERANCE + more) * (1 + Math.abs(b)));

/** Whether two tensors are equal up to rounding. */
export function close(a: Seen | null, b: Seen | null): boolean {
  if (!a?.entries || !b?.entries || String(a.shape) !== String(b.shape)) return false;
  return a.entries.every((x, i) => isClose(x, b.entries![i]!));
}

export const tensor = (stored: Stored) => seen(view(stored));
