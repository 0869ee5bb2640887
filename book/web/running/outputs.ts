// Renders the outputs of one run of a cell as its messages arrive.
import type { IMimeBundle } from "@jupyterlab/nbformat";
import type { IIOPubMessage } from "@jupyterlab/services/lib/kernel/messages";
import { strings } from "../strings/cells.ts";
import { promptFor } from "./prompt.ts";
import { type ShowWidget, shownKind, showRich, textOf } from "./rich.ts";
import { ansiToHtml, applyControlCharacters } from "./terminal.ts";
import { ownFrames, withoutHeading } from "./traceback.ts";

const MAX_STREAM = 100_000; // characters of a stream; of longer ones, the end is shown
const LONG_STREAM = 10_000; // characters that are slow to render
const PAINT_DELAY = 250; // ms

interface Output {
  element: HTMLElement;
  /** Its text, for comparison with the book. */
  comparable: string;
}

interface Stream extends Output {
  name: string;
  text: string;
  /** Whether its beginning is cut off. */
  cut: boolean;
  /** The text that is rendered. */
  painted: string;
}

export class Outputs {
  /** The error that ended the run, in one line. */
  error = "";
  /** Set once the cell was reset: later messages are ignored. */
  closed = false;
  private pendingPrompt: Output | null = null;
  private shown: Output[] = [];
  private stream: Stream | null = null;
  private stale = false;
  private painting = 0;
  private readonly byId = new Map<string, Output[]>();

  /** @param place container of the outputs @param onFirst called before the first output is added */
  constructor(
    private readonly place: HTMLElement,
    private readonly showWidget: ShowWidget,
    private readonly onFirst: () => void,
    private readonly onPrompt = () => {},
  ) {}

  /** The comparable text of each output, in order. */
  get texts() {
    return this.shown.map(({ comparable }) => comparable);
  }

  get count() {
    return this.shown.length;
  }

  /** Handles an IOPub message of the kernel. */
  receive({ header, content }: IIOPubMessage) {
    if (this.closed) return;
    const it = content as any; // msg_type determines its fields
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

  /** Adds a MIME bundle; one with a display id can be updated later. */
  show(data: IMimeBundle, metadata: Record<string, unknown>, id?: string) {
    const made = this.bundle(data, metadata);
    if (id) this.byId.set(id, [...(this.byId.get(id) ?? []), made]);
    this.add(made);
  }

  /** Shows the pager's content (help, as in `torch.softmax?`) as an output. */
  showPage = (data: IMimeBundle) => this.show(data, {});

  /** Prompts for a line of stdin; prompt and answer stay in the output, as in a terminal. */
  promptLine = async (prompt: string, isSecret: boolean) => {
    const stream = this.stream;
    const line = this.bundle({ "text/plain": "" }, {});
    this.add(line);
    this.pendingPrompt = line;
    this.onPrompt();
    const value = await promptFor(line.element, prompt, isSecret);
    this.finish();
    if (this.shown.at(-1) === stream) this.stream = stream;
    this.write("stdout", `${prompt}${isSecret ? "········" : value}\n`);
    return value;
  };

  /** Renders what is pending, and removes an open prompt. */
  finish() {
    this.paint();
    if (!this.pendingPrompt) return;
    this.pendingPrompt.element.remove();
    this.shown = this.shown.filter((one) => one !== this.pendingPrompt);
    this.pendingPrompt = null;
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
      const { element, comparable } = this.bundle(data, metadata);
      old.element.replaceWith(element);
      Object.assign(old, { element, comparable });
    }
  }

  private write(name: string, text: string) {
    if (this.stale) this.clear();
    if (this.stream?.name !== name) {
      const element = box(name === "stderr" ? "stderr" : "stream");
      const stream = { name, text: "", cut: false, element, comparable: "", painted: "" };
      this.add(stream);
      this.stream = stream;
    }
    const stream = this.stream!;
    stream.text += text;
    if (stream.text.length > 2 * MAX_STREAM) shorten(stream);
    stream.comparable = stream.text;
    this.painting ||= setTimeout(this.paint, stream.text.length < LONG_STREAM ? 0 : PAINT_DELAY);
  }

  /** Renders the streams; many short writes are batched. */
  paint = () => {
    clearTimeout(this.painting);
    this.painting = 0;
    for (const one of this.shown as Stream[]) {
      if (one.text === undefined) continue;
      if (one.text.length > MAX_STREAM) shorten(one);
      one.comparable = applyControlCharacters(
        one.cut ? `${strings.leftOut}\n${one.text}` : one.text,
      );
      if (one.comparable !== one.painted) write(one.element, (one.painted = one.comparable));
    }
  };

  private bundle(data: IMimeBundle, metadata: Record<string, unknown>): Output {
    const kind = shownKind(data);
    if (kind === "text/plain") {
      const element = box("text_plain");
      const text = textOf(data, kind);
      write(element, text);
      return { element, comparable: text };
    }
    const element = document.createElement("div");
    element.className = "output";
    showRich(element, kind, data, metadata, this.showWidget);
    return { element, comparable: bundleText(kind, data) };
  }

  private fail(name: string, value: string, traceback: string[]) {
    this.error = value ? `${name}: ${value}` : name;
    const element = box("traceback");
    const all = withoutHeading(traceback);
    const own = ownFrames(traceback);
    write(element, (own ?? all).join("\n"));
    if (own) {
      const fold = document.createElement("details");
      const title = document.createElement("summary");
      title.textContent = strings.wholeTraceback;
      const full = box("traceback");
      write(full, all.join("\n"));
      fold.append(title, full);
      element.append(fold);
    }
    this.add({ element, comparable: this.error });
  }

  private add(one: Output) {
    if (this.stale) this.clear();
    if (!this.shown.length) this.onFirst();
    this.stream = null;
    this.shown.push(one);
    this.place.append(one.element);
  }
}

const shorten = (stream: Stream) => {
  stream.text = stream.text.slice(-MAX_STREAM);
  stream.cut = true;
};

/** Creates the same markup for text as the book's outputs have. */
const box = (kind: string) => {
  const element = document.createElement("div");
  element.className = `output ${kind} highlight-myst-ansi notranslate`;
  element.innerHTML = '<div class="highlight"><pre></pre></div>';
  return element;
};

const write = (element: HTMLElement, text: string) => {
  element.querySelector("pre")!.innerHTML = ansiToHtml(text);
};

const bundleText = (kind: string, data: IMimeBundle) => {
  const html = "text/html" in data ? textOf(data, "text/html") : null;
  return html === null ? `[${kind}]` : htmlText(html);
};

/** The comparable text of HTML: the name of a figure, or its text content. */
export const htmlText = (html: string) => {
  const { content } = Object.assign(document.createElement("template"), { innerHTML: html }); // inert: scripts do not run
  const figure = content.querySelector<HTMLElement>("[data-figure]");
  return figure ? `[figure ${figure.dataset.figure}]` : (content.textContent ?? "");
};
