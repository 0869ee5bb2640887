// Renders anywidgets: widgets that contain their front-end module (https://anywidget.dev/en/afm).
//
// A module is imported once, when its first widget is rendered. anywidget's own script imports it for every
// model immediately, and a model that is not ready within two seconds loses its kernel: after a reload, a page
// has the models of all cells that ever ran.
import { DOMWidgetModel, DOMWidgetView } from "@jupyter-widgets/base";

interface Props {
  model: object;
  el?: HTMLElement;
  signal: AbortSignal;
}
/** A module's default export, or the value it returns for each widget. */
interface FrontEnd {
  initialize?(props: Props): unknown;
  render?(props: Props): unknown;
}
type Module = { default: FrontEnd | (() => FrontEnd | Promise<FrontEnd>) };

const modules = new Map<string, Promise<Module>>();

const importOnce = (text: string) => {
  const known = modules.get(text);
  if (known) return known;
  const isAddress = /^https?:\/\//.test(text);
  const address = isAddress
    ? text
    : URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const module = import(address) as Promise<Module>;
  modules.set(text, module);
  return module;
};

/** Adds a widget class's CSS to the page, replacing its previous rules. */
const style = (rules: string, id: string) => {
  const sheets = [...document.querySelectorAll<HTMLStyleElement>("style[data-anywidget]")];
  if (!rules || sheets.some((sheet) => sheet.textContent === rules)) return;
  let sheet = sheets.find(({ dataset }) => dataset.anywidget === id);
  if (!sheet) {
    sheet = document.createElement("style");
    sheet.dataset.anywidget = id;
    document.head.append(sheet);
  }
  sheet.textContent = rules;
};

/** Calls a hook of a front end; the clean-up that it returns runs when `signal` aborts. */
const call = async (
  part: "initialize" | "render",
  frontEnd: FrontEnd,
  model: AnyModel,
  signal: AbortSignal,
  el?: HTMLElement,
) => {
  const context = {}; // identifies its listeners for removal
  const own = {
    get: model.get.bind(model),
    set: model.set.bind(model),
    save_changes: model.save_changes.bind(model),
    send: model.send.bind(model),
    on: (name: string, listener: () => void) => model.on(name, listener, context),
    off: (name?: string, listener?: () => void) => model.off(name, listener, context),
    widget_manager: model.widget_manager,
  };
  const end = await frontEnd[part]?.({ model: own, signal, ...(el && { el }) });
  const stop = () => {
    model.off(undefined, undefined, context);
    if (typeof end === "function") end();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop);
};

class AnyModel extends DOMWidgetModel {
  declare private loading?: Promise<FrontEnd>; // `declare`: a field would be reset after initialize

  /** Its front end, once initialised. */
  frontEnd() {
    return (this.loading ??= this.load());
  }

  private async load() {
    style(this.get("_css") ?? "", this.get("_anywidget_id"));
    const { default: made } = await importOnce(this.get("_esm"));
    const frontEnd = typeof made === "function" ? await made() : made;
    const life = new AbortController();
    this.once("destroy", () => life.abort());
    await call("initialize", frontEnd, this, life.signal);
    return frontEnd;
  }

  /** Sends byte arrays unchanged. */
  override serialize(state: Record<string, any>) {
    const bytes = Object.entries(state).filter(([, value]) => ArrayBuffer.isView(value));
    return { ...super.serialize(state), ...Object.fromEntries(bytes) };
  }
}

class AnyView extends DOMWidgetView {
  declare private life?: AbortController;

  override async render() {
    this.life = new AbortController();
    const model = this.model as AnyModel;
    await call("render", await model.frontEnd(), model, this.life.signal, this.el);
  }

  override remove() {
    this.life?.abort();
    return super.remove();
  }
}

export const anywidgetClasses = { AnyModel, AnyView };
