// The code editor of exercises, as a classic script, which also loads on a page from disk.
import { openEditor } from "../modules/editor.ts";

window.openEditor = openEditor;
