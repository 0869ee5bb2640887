// Creates a code editor (CodeMirror) that looks like the book's code blocks.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

export interface Editor {
  readonly text: string;
  focus: () => void;
  /** Replaces the whole text; undo brings the old one back. */
  replace: (text: string) => void;
  select: (from: number, to: number) => void;
  close: () => void;
}

const LEAVING = 2000; // ms for Tab after Escape, as in CodeMirror

// CSS classes of Pygments, so that its style sheet applies.
const PYGMENTS = tagHighlighter([
  { tag: tags.comment, class: "c1" },
  { tag: tags.string, class: "s2" },
  { tag: tags.special(tags.string), class: "sa" },
  { tag: tags.number, class: "mi" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: [tags.keyword, tags.self], class: "k" },
  { tag: [tags.operatorKeyword], class: "ow" },
  { tag: tags.definitionKeyword, class: "k" },
  { tag: tags.moduleKeyword, class: "kn" },
  { tag: tags.operator, class: "o" },
  { tag: [tags.punctuation, tags.bracket, tags.separator], class: "p" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
  { tag: tags.meta, class: "nd" },
  { tag: [tags.variableName, tags.propertyName], class: "n" },
]);

/** Lets the next Tab leave, also if Escape has a selection to drop (CodeMirror's own way would not). */
const letTabLeave = (view: EditorView) => {
  view.setTabFocusMode(LEAVING);
  return false;
};

/** Inserts an editor before `code`, which is hidden until the editor is closed. */
export const openEditor = (
  code: HTMLElement,
  text: string,
  label: string,
  onChange: () => void,
): Editor => {
  const frame = document.createElement("div");
  frame.className = "cell-editor highlight notranslate";
  const view = new EditorView({
    parent: frame,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        drawSelection(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        python(),
        syntaxHighlighting(PYGMENTS),
        keymap.of([
          { key: "Shift-Enter", run: () => true }, // runs the cell: run.ts
          { key: "Escape", run: letTabLeave },
          indentWithTab,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.contentAttributes.of({
          "aria-label": label,
          spellcheck: "false",
          tabindex: "0",
        }),
        EditorView.updateListener.of((update) => update.docChanged && onChange()),
      ],
    }),
  });
  // Keep single letters from lecture mode's shortcuts.
  frame.addEventListener("keydown", (event) => {
    const { key, altKey, ctrlKey, metaKey } = event;
    if (!altKey && !ctrlKey && !metaKey && !(key === "Enter" && event.shiftKey))
      event.stopPropagation();
  });
  code.hidden = true;
  code.before(frame);
  return {
    get text() {
      return view.state.doc.toString();
    },
    focus: () => view.focus(),
    replace: (insert) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }),
    select: (anchor, head) => view.dispatch({ selection: { anchor, head }, scrollIntoView: true }),
    close: () => {
      view.destroy();
      frame.remove();
      code.hidden = false;
    },
  };
};
