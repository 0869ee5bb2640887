// The outputs of one run of a cell, as they come.
import type { IMimeBundle } from "@jupyterlab/nbformat";
import type { IIOPubMessage } from "@jupyterlab/services/lib/kernel/messages";
import { words } from "../words/index.ts";
import { promptFor } from "./prompt.ts";
import { type ShowWidget, shownKind, showRich, textOf } from "./rich.ts";
import { coloured, overwritten } from "./terminal.ts";
import { trimmed, whole } from "./traceback.ts";

const MOST = 100_000; // characters of a stream; of what is longer, the end is shown
const LONG = 10_000; // characters that take a moment to show
const MOMENT = 250; // ms

interface Shown {
  element: HTMLElement;
  /** What it says, for comparison with the book. */
  said: string;
}

interface Stream extends Shown {
  name: string;
  text: string;
  /** Whether its beginning is left out. */
  cut: boolean;
  /** What the page shows of it. */
  painted: string;
}

export class Outputs {
  /** The error that ended the run, in a line. */
  error = "";
  /** Whether the cell shows something else by now. */
  closed = false;
  private waiting: Shown | null = null;
  private shown: Shown[] = [];
  private stream: Stream | null = null;
  private stale = false;
  private painting = 0;
  private readonly byId = new Map<string, Shown[]>();

  /** @param place what they are put into @param onFirst called before the first one is */
  constructor(
    private readonly place: HTMLElement,
    private readonly showWidget: ShowWidget,
    private readonly onFirst: () => void,
    private readonly onAsk = () => {},
  ) {}

  /** What each of them says, in order. */
  get said() {
    return this.shown.map(({ said }) => said);
  }

  get count() {
    return this.shown.length;
  }

  /** Takes a message of the kernel. */
  hear({ header, content }: IIOPubMessage) {
    if (this.closed) return;
    const it = content as any; // by its type it is one of these
    switch (header.msg_type as string) {
      case "stream":
        return this.write(it.name, it.text);
      case "display_data":
      case "execute_result":
        return this.show(it.data, it.metadata, it.transient?.display_id);
      case "update_display_data":
        return this.update(it.data, it.metadata, it.transient?.display_id);
      case "error":
        return this.fail(it.ename, it.evalue, it.traceback);
      case "clear_output":
        if (it.wait) this.stale = true;
        else this.clear();
    }
  }

  /** Takes a bundle; with an id, it may be shown anew. */
  show(data: IMimeBundle, metadata: Record<string, unknown>, id?: string) {
    const made = this.bundle(data, metadata);
    if (id) this.byId.set(id, [...(this.byId.get(id) ?? []), made]);
    this.add(made);
  }

  /** Help that a cell asks for is an output like others. */
  page = (data: IMimeBundle) => this.show(data, {});

  /** Asks for a line; what was asked and said stays, as a terminal has it. */
  ask = async (prompt: string, isSecret: boolean) => {
    const stream = this.stream;
    const line = this.bundle({ "text/plain": "" }, {});
    this.add(line);
    this.waiting = line;
    this.onAsk();
    const value = await promptFor(line.element, prompt, isSecret);
    this.finish();
    if (this.shown.at(-1) === stream) this.stream = stream;
    this.write("stdout", `${prompt}${isSecret ? "········" : value}\n`);
    return value;
  };

  /** Shows all that has come, and asks no longer. */
  finish() {
    this.paint();
    if (!this.waiting) return;
    this.waiting.element.remove();
    this.shown = this.shown.filter((one) => one !== this.waiting);
    this.waiting = null;
  }

  clear() {
    this.stale = false;
    this.place.replaceChildren();
    this.shown = [];
    this.stream = null;
    this.byId.clear();
  }

  private update(data: IMimeBundle, metadata: Record<string, unknown>, id: string) {
    for (const old of this.byId.get(id) ?? []) {
      const { element, said } = this.bundle(data, metadata);
      old.element.replaceWith(element);
      Object.assign(old, { element, said });
    }
  }

  private write(name: string, text: string) {
    if (this.stale) this.clear();
    if (this.stream?.name !== name) {
      const element = box(name === "stderr" ? "stderr" : "stream");
      const stream = { name, text: "", cut: false, element, said: "", painted: "" };
      this.add(stream);
      this.stream = stream;
    }
    const stream = this.stream!;
    stream.text += text;
    if (stream.text.length > 2 * MOST) shorten(stream);
    stream.said = stream.text;
    this.painting ||= setTimeout(this.paint, stream.text.length < LONG ? 0 : MOMENT);
  }

  /** Shows all that was written; many short texts are shown at one go. */
  paint = () => {
    clearTimeout(this.painting);
    this.painting = 0;
    for (const one of this.shown as Stream[]) {
      if (one.text === undefined) continue;
      if (one.text.length > MOST) shorten(one);
      one.said = overwritten(one.cut ? `${words.leftOut}\n${one.text}` : one.text);
      if (one.said !== one.painted) write(one.element, (one.painted = one.said));
    }
  };

  private bundle(data: IMimeBundle, metadata: Record<string, unknown>): Shown {
    const kind = shownKind(data);
    if (kind === "text/plain") {
      const element = box("text_plain");
      const text = textOf(data, kind);
      write(element, text);
      return { element, said: text };
    }
    const element = document.createElement("div");
    element.className = "output";
    showRich(element, kind, data, metadata, this.showWidget);
    return { element, said: sayingOf(kind, data) };
  }

  private fail(name: string, value: string, traceback: string[]) {
    this.error = value ? `${name}: ${value}` : name;
    const element = box("traceback");
    const all = whole(traceback);
    const own = trimmed(traceback);
    write(element, (own ?? all).join("\n"));
    if (own) {
      const fold = document.createElement("details");
      const title = document.createElement("summary");
      title.textContent = words.wholeTraceback;
      const full = box("traceback");
      write(full, all.join("\n"));
      fold.append(title, full);
      element.append(fold);
    }
    this.add({ element, said: this.error });
  }

  private add(one: Shown) {
    if (this.stale) this.clear();
    if (!this.shown.length) this.onFirst();
    this.stream = null;
    this.shown.push(one);
    this.place.append(one.element);
  }
}

const shorten = (stream: Stream) => {
  stream.text = stream.text.slice(-MOST);
  stream.cut = true;
};

/** A frame for text, as the book has it. */
const box = (kind: string) => {
  const element = document.createElement("div");
  element.className = `output ${kind} highlight-myst-ansi notranslate`;
  element.innerHTML = '<div class="highlight"><pre></pre></div>';
  return element;
};

const write = (element: HTMLElement, text: string) => {
  element.querySelector("pre")!.innerHTML = coloured(text);
};

const sayingOf = (kind: string, data: IMimeBundle) => {
  const html = "text/html" in data ? textOf(data, "text/html") : null;
  return html === null ? `[${kind}]` : sayingOfHtml(html);
};

/** What HTML says: a figure its name, anything else its words. */
export const sayingOfHtml = (html: string) => {
  const { content } = Object.assign(document.createElement("template"), { innerHTML: html }); // inert
  const figure = content.querySelector<HTMLElement>("[data-figure]");
  return figure ? `[figure ${figure.dataset.figure}]` : (content.textContent ?? "");
};
