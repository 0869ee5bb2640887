// Runs the cells of a page as a notebook: queue, dependencies on cells above, and status messages.
import { type IIOPubMessage, isStreamMsg } from "@jupyterlab/services/lib/kernel/messages";
import { type Action, Cell, STATUS_DELAY } from "../running/cell.ts";
import { storedCells, storeKernel, storedKernel } from "../running/persistence.ts";
import { type Loss, Session } from "../running/session.ts";
import { hiddenCode } from "../running/hidden_code.ts";
import { forgetServer, hostOf, keptServer, type Server } from "../servers/server.ts";
import { strings } from "../strings/cells.ts";
import { t } from "../strings/servers.ts";
import type { Widgets } from "./widgets.ts";

export class Notebook {
  private readonly cells: Cell[];
  private readonly session: Session;
  private readonly ran = new Set<Cell>();
  private queue: Cell[] = [];
  private isRunning = false;
  private opening: Promise<Loss | null> | null = null;
  private current: Cell | null = null;
  /** The cell that the reader ran last; its bar shows the kernel's status. */
  private requested: Cell | null = null;
  private widgets: Promise<Widgets> | null = null;
  private resumed = Promise.resolve();
  private loadWidgets = (): Promise<Widgets> => Promise.reject(new Error("no kernel"));
  private readonly announcer = document.createElement("div");
  /** The server that the reader has chosen. */
  private server: Server | null = null;
  private hideUse = () => {};

  /** @param base the base URL of the page's own server; undefined: the reader chooses one */
  constructor(
    private readonly base: string | undefined,
    code: Map<string, string>,
  ) {
    const bars = document.querySelectorAll<HTMLElement>(".cell-bar");
    this.cells = [...bars].map((bar) => new Cell(bar, code));
    const known = storedKernel();
    this.session = new Session(known?.id ?? null, {
      changed: (state) => {
        document.body.dataset.kernel = state;
      },
      opened: (kernel, again) => {
        this.widgets = null;
        this.loadWidgets = () =>
          (this.widgets ??= import("./widgets.ts").then(({ connect }) => connect(kernel, again)));
        kernel.registerCommTarget("jupyter.widget", async (comm, message) =>
          (await this.loadWidgets()).open(comm, message),
        );
        if (again) {
          // After a reload the page's figures are not linked with the kernel: their cells must run again.
          const cells = this.cells.filter(
            ({ name, figure }) => known?.ran.includes(name) && !figure,
          );
          for (const cell of cells) this.ran.add(cell);
          // Load the models before a cell opens more: the kernel's messages wait for a comm to open.
          this.resumed = this.loadWidgets().then(
            () => {},
            () => {}, // show() reports the error
          );
        }
        this.store();
      },
      lost: (how) => this.handleLoss(how),
    });
    this.announcer.className = "cells-announced";
    this.announcer.setAttribute("role", "status");
    document.body.append(this.announcer);
    void this.restoreCells();
    if (base === undefined && keptServer()) void this.findServer(null);
  }

  /** Handles a click on a button in a cell's bar. */
  async act(button: HTMLElement) {
    const bar = button.closest<HTMLElement>(".cell-bar");
    const cell = this.cells.find(({ name }) => name === bar?.dataset.cell);
    if (!cell) return;
    if ("run" in button.dataset) await this.run(cell);
    if ("edit" in button.dataset) (await cell.edit()).focus();
    if ("reset" in button.dataset) {
      this.queue = this.queue.filter((other) => other !== cell);
      cell.reset();
    }
  }

  /**
   * Runs code that belongs to no cell, without a trace in the history, and returns what it printed.
   * @throws if no kernel can be reached, or the code fails
   */
  async ask(code: string): Promise<string> {
    if (!(await this.ensureKernel(null))) throw new Error("no kernel");
    let printed = "";
    const receive = (message: IIOPubMessage) => {
      if (isStreamMsg(message) && message.content.name === "stdout")
        printed += message.content.text;
    };
    const handler = { receive, showPage: () => {}, promptLine: () => Promise.resolve("") };
    const ending = await this.session.run({}, code, handler, false);
    if (ending !== "ok") throw new Error(`the kernel's answer: ${ending}`);
    return printed;
  }

  /** Restores the reader's edits after a reload. */
  private async restoreCells() {
    const texts = storedCells();
    for (const cell of this.cells) {
      const text = texts[cell.name];
      if (text !== undefined) await cell.edit(text);
    }
  }

  /** Runs a cell, and first those above it that have not run. */
  private async run(cell: Cell) {
    if (this.requested !== cell) this.requested?.clearActions();
    this.requested = cell;
    if (!(await this.ensureKernel(cell.bar))) return;
    const above = this.cells.slice(0, this.cells.indexOf(cell));
    const needed = [...above.filter((other) => !this.ran.has(other)), cell];
    const more = needed.filter((other) => !this.queue.includes(other) && other !== this.current);
    this.queue.push(...more);
    for (const other of more) other.wait();
    if (!this.isRunning) await this.runQueue();
  }

  /**
   * Finds the server: the page's own, or the one that the reader has chosen or now chooses.
   * @param bar where to ask; null: do not ask
   */
  private async findServer(bar: HTMLElement | null): Promise<Server | null> {
    if (this.base !== undefined) return { base: this.base, token: "", by: "page" };
    const { findServer, showUse } = await import("./servers.ts");
    const server = await findServer(bar);
    if (server && !this.server) {
      this.server = server;
      this.hideUse = showUse(server, () => this.disconnect());
      if (this.requested) this.announce(t("connected", { host: hostOf(server.base) }));
      window.askKernel = (code) => this.ask(code);
    }
    return server;
  }

  /** Leaves a server that the reader has chosen. */
  private disconnect() {
    const host = this.server ? hostOf(this.server.base) : "";
    this.leave();
    this.requested?.clearActions();
    this.announce(t("disconnected", { host }));
  }

  private leave() {
    forgetServer();
    this.hideUse();
    this.server = null;
    delete window.askKernel;
    this.session.leave();
    this.clearQueue();
    this.ran.clear();
    this.store();
    for (const cell of this.cells) cell.disconnect();
  }

  /** Ensures that a kernel is connected and its state restored. */
  private async ensureKernel(bar: HTMLElement | null) {
    const server = await this.findServer(bar);
    if (!server) return false;
    if (!this.session.id) this.requested?.showStatus(strings.starting);
    this.opening ??= this.session.open(server).finally(() => {
      this.opening = null;
    });
    const how = await this.opening;
    if (how) this.handleLoss(how);
    const busy = () => this.requested?.showStatus(strings.busy, [this.interrupt]);
    const timer = setTimeout(busy, STATUS_DELAY);
    await this.resumed;
    clearTimeout(timer);
    return !how;
  }

  private async runQueue() {
    this.isRunning = true;
    try {
      while ((this.current = this.queue.shift() ?? null)) await this.execute(this.current);
    } finally {
      this.current = null;
      this.isRunning = false;
      this.clearQueue();
    }
  }

  private async execute(cell: Cell) {
    const outputs = cell.begin(() => this.loadWidgets(), this.interrupt);
    const ending = await this.session.run(cell, cell.text, outputs);
    if (ending === "lost") {
      await cell.end("lost");
      this.clearQueue();
      return; // handleLoss() shows why
    }
    const { differs, error } = await cell.end(ending === "ok" ? "done" : "failed");
    this.ran.add(cell);
    this.store();
    if (ending === "error") this.fail(cell, error);
    else
      cell.showStatus(
        differs ? strings.differs : "",
        cell === this.requested ? [this.restart] : [],
      );
    if (cell === this.requested && ending === "ok")
      this.announce(differs ? strings.differs : strings.done);
  }

  private fail(cell: Cell, error: string) {
    this.ran.delete(cell);
    this.store();
    this.clearQueue();
    const requested = this.requested;
    const sentence = error.startsWith("KeyboardInterrupt") ? strings.interrupted : "";
    cell.showStatus(sentence, cell === requested ? [this.restart] : []);
    if (requested && requested !== cell) {
      const there = { name: "there", label: strings.failedAbove, run: () => cell.scrollHere() };
      requested.showStatus("", [there, this.restart]);
    }
    this.announce(sentence || strings.failed(error));
  }

  /** Removes the waiting cells from the queue. */
  private clearQueue() {
    for (const cell of this.queue.splice(0)) cell.stopWaiting();
  }

  private readonly interrupt: Action = {
    name: "interrupt",
    label: strings.interrupt,
    run: () => void this.session.interrupt(),
  };
  private readonly restart: Action = {
    name: "restart",
    label: strings.restart,
    run: () => void this.restartKernel(),
  };

  private async restartKernel() {
    this.clearQueue();
    this.ran.clear(); // before the restart, as the page may be reloaded meanwhile
    this.store();
    try {
      await this.session.restart();
    } catch {
      return; // handleLoss() shows why
    }
    for (const cell of this.cells) cell.disconnect();
    this.requested?.showStatus(strings.restarted);
    this.announce(strings.restarted);
  }

  private handleLoss(how: Loss) {
    this.clearQueue();
    if (how === "died" || how === "gone") {
      this.ran.clear();
      this.widgets = null;
      for (const cell of this.cells) cell.disconnect();
    }
    this.store();
    const requested = this.requested;
    const again: Action = {
      name: "again",
      label: how === "stopped" ? strings.retry : strings.again,
      run: () => void (requested && this.run(requested)),
    };
    const elsewhere: Action = {
      name: "elsewhere",
      label: t("elsewhere"),
      run: () => {
        this.leave();
        requested?.showStatus("");
        if (requested) void this.run(requested);
      },
    };
    const sentence = this.sentenceFor(how);
    const actions = how === "closed" ? [] : [again];
    if (this.base === undefined && how !== "died") actions.push(elsewhere);
    requested?.showStatus(sentence, actions);
    this.announce(sentence);
  }

  /** Says what was lost, with the name of a server that the reader has chosen. */
  private sentenceFor(how: Loss) {
    if (!this.server || how === "died" || how === "gone") return strings[how];
    const key = this.server.by === "binder" ? "stoppedBinder" : "stopped";
    return t(key, { host: hostOf(this.server.base) });
  }

  private store() {
    const { id } = this.session;
    storeKernel(id ? { id, ran: [...this.ran].map(({ name }) => name) } : null);
  }

  private announce(sentence: string) {
    this.announcer.textContent = sentence.replaceAll("`", "");
  }
}

/** @param base the base URL of the page's own server; undefined: the reader chooses one */
export const open = async (base?: string) => new Notebook(base, await hiddenCode());
