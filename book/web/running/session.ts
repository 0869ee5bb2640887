// The kernel of a page: started or found again, asked to run code, and what becomes of it.
import { KernelConnection } from "@jupyterlab/services/lib/kernel/default";
import type { IMimeBundle } from "@jupyterlab/nbformat";
import type { IShellFuture } from "@jupyterlab/services/lib/kernel/kernel";
import {
  type IExecuteReplyMsg,
  type IIOPubMessage,
  isInputRequestMsg,
} from "@jupyterlab/services/lib/kernel/messages";
import { getKernelModel, startNew } from "@jupyterlab/services/lib/kernel/restapi";
import { ServerConnection } from "@jupyterlab/services/lib/serverconnection";
import { CommsOverSubshells } from "./services.ts";

export type State = "none" | "starting" | "idle" | "busy" | "dead";
/** How a kernel was lost: it ended by itself, is not there, or the server is not, or wants the token. */
export type Loss = "died" | "gone" | "stopped" | "closed";
/** How a run of code ended. */
export type Ending = "ok" | "error" | "lost";

/** What comes of code that runs. */
export interface Hearer {
  /** Messages, also after the run has ended: of threads that go on. */
  hear(message: IIOPubMessage): void;
  /** Help that was asked for, as in `torch.softmax?`. */
  page(data: IMimeBundle): void;
  /** The line that `input()` waits for. */
  ask(prompt: string, isSecret: boolean): Promise<string>;
}

interface Pager {
  source: string;
  data: IMimeBundle;
}

const STATES: Record<string, State> = { busy: "busy", idle: "idle", dead: "dead" };

interface Listener {
  changed: (state: State) => void;
  opened: (kernel: KernelConnection, again: boolean) => void;
  /** Its variables are gone, except where the server has only stopped answering. */
  lost: (how: Loss) => void;
}

export class Session {
  private kernel: KernelConnection | null = null;
  private loss: Loss | null = null;
  private lose: (how: Loss) => void = () => {};
  private lost: Promise<Loss> = Promise.resolve("gone");
  private readonly futures = new WeakMap<object, Pick<IShellFuture, "dispose">>();
  private readonly settings;

  /** @param base the address under which the kernels are @param known the id of an earlier kernel */
  constructor(
    base: string,
    private known: string | null,
    private readonly listener: Listener,
  ) {
    const { href, protocol } = new URL(base, location.href);
    const wsUrl = href.replace(/^http/, "ws");
    if (!/^https?:$/.test(protocol)) throw new TypeError(`no server is at ${href}`);
    this.settings = ServerConnection.makeSettings({ baseUrl: href, wsUrl, token: "" });
  }

  get id() {
    return this.kernel?.id ?? null;
  }

  /** Runs code for a cell, whose run before is heard no more. */
  async run(cell: object, code: string, hearer: Hearer): Promise<Ending> {
    const kernel = this.kernel;
    if (!kernel) return "lost";
    this.futures.get(cell)?.dispose();
    const future = kernel.requestExecute({ code, allow_stdin: true }, false);
    this.futures.set(cell, future);
    future.onIOPub = (message) => hearer.hear(message); // a promise would hold up the next message
    future.onStdin = (message) => {
      if (!isInputRequestMsg(message)) return;
      const { prompt, password } = message.content;
      void hearer.ask(prompt, password).then((value) => {
        if (!future.isDisposed) future.sendInputReply({ status: "ok", value }, message.header);
      });
    };
    const replied = future.done.then(
      (reply) => this.ending(reply as IExecuteReplyMsg, hearer),
      () => "lost" as const, // the kernel ended or was restarted
    );
    return Promise.race([replied, this.lost.then(() => "lost" as const)]);
  }

  private ending({ content }: IExecuteReplyMsg, hearer: Hearer): Ending {
    if (content.status !== "ok") return "error";
    for (const { source, data } of (content.payload ?? []) as unknown as Pager[])
      if (source === "page") hearer.page(data);
    return "ok";
  }

  interrupt = () => this.kernel?.interrupt().catch(() => this.probe());

  /** Lets the kernel forget all; rejects if it cannot be reached. */
  async restart() {
    try {
      await this.kernel?.restart();
    } catch (fault) {
      await this.probe();
      throw fault;
    }
    if (this.kernel) this.listener.opened(this.kernel, false);
  }

  /** Sees to it that there is a kernel; tells how it was lost if that fails. */
  async open(): Promise<Loss | null> {
    if (this.kernel && this.loss === "stopped") {
      const how = await this.find();
      if (how !== "gone") return how;
    }
    if (this.kernel) return null;
    this.listener.changed("starting");
    try {
      const earlier = this.known && (await getKernelModel(this.known, this.settings));
      const model = earlier || (await startNew({}, this.settings));
      this.connect(
        new KernelConnection({ model, serverSettings: this.settings }),
        Boolean(earlier),
      );
      return null;
    } catch (fault) {
      return this.tell(lossOf(fault));
    }
  }

  private connect(kernel: KernelConnection, again: boolean) {
    this.kernel = kernel;
    this.known = kernel.id;
    // What a control moves waits for the cell that runs, as matplotlib is for one thread.
    kernel.commsOverSubshells = CommsOverSubshells.Disabled;
    this.recover();
    kernel.statusChanged.connect((_, status) => {
      if (kernel !== this.kernel) return;
      if (status === "autorestarting") this.tell("died");
      else if (status === "dead") void this.probe().then((how) => how ?? this.tell("gone"));
      else this.show(STATES[status] ?? "starting");
    });
    kernel.connectionStatusChanged.connect((_, status) => {
      if (kernel === this.kernel && status !== "connected") void this.probe();
    });
    this.listener.opened(kernel, again);
  }

  /** Tells the state. One that was lost is dead until it is idle again: the server starts it anew. */
  private show(state: State) {
    if (this.loss && state !== "idle") return;
    if (this.loss) this.recover();
    this.listener.changed(state);
  }

  private recover() {
    this.loss = null;
    this.lost = new Promise((resolve) => {
      this.lose = resolve;
    });
  }

  /** Finds the kernel again on a server that did not answer. */
  private async find(): Promise<Loss | null> {
    const how = await this.probe();
    if (how || !this.kernel) return how;
    this.recover();
    await this.kernel.reconnect().catch(() => {});
    return null;
  }

  /** Asks the server whether the kernel is there, and tells if it is not. */
  private async probe(): Promise<Loss | null> {
    const kernel = this.kernel;
    if (!kernel) return null;
    try {
      const model = await getKernelModel(kernel.id, this.settings);
      return model ? null : this.tell("gone");
    } catch (fault) {
      return this.tell(lossOf(fault));
    }
  }

  private tell(how: Loss): Loss {
    const before = this.loss;
    this.loss = how;
    if (how === "gone" || how === "closed") {
      this.kernel?.dispose();
      this.kernel = this.known = null;
    }
    this.listener.changed("dead");
    if (before !== how) this.listener.lost(how);
    this.lose(how);
    return how;
  }
}

const lossOf = (fault: unknown): Loss => {
  if (!(fault instanceof ServerConnection.ResponseError)) return "stopped";
  return fault.response.status === 403 ? "closed" : "gone";
};
