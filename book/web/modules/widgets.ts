// Manages the kernel's widgets on the page: ipywidgets' controls and anywidgets.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import type { KernelConnection } from "@jupyterlab/services/lib/kernel/default";
import type { IComm } from "@jupyterlab/services/lib/kernel/kernel";
import type { ICommOpenMsg } from "@jupyterlab/services/lib/kernel/messages";
import type { JSONObject } from "@lumino/coreutils";
import { Widget } from "@lumino/widgets";
import { anywidgetClasses } from "../widgets/anywidget.ts";
import { outputClasses } from "../widgets/output.ts";

type Class = typeof base.WidgetModel | typeof base.WidgetView;

export class Widgets extends ManagerBase {
  constructor(readonly kernel: KernelConnection) {
    super();
    kernel.statusChanged.connect((_, status) => {
      if (["restarting", "autorestarting", "dead"].includes(status)) this.disconnect();
    });
  }

  /** Loads the models that the kernel already has. */
  resume = () => this._loadFromKernel();

  /** Creates a model for a comm that the kernel has opened. */
  async open(comm: IComm, message: ICommOpenMsg) {
    await this.handle_comm_open(new base.shims.services.Comm(comm), message);
  }

  /** Links a figure on the page with the kernel's model; false if they do not match. */
  async link(id: string, figure: HTMLElement) {
    const detail = await this.get_model(id);
    return !figure.dispatchEvent(new CustomEvent("attention:link", { cancelable: true, detail }));
  }

  /** Renders a widget into an element. */
  async show(id: string, place: HTMLElement) {
    const model = await this.get_model(id);
    const view = await this.create_view(model as base.DOMWidgetModel);
    if (place.isConnected) Widget.attach(view.luminoWidget, place);
  }

  protected override async loadClass(name: string, module: string): Promise<Class> {
    const classes = await this.classes(module);
    const found = classes[name];
    if (!found) throw new Error(`no ${name} of ${module}`);
    return found as Class;
  }

  private async classes(module: string): Promise<Record<string, unknown>> {
    if (module === "@jupyter-widgets/base") return { ...base };
    if (module === "@jupyter-widgets/controls") return { ...controls };
    if (module === "@jupyter-widgets/output") return outputClasses();
    return module === "anywidget" ? anywidgetClasses : {};
  }

  protected override async _create_comm(
    target: string,
    id?: string,
    data?: JSONObject,
    metadata?: JSONObject,
    buffers?: ArrayBuffer[] | ArrayBufferView[],
  ) {
    const comm = this.kernel.createComm(target, id);
    if (data || metadata) comm.open(data, metadata, buffers);
    return new base.shims.services.Comm(comm);
  }

  protected override async _get_comm_info() {
    const { content } = await this.kernel.requestCommInfo({ target_name: this.comm_target_name });
    return content.status === "ok" ? content.comms : {};
  }
}

/** Loads widgets.css. */
const style = () =>
  new Promise<void>((resolve) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL("widgets.css", import.meta.url).href;
    sheet.onload = sheet.onerror = () => resolve();
    document.head.append(sheet);
  });
let styled: Promise<void> | undefined;

/** Connects to the widgets of a kernel; `again`: load the models it had before this page was loaded. */
export const connect = async (kernel: KernelConnection, again: boolean) => {
  await (styled ??= style());
  const widgets = new Widgets(kernel);
  if (again) await widgets.resume();
  return widgets;
};
