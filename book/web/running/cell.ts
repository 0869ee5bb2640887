// A code cell of the page: its text, which may be the reader's, its bar, its outputs.
import type { Editor } from "../modules/editor.ts";
import { words } from "../words/index.ts";
import { differ, saidByTheBook } from "./differences.ts";
import { Outputs } from "./outputs.ts";
import { rememberCell } from "./remembered.ts";
import type { ShowWidget } from "./rich.ts";

export const PATIENCE = 400; // ms before a cell that runs says so
const UNCOMPARED = ".tag_remove-output, .tag_nbval-ignore-output";

/** What can be done in a cell's bar besides running and editing. */
export interface Act {
  name: string;
  label: string;
  act: () => void;
}

export class Cell {
  readonly name: string;
  readonly element: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly state: HTMLElement;
  private readonly code: HTMLElement;
  private readonly place: HTMLElement;
  private readonly book: Node[];
  /** What links lead to: the name of the book's figure, which its place has while the figure is away. */
  private readonly anchor: string;
  private readonly bookText: string;
  private readonly bookSaid: string[];
  private editor: Editor | null = null;
  private outputs: Outputs | null = null;
  private timer = 0;

  constructor(bar: HTMLElement) {
    const input = bar.closest<HTMLElement>(".cell_input")!;
    this.bar = bar;
    this.name = bar.dataset.cell ?? "";
    this.element = bar.closest<HTMLElement>(".cell")!;
    this.state = bar.querySelector<HTMLElement>(".cell-state")!;
    this.code = input.querySelector<HTMLElement>(":scope > div")!;
    this.bookText = (this.code.querySelector("pre")?.textContent ?? "").replace(/\n$/, "");
    this.place = this.element.querySelector<HTMLElement>(".cell_output") ?? output(input);
    this.anchor = this.place.querySelector("[data-figure]")?.id ?? "";
    this.book = [...this.place.childNodes];
    this.bookSaid = saidByTheBook(this.place.children);
  }

  get text() {
    return this.editor?.text ?? this.bookText;
  }

  get isChanged() {
    return this.text !== this.bookText;
  }

  /** Puts an editor in the place of the book's text. */
  async edit(text = this.text) {
    if (!this.editor) {
      const { openEditor } = await import("../modules/editor.ts");
      this.editor ??= openEditor(this.code, text, words.code, () => this.remember());
      this.remember();
    }
    return this.editor;
  }

  private remember() {
    rememberCell(this.name, this.isChanged ? this.text : null);
    this.button("reset")!.hidden = this.element.dataset.state === "running";
    this.button("edit")!.hidden = true;
  }

  /** Brings back the book's text and outputs. */
  reset() {
    this.editor?.close();
    this.editor = null;
    this.outputs = null;
    rememberCell(this.name, null);
    this.place.replaceChildren(...this.book);
    this.place.removeAttribute("id");
    this.place.removeAttribute("data-differs");
    delete this.element.dataset.state;
    this.button("reset")!.hidden = true;
    this.button("edit")!.hidden = false;
    this.say("");
  }

  /** Makes room for the outputs of a run. Those of the run before stay until the first has come. */
  begin(showWidget: ShowWidget, interrupt: Act) {
    this.element.dataset.state = "running";
    this.say("");
    this.button("reset")!.hidden = true;
    this.place.setAttribute("data-stale", "");
    this.outputs = new Outputs(this.place, showWidget, () => this.fresh());
    const start = Date.now();
    const tick = () => {
      const seconds = Math.round((Date.now() - start) / 1000);
      if (seconds) this.say(words.running(seconds), [interrupt]);
      else this.say("", [interrupt]);
      this.timer = setTimeout(tick, 1000 - ((Date.now() - start) % 1000));
    };
    this.timer = setTimeout(tick, PATIENCE);
    return this.outputs;
  }

  private fresh() {
    if (!this.place.hasAttribute("data-stale")) return;
    this.place.removeAttribute("data-stale");
    this.place.replaceChildren();
    if (this.anchor) this.place.id = this.anchor;
  }

  /** Ends a run: says how it went, and whether it says what the book says. */
  end(ending: "done" | "failed" | "lost") {
    clearTimeout(this.timer);
    this.element.dataset.state = ending;
    this.outputs?.paint();
    if (ending !== "lost") this.fresh();
    this.place.removeAttribute("data-stale");
    const compared = ending === "done" && !this.element.matches(UNCOMPARED);
    const differs = compared && differ(this.outputs?.said ?? [], this.bookSaid);
    this.place.toggleAttribute("data-differs", differs);
    this.button("reset")!.hidden = false;
    return { differs, error: this.outputs?.error ?? "" };
  }

  wait() {
    this.element.dataset.state = "waiting";
    this.say(words.waiting);
  }

  /** Takes back that it waits. */
  rest() {
    if (this.element.dataset.state !== "waiting") return;
    delete this.element.dataset.state;
    this.say("");
  }

  /** Leaves in the bar only what is said of its outputs. */
  settle() {
    this.say(this.place.hasAttribute("data-differs") ? words.differs : "");
  }

  /** What is moved in it reaches no Python any more. */
  disconnect() {
    for (const widget of this.place.querySelectorAll<HTMLElement>("[data-widget]"))
      widget.inert = true;
  }

  /** Says something in the bar, and offers what can be done. Code in it stands between backticks. */
  say(sentence: string, acts: Act[] = []) {
    const parts = sentence.split("`").map((part, i) => {
      if (i % 2 === 0) return part;
      const code = document.createElement("code");
      code.textContent = part;
      return code;
    });
    const focused = this.bar.querySelector<HTMLElement>("[data-act]:focus")?.dataset.act;
    for (const old of this.bar.querySelectorAll<HTMLElement>("[data-act]"))
      if (!acts.some(({ name }) => name === old.dataset.act)) old.remove();
    for (const act of acts) {
      let button = this.bar.querySelector<HTMLButtonElement>(`[data-act="${act.name}"]`);
      if (!button) {
        button = document.createElement("button");
        button.type = "button";
        button.dataset.act = act.name;
        this.bar.append(button);
      }
      button.textContent = act.label;
      button.onclick = act.act;
    }
    if (focused && !this.bar.contains(document.activeElement)) this.button("run")?.focus();
    this.state.replaceChildren(...parts);
  }

  scrollHere() {
    const fold = this.element.querySelector<HTMLDetailsElement>("details:not([open])");
    if (fold?.contains(this.bar)) fold.open = true;
    this.bar.scrollIntoView({ block: "center" });
    this.button("run")?.focus({ preventScroll: true });
  }

  private button(name: string) {
    return this.bar.querySelector<HTMLButtonElement>(`[data-${name}]`);
  }
}

/** A place for outputs where the book shows none. */
const output = (input: HTMLElement) => {
  const place = document.createElement("div");
  place.className = "cell_output docutils container";
  place.dataset.output = "";
  input.after(place);
  return place;
};
