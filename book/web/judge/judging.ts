// Judges answers and names the mistakes that explain them, as engine/judging.py does.
import { RIGHT, type Exercise, type Lang, type Stage, type Text, type Trial } from "./data.ts";
import { difference, isNothing, partsOf, type Context } from "./differences.ts";
import { inWords, translated } from "./errors.ts";
import { matches } from "./fingerprints.ts";
import { close, tensor, view, type Run, type Runner, type Seen } from "./running.ts";
import { definition, isPython, openBracket } from "./source.ts";
import { html, Words } from "./words.ts";

export interface Judged {
  paragraphs: string[];
  passed: boolean;
  unchecked: string[];
}

/** Return a verdict on a source; `late` gets the verdict if the code does not end from here on. */
export function judge(
  exercise: Exercise,
  runner: Runner,
  source: string,
  name: string,
  lang: Lang,
  late: (verdict: Judged) => void,
): Judged {
  return new Judge(exercise, runner, source, name, lang, late).verdict();
}

/** Thrown where nothing can be judged. */
class Lacking {
  constructor(readonly what: Text) {}
}

class Judge {
  private readonly words: Words;
  private readonly context: Context;

  constructor(
    private readonly exercise: Exercise,
    private readonly runner: Runner,
    private readonly source: string,
    private readonly name: string,
    lang: Lang,
    private readonly late: (verdict: Judged) => void,
  ) {
    this.words = new Words(exercise.texts, lang);
    this.context = { exercise, definition: definition(source, name), words: this.words };
  }

  verdict(): Judged {
    try {
      return this.judged();
    } catch (error) {
      if (!(error instanceof Lacking)) throw error;
      const { words } = this;
      const [en, zh] = error.what;
      const what: Text = [en, zh.endsWith("`") ? `${zh} ` : zh];
      const paragraphs = [words.filled("UNAVAILABLE", { what })];
      return { paragraphs, passed: false, unchecked: [words.filled("YOUR_CODE")] };
    }
  }

  private judged(): Judged {
    const { words, runner } = this;
    this.late(this.refusal([words.filled("ENDLESS", { seconds: this.exercise.seconds })], []));
    const run = this.checked(runner.define(this.source));
    if (run.error) return this.refusal([this.notDefined(run)], []);
    const kind = runner.kindOf(this.name);
    if (kind === null) return this.refusal([words.filled("UNDEFINED", { name: this.name })], []);
    if (kind) return this.refusal([words.filled("NOT_CALLABLE", { type: kind })], []);
    const found = this.judgedStages();
    if (!found.passed) return found;
    const way = this.forbidden() ?? this.notIntegers();
    return way === null ? found : this.refusal([way]);
  }

  /** Say why there is no function. */
  private notDefined({ error }: Run): string {
    const { kind, line = 1 } = error!;
    if (kind !== "SyntaxError" && kind !== "IndentationError")
      return this.words.filled("LOADING", { line, error: inWords(translated(error!)) });
    if (isPython(this.source)) {
      const here = ["en", "zh"].map((_, i) =>
        this.exercise.texts.SYNTAX_HERE![i]!.replace("{line}", String(line)),
      );
      throw new Lacking(here as Text);
    }
    // Here MicroPython names the line before the one that it cannot read.
    const own = error!.message.startsWith("unindent") ? line + 1 : line;
    return this.words.filled("SYNTAX", { line: openBracket(this.source) ?? own });
  }

  /** Judge stage by stage, and stop at the first stage that fails. */
  private judgedStages(): Judged {
    const [first, ...others] = this.exercise.stages;
    const verdict = this.examined(first!, true);
    for (const stage of others) {
      if (!verdict.passed) break;
      const further = this.examined(stage, false);
      if (!further.passed) return further;
    }
    return verdict;
  }

  private examined(stage: Stage, isFirst: boolean): Judged {
    const examination = new Examination(stage, this.context, (trial, seed) =>
      this.run(trial, seed),
    );
    const found = examination.faults();
    if (found.length) return this.refusal(found);
    const remarks = isFirst ? this.remarks() : [];
    const unchecked = this.exercise.unchecked.map(([text]) => this.words.in(text));
    const first = this.words.filled(unchecked.length ? "PASSED_PARTS" : "PASSED");
    return { paragraphs: [first, ...remarks], passed: true, unchecked };
  }

  /** Make a verdict that the answer is not right yet; only what shows in wrong answers is unchecked. */
  private refusal([first, ...rest]: string[], unchecked?: string[]): Judged {
    const always = this.exercise.unchecked.filter(([, later]) => !later);
    return {
      paragraphs: [this.words.filled("FAILED") + first, ...rest],
      passed: false,
      unchecked: unchecked ?? always.map(([text]) => this.words.in(text)),
    };
  }

  private run(trial: Trial, seed = 0, isRecording = false): Run {
    const { exercise, words } = this;
    const parts = { case: trial.case, seconds: exercise.seconds };
    this.late(this.refusal([words.filled("OUT_OF_TIME", parts)]));
    const made = trial.arguments.map((one) =>
      typeof one === "number" ? view(exercise.tensors[one]!) : one,
    );
    return this.prepared(this.checked(this.runner.call(made, seed, isRecording)), trial);
  }

  private checked(run: Run): Run {
    const what = run.lacking;
    if (what !== null) throw new Lacking(this.exercise.texts[what] ?? this.named(what));
    return run.error ? { ...run, error: translated(run.error) } : run;
  }

  /** Return an English text, and the name in it for the other language. */
  private named(what: string): Text {
    const name = /`[^`]+`/.exec(what);
    return [what, name ? name[0] : what];
  }

  /** Do what `prepare` does: take the parts of a result, and make integers comparable. */
  private prepared(run: Run, trial: Trial): Run {
    const { exercise } = this;
    if (exercise.integers.length && run.output) {
      const [like] = trial.arguments;
      const dtype = exercise.tensors[like as number]![0] as Seen["dtype"];
      const output = { ...run.output, dtype, entries: run.output.numbers };
      return { ...run, output, original: run.output.dtype };
    }
    if (!exercise.parts.length || run.error || isNothing(run)) return run;
    if (run.elements?.length === 1 + exercise.parts.length) {
      const [output] = run.elements;
      return { ...run, output: output! };
    }
    return { ...run, refusal: this.words.fill(exercise.other as Text, { type: run.kind }) };
  }

  /** Report the first forbidden function that a right answer calls, if any. */
  private forbidden(): string | null {
    for (const [functions, words] of this.exercise.forbidden) {
      const { trials } = this.exercise.stages[0]!;
      const calls = trials.flatMap((trial) => this.run(trial, 0, true).calls);
      const names = new Set(calls.filter((name) => functions.includes(name)));
      if (names.size) return this.words.fill(words, { names: this.words.listed(names) });
    }
    return null;
  }

  /** Report right indices of a type that cannot index. */
  private notIntegers(): string | null {
    const { integers } = this.exercise;
    if (!integers.length) return null;
    const original = this.run(this.exercise.stages[0]!.trials[0]!).original;
    const isInteger = original === "int64" || original === "int32";
    return isInteger ? null : this.words.fill(integers, { got: `torch.${original}` });
  }

  /** Return remarks on a right function. */
  private remarks(): string[] {
    const { exercise, words } = this;
    const own = this.run(exercise.double).output;
    const found = own?.dtype === "float64" ? [] : [words.filled("DOUBLE")];
    for (const remark of exercise.remarks) {
      const does = this.run(remark);
      const right = remark.expected.map((i) => tensor(exercise.tensors[i]!));
      const same = matches(does, valuesOf(does), right, remark.runs);
      if (remark.variants.some((id) => same.has(id))) {
        found.push(words.in(remark.words));
      } else if (!same.has(RIGHT)) {
        const [told] = difference(this.context, remark, does, right);
        found.push(words.filled("BEYOND", { told: told! }));
      }
    }
    return found;
  }
}

const valuesOf = (run: Run) => [run.output, ...partsOf(run)];

/** Runs a reader's function on the cases of a stage, and explains the result. */
class Examination {
  private readonly runs: Run[] = [];
  private readonly expected: Seen[][];

  constructor(
    private readonly stage: Stage,
    private readonly context: Context,
    private readonly run: (trial: Trial, seed?: number) => Run,
  ) {
    const { tensors } = context.exercise;
    this.expected = stage.trials.map((trial) => trial.expected.map((i) => tensor(tensors[i]!)));
  }

  /** Return what is wrong; a right function runs once more before it passes. */
  faults(): string[] {
    for (const trial of this.stage.trials) {
      const one = this.run(trial);
      this.runs.push(one);
      if (one.refusal) return [one.refusal];
      if (cannotBeRight(one)) break;
    }
    const wrong = [...this.runs.keys()].filter((i) => !this.isRight(i, this.runs[i]!));
    let found = this.mistakes(wrong);
    if (!found.length) found = wrong.length ? this.failure(wrong[0]!) : this.checkedAgain();
    return [...found, ...this.sideEffects()];
  }

  private isRight(i: number, run: Run): boolean {
    if (run.error) return false;
    const values = valuesOf(run);
    return this.expected[i]!.every((one, k) => close(values[k] ?? null, one));
  }

  /** Return the explanations of the one or two mistakes that explain all runs, or nothing. */
  private mistakes(wrong: number[]): string[] {
    const { runs, stage } = this;
    if (!wrong.some((i) => runs[i]!.output) || cannotBeRight(runs.at(-1)!)) return [];
    const same = runs.map((_, i) => this.same(i));
    for (const number of [1, 2]) {
      const explained = new Map<string, number[]>();
      for (const [k, mistakes] of stage.mistakes.entries()) {
        if (mistakes.length !== number) continue;
        if (same.every((ids, i) => ids.has(stage.wrong[i]![k]!)))
          explained.set(String(mistakes), mistakes);
      }
      const several = [...explained.values()];
      if (several.length === 1) return several[0]!.map((i) => this.words(i));
      if (several.length > 2) return [];
      if (number === 2) continue;
      // Gradients, which are not compared here, often tell one mistake from another.
      const { exercise, words } = this.context;
      const isOpen = exercise.unchecked.some(([, later]) => !later) && several.length;
      if (isOpen) return [words.filled("EITHER"), ...several.map(([i]) => this.words(i!))];
    }
    return [];
  }

  private words(mistake: number): string {
    const { exercise, words } = this.context;
    const [, en, zh] = exercise.mistakes[mistake]!;
    return words.in([en, zh]);
  }

  private same(i: number): Set<number> {
    const run = this.runs[i]!;
    return matches(run, valuesOf(run), this.expected[i]!, this.stage.runs[i]!);
  }

  /** Describe the first case that differs, for functions that no mistake explains. */
  private failure(i: number): string[] {
    const { definition, words } = this.context;
    const hasGap = this.runs[0]!.error || this.runs[0]!.kind === "ellipsis" || definition.hasGap;
    if (this.runs.every(isStub) && hasGap) return [words.filled("STUB")];
    const varies = this.checkedRepeatable(i);
    return varies.length ? varies : this.difference(i, this.runs[i]!);
  }

  private difference(i: number, own: Run): string[] {
    return difference(this.context, this.stage.trials[i]!, own, this.expected[i]!);
  }

  /** Report a right function that is not right every time. */
  private checkedAgain(): string[] {
    for (const i of [...this.runs.keys()].reverse()) {
      if (this.isRight(i, this.run(this.stage.trials[i]!, 1))) continue;
      const varies = this.checkedRepeatable(i);
      return varies.length ? varies : [this.keepsState(i)];
    }
    return [];
  }

  /** Report a function whose result changes when the same call is repeated. */
  private checkedRepeatable(i: number): string[] {
    const trial = this.stage.trials[i]!;
    if (!isRepeated(this.run(trial), this.runs[i]!)) return [this.keepsState(i)];
    const isSame = isRepeated(this.run(trial, 1), this.runs[i]!);
    return isSame ? [] : [this.context.words.filled("RANDOM")];
  }

  private keepsState(i: number): string {
    return this.context.words.filled("STATE", { case: this.stage.trials[i]!.case });
  }

  private sideEffects(): string[] {
    const { exercise, words } = this.context;
    const changed = [...new Set(this.runs.flatMap((one) => one.changed))].sort((a, b) => a - b);
    const names = words.listed(changed.map((i) => exercise.names[i]!));
    const found = changed.length ? [words.filled("CHANGED", { names })] : [];
    const settings = words.listed(new Set(this.runs.flatMap((one) => one.settings)));
    return settings ? [...found, words.filled("SETTING", { names: settings })] : found;
  }
}

/** Whether the result is no tensor, or a tensor whose numbers cannot be right. */
const cannotBeRight = (one: Run) => !one.error && !isNothing(one) && !one.output?.entries;

/** Whether two runs are the same, as far as can be observed. */
function isRepeated(one: Run, other: Run): boolean {
  if (one.error || other.error) return one.error?.kind === other.error?.kind;
  if (!one.output?.entries || !other.output?.entries) return one.kind === other.kind;
  const theirs = valuesOf(other);
  return valuesOf(one).every((x, i) => !x || close(x, theirs[i] ?? null));
}

const isStub = (one: Run) =>
  one.error ? one.error.kind === "NotImplementedError" && !one.error.message : isNothing(one);

export { html };
