// Manages a code cell of the page: its code, which the reader may edit, its bar and its outputs.
import type { Editor } from "../modules/editor.ts";
import type { Widgets } from "../modules/widgets.ts";
import { strings } from "../strings/cells.ts";
import { differ, bookOutputs } from "./differences.ts";
import { Outputs } from "./outputs.ts";
import { storeCell } from "./persistence.ts";
import type { ShowWidget } from "./rich.ts";

export const STATUS_DELAY = 400; // ms before the bar shows that a cell is running
const UNCOMPARED = ".tag_remove-output, .tag_nbval-ignore-output";

/** A button in a cell's bar besides Run and Edit. */
export interface Action {
  name: string;
  label: string;
  run: () => void;
}

export class Cell {
  readonly name: string;
  readonly element: HTMLElement;
  readonly bar: HTMLElement;
  private readonly state: HTMLElement;
  private readonly code: HTMLElement;
  private readonly place: HTMLElement;
  private readonly book: Node[];
  /** The book's figure; the kernel's model is linked to it if they match, instead of replacing it. */
  readonly figure: HTMLElement | null;
  /** Its output is interactive without a kernel, so the kernel's output is not shown. */
  private readonly isQuiet: boolean;
  private links: Promise<boolean>[] = [];
  private hiddenOutputs: HTMLElement | null = null;
  private resolveStays: (stays: boolean) => void = () => {};
  private readonly bookText: string;
  private readonly bookTexts: string[];
  private editor: Editor | null = null;
  private outputs: Outputs | null = null;
  private timer = 0;

  /** @param bar the bar below its code @param hiddenCode code of the cells that the page hides */
  constructor(bar: HTMLElement, hiddenCode: Map<string, string>) {
    const input = bar.closest<HTMLElement>(".cell_input, .cell-unseen")!;
    this.bar = bar;
    this.name = bar.dataset.cell ?? "";
    this.element = bar.closest<HTMLElement>(".cell")!;
    this.state = bar.querySelector<HTMLElement>(".cell-state")!;
    this.code = input.querySelector<HTMLElement>(":scope > div")!;
    const text = this.code.querySelector("pre")?.textContent?.replace(/\n$/, "");
    this.bookText = text ?? hiddenCode.get(this.name) ?? "";
    this.isQuiet = input.matches("[data-quiet]");
    this.place = this.element.querySelector<HTMLElement>(".cell_output") ?? createOutput(input);
    this.figure = this.place.querySelector<HTMLElement>("[data-figure]");
    this.book = [...this.place.childNodes];
    this.bookTexts = bookOutputs(this.place.children);
  }

  get text() {
    return this.editor?.text ?? this.bookText;
  }

  get isChanged() {
    return this.text !== this.bookText;
  }

  /** Replaces the code with an editor. */
  async edit(text = this.text) {
    if (!this.editor) {
      const { openEditor } = await import("../modules/editor.ts");
      this.editor ??= openEditor(this.code, text, strings.code, () => this.store());
      this.store();
    }
    return this.editor;
  }

  private store() {
    storeCell(this.name, this.isChanged ? this.text : null);
    this.button("reset")!.hidden = this.element.dataset.state === "running";
    this.button("edit")!.hidden = true;
  }

  /** Restores the book's code and outputs. */
  reset() {
    this.editor?.close();
    this.editor = null;
    if (this.outputs) this.outputs.closed = true;
    this.outputs = null;
    storeCell(this.name, null);
    this.showOutputs(null);
    this.place.removeAttribute("data-differs");
    delete this.element.dataset.state;
    this.button("reset")!.hidden = true;
    this.button("edit")!.hidden = false;
    this.showStatus("");
  }

  /** Prepares the outputs of a run. Previous outputs stay until the first new one arrives. */
  begin(loadWidgets: () => Promise<Widgets>, interrupt: Action) {
    this.element.dataset.state = "running";
    this.showStatus("");
    this.button("reset")!.hidden = true;
    this.links = [];
    const stays = new Promise<boolean>((resolve) => {
      this.resolveStays = resolve;
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
    // Interactive output stays if the kernel's output is the same, which is known only at the end.
    this.hiddenOutputs = this.figure || this.isQuiet ? document.createElement("div") : null;
    if (!this.hiddenOutputs) this.place.setAttribute("data-stale", "");
    const reveal = () => this.hiddenOutputs && this.showOutputs(this.hiddenOutputs);
    this.outputs = new Outputs(
      this.hiddenOutputs ?? this.place,
      show,
      () => this.clearStale(),
      reveal,
    );
    const start = Date.now();
    const tick = () => {
      const seconds = Math.round((Date.now() - start) / 1000);
      if (seconds) this.showStatus(strings.running(seconds), [interrupt]);
      else this.showStatus("", [interrupt]);
      this.timer = setTimeout(tick, 1000 - ((Date.now() - start) % 1000));
    };
    this.timer = setTimeout(tick, STATUS_DELAY);
    return this.outputs;
  }

  private clearStale() {
    if (!this.place.hasAttribute("data-stale")) return;
    this.place.removeAttribute("data-stale");
    this.place.replaceChildren();
  }

  /** Ends a run; returns the error, and whether the output differs from the book's. */
  async end(ending: "done" | "failed" | "lost") {
    clearTimeout(this.timer);
    this.outputs?.finish();
    if (ending !== "lost") this.clearStale();
    this.place.removeAttribute("data-stale");
    const differs = ending === "done" && differ(this.outputs?.texts ?? [], this.bookTexts);
    const stays =
      ending === "lost" ||
      (ending === "done" && (this.isQuiet || (!differs && (await this.linked()))));
    if (this.hiddenOutputs && ending !== "lost")
      this.showOutputs(stays ? null : this.hiddenOutputs);
    this.resolveStays(stays);
    this.element.dataset.state = ending;
    const isDifferent = differs && !this.isQuiet && !this.element.matches(UNCOMPARED);
    this.place.toggleAttribute("data-differs", isDifferent);
    this.button("reset")!.hidden = false;
    return { differs: isDifferent, error: this.outputs?.error ?? "" };
  }

  /** Whether the book's figure is linked with the kernel's model. */
  private async linked() {
    const links = await Promise.all(this.links);
    return links.length > 0 && links.every(Boolean);
  }

  /** Shows these outputs, or the book's if null. */
  private showOutputs(outputs: HTMLElement | null) {
    const nodes = outputs ? [outputs] : this.book;
    if (nodes[0]?.parentNode !== this.place) this.place.replaceChildren(...nodes);
    this.element.toggleAttribute("data-replaced", outputs !== null);
    // Links to the figure's id keep working while the figure is replaced.
    if (outputs && this.figure?.id) this.place.id = this.figure.id;
    else this.place.removeAttribute("id");
  }

  wait() {
    this.element.dataset.state = "waiting";
    this.showStatus(strings.waiting);
  }

  /** Removes the waiting state. */
  stopWaiting() {
    if (this.element.dataset.state !== "waiting") return;
    delete this.element.dataset.state;
    this.showStatus("");
  }

  /** Removes the buttons, and every message but that the output differs. */
  clearActions() {
    this.showStatus(this.place.hasAttribute("data-differs") ? strings.differs : "");
  }

  /** Disables its widgets: their kernel is gone. */
  disconnect() {
    for (const widget of this.place.querySelectorAll<HTMLElement>("[data-widget]"))
      widget.inert = true;
  }

  /** Shows a sentence (code between backticks) and buttons in the bar. */
  showStatus(sentence: string, actions: Action[] = []) {
    const parts = sentence.split("`").map((part, i) => {
      if (i % 2 === 0) return part;
      const code = document.createElement("code");
      code.textContent = part;
      return code;
    });
    const focused = this.bar.querySelector<HTMLElement>("[data-act]:focus")?.dataset.act;
    for (const old of this.bar.querySelectorAll<HTMLElement>("[data-act]"))
      if (!actions.some(({ name }) => name === old.dataset.act)) old.remove();
    for (const action of actions) {
      let button = this.bar.querySelector<HTMLButtonElement>(`[data-act="${action.name}"]`);
      if (!button) {
        button = document.createElement("button");
        button.type = "button";
        button.dataset.act = action.name;
        this.bar.append(button);
      }
      button.textContent = action.label;
      button.onclick = action.run;
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

/** Creates a container for outputs if the book's cell has none. */
const createOutput = (input: HTMLElement) => {
  const place = document.createElement("div");
  place.className = "cell_output docutils container";
  place.dataset.output = "";
  input.after(place);
  return place;
};
