// Renders ipywidgets' Output, which captures what is printed inside its context; `interact` uses it.
import { DOMWidgetModel, DOMWidgetView } from "@jupyter-widgets/base";
import type { IIOPubMessage } from "@jupyterlab/services/lib/kernel/messages";
import { Outputs } from "../running/outputs.ts";
import type { Widgets } from "../modules/widgets.ts";

interface Output {
  output_type: string;
  [name: string]: unknown;
}

/** Converts a kernel message to an output of the notebook format, and back. */
const toOutput = ({ header, content }: IIOPubMessage): Output => ({
  ...(content as object),
  output_type: header.msg_type,
});
const toMessage = ({ output_type, ...content }: Output) =>
  ({ header: { msg_type: output_type }, content }) as unknown as IIOPubMessage;

const KINDS = ["stream", "display_data", "execute_result", "update_display_data", "error"];

class OutputModel extends DOMWidgetModel {
  declare private release?: () => void; // `declare`: a field would be reset after initialize

  override defaults() {
    return {
      ...super.defaults(),
      _model_name: "OutputModel",
      _view_name: "OutputView",
      _model_module: "@jupyter-widgets/output",
      _view_module: "@jupyter-widgets/output",
      _model_module_version: "1.0.0",
      _view_module_version: "1.0.0",
      outputs: [],
    };
  }

  override initialize(attributes: object, options: never) {
    super.initialize(attributes, options);
    this.listenTo(this, "change:msg_id", this.hook);
    this.hook();
  }

  private get outputs(): Output[] {
    return (this.get("outputs") as Output[] | undefined) ?? [];
  }

  /** Captures the output of the message with this id, instead of showing it in the cell. */
  private hook() {
    this.release?.();
    this.release = undefined;
    const id = this.get("msg_id") as string;
    const { kernel } = this.widget_manager as unknown as Widgets;
    if (!id) return;
    const receive = (message: IIOPubMessage) => {
      const { msg_type } = message.header as { msg_type: string };
      if (msg_type === "clear_output") this.store([]);
      if (KINDS.includes(msg_type)) this.store([...this.outputs, toOutput(message)]);
      return !KINDS.includes(msg_type) && msg_type !== "clear_output";
    };
    kernel.registerMessageHook(id, receive);
    this.release = () => kernel.removeMessageHook(id, receive);
  }

  private store(outputs: Output[]) {
    this.set("outputs", outputs);
    this.save_changes();
  }
}

class OutputView extends DOMWidgetView {
  override render() {
    super.render();
    this.el.classList.add("cell_output");
    this.listenTo(this.model, "change:outputs", this.paint);
    this.paint();
  }

  private paint() {
    const manager = this.model.widget_manager as unknown as Widgets;
    const outputs = new Outputs(
      this.el,
      (id, place) => manager.show(id, place),
      () => {},
    );
    outputs.clear();
    for (const output of (this.model.get("outputs") as Output[]) ?? [])
      outputs.receive(toMessage(output));
    outputs.paint();
  }
}

export const outputClasses = () => ({ OutputModel, OutputView });
