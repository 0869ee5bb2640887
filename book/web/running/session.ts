// Manages the kernel of a page: start or reconnect, run code, and detect its loss.
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
import type { Server } from "../servers/server.ts";
import { CommsOverSubshells } from "./services_stub.ts";

export type State = "none" | "starting" | "idle" | "busy" | "dead";
/** Why a kernel was lost: it crashed, it no longer exists, the server stopped, or needs the token. */
export type Loss = "died" | "gone" | "stopped" | "closed";
/** How a run of code ended. */
export type Ending = "ok" | "error" | "lost";

/** Handles the messages of a run. */
export interface OutputHandler {
  /** IOPub messages, also those of threads that go on after the run. */
  receive(message: IIOPubMessage): void;
  /** Pager payloads, such as the help of `torch.softmax?`. */
  showPage(data: IMimeBundle): void;
  /** Returns the line that `input()` waits for. */
  promptLine(prompt: string, isSecret: boolean): Promise<string>;
}

interface Pager {
  source: string;
  data: IMimeBundle;
}

const STATES: Record<string, State> = { busy: "busy", idle: "idle", dead: "dead" };

interface Listener {
  changed: (state: State) => void;
  opened: (kernel: KernelConnection, again: boolean) => void;
  /** The variables are lost, unless the server has only stopped answering. */
  lost: (how: Loss) => void;
}

export class Session {
  private kernel: KernelConnection | null = null;
  private loss: Loss | null = null;
  private lose: (how: Loss) => void = () => {};
  private lost: Promise<Loss> = Promise.resolve("gone");
  private readonly futures = new WeakMap<object, Pick<IShellFuture, "dispose">>();
  private settings: ServerConnection.ISettings | undefined;

  /** @param known id of an earlier kernel */
  constructor(
    private known: string | null,
    private readonly listener: Listener,
  ) {}

  get id() {
    return this.kernel?.id ?? null;
  }

  /**
   * Runs code for a cell; messages of the cell's previous run are ignored from here on.
   * @param store_history whether `In`, `Out` and the numbers of runs know of it
   */
  async run(
    cell: object,
    code: string,
    handler: OutputHandler,
    store_history = true,
  ): Promise<Ending> {
    const kernel = this.kernel;
    if (!kernel) return "lost";
    this.futures.get(cell)?.dispose();
    const future = kernel.requestExecute({ code, allow_stdin: true, store_history }, false);
    this.futures.set(cell, future);
    future.onIOPub = (message) => handler.receive(message); // returning a promise would delay the next message
    future.onStdin = (message) => {
      if (!isInputRequestMsg(message)) return;
      const { prompt, password } = message.content;
      void handler.promptLine(prompt, password).then((value) => {
        if (!future.isDisposed) future.sendInputReply({ status: "ok", value }, message.header);
      });
    };
    const replied = future.done.then(
      (reply) => this.ending(reply as IExecuteReplyMsg, handler),
      () => "lost" as const, // the kernel ended or was restarted
    );
    return Promise.race([replied, this.lost.then(() => "lost" as const)]);
  }

  private ending({ content }: IExecuteReplyMsg, handler: OutputHandler): Ending {
    if (content.status !== "ok") return "error";
    for (const { source, data } of (content.payload ?? []) as unknown as Pager[])
      if (source === "page") handler.showPage(data);
    return "ok";
  }

  interrupt = () => this.kernel?.interrupt().catch(() => this.probe());

  /** Restarts the kernel; rejects if it cannot be reached. */
  async restart() {
    try {
      await this.kernel?.restart();
    } catch (error) {
      await this.probe();
      throw error;
    }
    if (this.kernel) this.listener.opened(this.kernel, false);
  }

  /** Ends the kernel, which nothing else would do at a reader's own server, and forgets it. */
  leave() {
    const kernel = this.kernel;
    this.kernel = this.known = this.loss = null;
    kernel?.shutdown().catch(() => kernel.dispose());
    this.lose("gone");
    this.listener.changed("none");
  }

  /** Connects to a kernel of a server or starts one; returns the loss if that fails. */
  async open(server: Server): Promise<Loss | null> {
    this.settings = settingsOf(server);
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
    } catch (error) {
      return this.reportLoss(lossOf(error));
    }
  }

  private connect(kernel: KernelConnection, again: boolean) {
    this.kernel = kernel;
    this.known = kernel.id;
    // Widget messages wait for the running cell: matplotlib is not thread-safe.
    kernel.commsOverSubshells = CommsOverSubshells.Disabled;
    this.recover();
    kernel.statusChanged.connect((_, status) => {
      if (kernel !== this.kernel) return;
      if (status === "autorestarting") this.reportLoss("died");
      else if (status === "dead") void this.probe().then((how) => how ?? this.reportLoss("gone"));
      else this.reportState(STATES[status] ?? "starting");
    });
    kernel.connectionStatusChanged.connect((_, status) => {
      if (kernel === this.kernel && status !== "connected") void this.probe();
    });
    this.listener.opened(kernel, again);
  }

  /** Reports the state. A lost kernel counts as dead until it is idle: the server restarts it. */
  private reportState(state: State) {
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

  /** Reconnects to the kernel after the server did not answer. */
  private async find(): Promise<Loss | null> {
    const how = await this.probe();
    if (how || !this.kernel) return how;
    this.recover();
    await this.kernel.reconnect().catch(() => {});
    return null;
  }

  /** Asks the server whether the kernel exists; reports its loss if not. */
  private async probe(): Promise<Loss | null> {
    const kernel = this.kernel;
    if (!kernel) return null;
    try {
      const model = await getKernelModel(kernel.id, this.settings);
      return model ? null : this.reportLoss("gone");
    } catch (error) {
      return this.reportLoss(lossOf(error));
    }
  }

  private reportLoss(how: Loss): Loss {
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

const settingsOf = ({ base, token, by }: Server) => {
  const { href, protocol } = new URL(base, location.href);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`no server is at ${href}`);
  const urls = { baseUrl: href, wsUrl: href.replace(/^http/, "ws"), token };
  if (by === "page") return ServerConnection.makeSettings(urls);
  return ServerConnection.makeSettings({
    ...urls,
    appendToken: token !== "", // a browser's WebSocket has no other place for it
    init: { cache: "no-store", credentials: "omit" },
    fetch: withoutXsrf,
  });
};

/** Fetches without the header in which @jupyterlab/services would send this site's cookie elsewhere. */
const withoutXsrf: typeof fetch = (request, init) => {
  if (request instanceof Request) request.headers.delete("X-XSRFToken");
  return fetch(request, init);
};

const lossOf = (error: unknown): Loss => {
  if (!(error instanceof ServerConnection.ResponseError)) return "stopped";
  return error.response.status === 403 ? "closed" : "gone";
};
