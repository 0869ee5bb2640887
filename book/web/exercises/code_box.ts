// Holds the reader's code: as coloured text until the editor opens, which loads editor.js.
import type { Editor } from "../modules/editor.ts";
import { firstToReplace } from "./blanks.ts";
import { highlighted } from "./highlight.ts";
import { loadScript } from "./load_script.ts";

type OpenEditor = typeof import("../modules/editor.ts").openEditor;

declare global {
  interface Window {
    /** Set by editor.js. */
    openEditor?: OpenEditor;
  }
}

/** A plain text field, for a page whose editor does not load. */
const openField: OpenEditor = (code, text, label, onChange) => {
  const field = document.createElement("textarea");
  field.className = "code-field";
  field.spellcheck = false;
  field.ariaLabel = label;
  field.value = text;
  field.rows = Math.max(8, text.split("\n").length + 1);
  field.oninput = onChange;
  code.hidden = true;
  code.before(field);
  return {
    get text() {
      return field.value;
    },
    focus: () => field.focus(),
    replace: (next) => {
      field.value = next;
      onChange();
    },
    select: (from, to) => field.setSelectionRange(from, to),
    close: () => {
      field.remove();
      code.hidden = false;
    },
  };
};

export class CodeBox {
  private readonly pre = document.createElement("pre");
  private editor: Editor | null = null;
  private opening: Promise<void> | null = null;

  /** @param place an empty element @param onChange is called when the text has changed */
  constructor(
    place: HTMLElement,
    private shown: string,
    private readonly label: string,
    private readonly onChange: () => void,
  ) {
    const { pre } = this;
    pre.tabIndex = 0;
    pre.setAttribute("role", "textbox");
    pre.ariaMultiLine = "true";
    pre.ariaLabel = label;
    this.write(shown);
    place.replaceChildren(pre);
    place.addEventListener("click", () => void this.open(true));
    pre.addEventListener("focus", () => void this.open(true));
  }

  get text() {
    return this.editor?.text ?? this.shown;
  }

  set text(text: string) {
    if (this.editor) this.editor.replace(text);
    else {
      this.write(text);
      this.onChange();
    }
  }

  /** Opens the editor. */
  async open(focuses: boolean) {
    if (this.editor) return;
    const first = !this.opening;
    this.opening ??= this.load();
    await this.opening;
    if (first && this.editor) (this.editor as Editor).select(...firstToReplace(this.text));
    if (focuses) (this.editor as Editor | null)?.focus();
  }

  private async load() {
    const openEditor = await loadScript("editor.js").then(
      () => window.openEditor!,
      () => openField,
    );
    if (!this.pre.isConnected) return;
    this.editor = openEditor(this.pre, this.shown, this.label, () => {
      this.write(this.text); // for print
      this.onChange();
    });
  }

  close() {
    this.editor?.close();
    this.editor = null;
  }

  private write(text: string) {
    this.shown = text;
    this.pre.innerHTML = highlighted(text);
  }
}
