// A code cell of the page: its text, which may be the reader's, its bar, its outputs.
import type { Editor } from "../modules/editor.ts";
import type { Widgets } from "../modules/widgets.ts";
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
  /** The book's figure, which the kernel's may be linked with instead of taking its place. */
  readonly figure: HTMLElement | null;
  /** Its output is alive without a kernel, and what the kernel says of it is not shown. */
  private readonly isQuiet: boolean;
  private links: Promise<boolean>[] = [];
  private aside: HTMLElement | null = null;
  private decide: (stays: boolean) => void = () => {};
  private readonly bookText: string;
  private readonly bookSaid: string[];
  private editor: Editor | null = null;
  private outputs: Outputs | null = null;
  private timer = 0;

  /** @param bar below its code @param unseen the code of cells that the page does not show */
  constructor(bar: HTMLElement, unseen: Map<string, string>) {
    const input = bar.closest<HTMLElement>(".cell_input, .cell-unseen")!;
    this.bar = bar;
    this.name = bar.dataset.cell ?? "";
    this.element = bar.closest<HTMLElement>(".cell")!;
    this.state = bar.querySelector<HTMLElement>(".cell-state")!;
    this.code = input.querySelector<HTMLElement>(":scope > div")!;
    const text = this.code.querySelector("pre")?.textContent?.replace(/\n$/, "");
    this.bookText = text ?? unseen.get(this.name) ?? "";
    this.isQuiet = input.matches("[data-quiet]");
    this.place = this.element.querySelector<HTMLElement>(".cell_output") ?? output(input);
    this.figure = this.place.querySelector<HTMLElement>("[data-figure]");
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
    if (this.outputs) this.outputs.closed = true;
    this.outputs = null;
    rememberCell(this.name, null);
    this.put(null);
    this.place.removeAttribute("data-differs");
    delete this.element.dataset.state;
    this.button("reset")!.hidden = true;
    this.button("edit")!.hidden = false;
    this.say("");
  }

  /** Makes room for the outputs of a run. Those of the run before stay until the first has come. */
  begin(loadWidgets: () => Promise<Widgets>, interrupt: Act) {
    this.element.dataset.state = "running";
    this.say("");
    this.button("reset")!.hidden = true;
    this.links = [];
    const stays = new Promise<boolean>((resolve) => {
      this.decide = resolve;
    });
    const show: ShowWidget = async (id, place) => {
      const loading = loadWidgets();
      if (this.figure) {
        const link = loading.then((widgets) => widgets.link(id, this.figure!));
        this.links.push(link.catch(() => false));
        if (await stays) return;
      }
      await (await loading).show(id, place);
    };
    // What is alive without a kernel stays if the kernel says the same, which is known at the end.
    this.aside = this.figure || this.isQuiet ? document.createElement("div") : null;
    if (!this.aside) this.place.setAttribute("data-stale", "");
    const uncover = () => this.aside && this.put(this.aside);
    this.outputs = new Outputs(this.aside ?? this.place, show, () => this.fresh(), uncover);
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
  }

  /** Ends a run: says how it went, and whether it says what the book says. */
  async end(ending: "done" | "failed" | "lost") {
    clearTimeout(this.timer);
    this.outputs?.finish();
    if (ending !== "lost") this.fresh();
    this.place.removeAttribute("data-stale");
    const differs = ending === "done" && differ(this.outputs?.said ?? [], this.bookSaid);
    const stays =
      ending === "lost" ||
      (ending === "done" && (this.isQuiet || (!differs && (await this.linked()))));
    if (this.aside && ending !== "lost") this.put(stays ? null : this.aside);
    this.decide(stays);
    this.element.dataset.state = ending;
    const says = differs && !this.isQuiet && !this.element.matches(UNCOMPARED);
    this.place.toggleAttribute("data-differs", says);
    this.button("reset")!.hidden = false;
    return { differs: says, error: this.outputs?.error ?? "" };
  }

  /** Whether the book's figure is now that of the kernel. */
  private async linked() {
    const links = await Promise.all(this.links);
    return links.length > 0 && links.every(Boolean);
  }

  /** Shows other outputs than the book's, or with null the book's. */
  private put(outputs: HTMLElement | null) {
    const nodes = outputs ? [outputs] : this.book;
    if (nodes[0]?.parentNode !== this.place) this.place.replaceChildren(...nodes);
    // What links lead to is there even while the book's figure is not.
    if (outputs && this.figure?.id) this.place.id = this.figure.id;
    else this.place.removeAttribute("id");
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
