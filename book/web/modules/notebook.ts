// The cells of a page as a notebook: which run, in which order, and what is said of Python meanwhile.
import { type Act, Cell, PATIENCE } from "../running/cell.ts";
import { changedCells, rememberKernel, runningKernel } from "../running/remembered.ts";
import { type Loss, Session } from "../running/session.ts";
import { unseenCode } from "../running/unseen.ts";
import { words } from "../words/index.ts";
import type { Widgets } from "./widgets.ts";

export class Notebook {
  private readonly cells: Cell[];
  private readonly session: Session;
  private readonly ran = new Set<Cell>();
  private queue: Cell[] = [];
  private working = false;
  private opening: Promise<Loss | null> | null = null;
  private current: Cell | null = null;
  /** The cell that the reader asked for last, where Python is spoken of. */
  private asked: Cell | null = null;
  private widgets: Promise<Widgets> | null = null;
  private resumed = Promise.resolve();
  private loadWidgets = (): Promise<Widgets> => Promise.reject(new Error("no kernel"));
  private readonly announcer = document.createElement("div");

  constructor(base: string, code: Map<string, string>) {
    const bars = document.querySelectorAll<HTMLElement>(".cell-bar");
    this.cells = [...bars].map((bar) => new Cell(bar, code));
    const known = runningKernel();
    this.session = new Session(base, known?.id ?? null, {
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
          // The page's figures are not linked with it: their cells run again.
          const cells = this.cells.filter(
            ({ name, figure }) => known?.ran.includes(name) && !figure,
          );
          for (const cell of cells) this.ran.add(cell);
          // Before a cell opens more of them: the kernel's messages wait for what it opens.
          this.resumed = this.loadWidgets().then(
            () => {},
            () => {}, // show() will say so
          );
        }
        this.remember();
      },
      lost: (how) => this.lose(how),
    });
    this.announcer.className = "cells-announced";
    this.announcer.setAttribute("role", "status");
    document.body.append(this.announcer);
    void this.bringBack();
  }

  /** Does what a button in a cell's bar says. */
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

  /** What the reader wrote before the page was loaded again. */
  private async bringBack() {
    const texts = changedCells();
    for (const cell of this.cells) {
      const text = texts[cell.name];
      if (text !== undefined) await cell.edit(text);
    }
  }

  /** Runs a cell, and first those above it that have not run. */
  private async run(cell: Cell) {
    if (this.asked !== cell) this.asked?.settle();
    this.asked = cell;
    if (!(await this.ready())) return;
    const above = this.cells.slice(0, this.cells.indexOf(cell));
    const due = [...above.filter((other) => !this.ran.has(other)), cell];
    const more = due.filter((other) => !this.queue.includes(other) && other !== this.current);
    this.queue.push(...more);
    for (const other of more) other.wait();
    if (!this.working) await this.work();
  }

  /** Sees to it that there is a kernel, and knows which cells have run in it. */
  private async ready() {
    if (!this.session.id) this.asked?.say(words.starting);
    this.opening ??= this.session.open().finally(() => {
      this.opening = null;
    });
    const how = await this.opening;
    if (how) this.lose(how);
    const busy = () => this.asked?.say(words.busy, [this.interrupt]);
    const patience = setTimeout(busy, PATIENCE);
    await this.resumed;
    clearTimeout(patience);
    return !how;
  }

  private async work() {
    this.working = true;
    try {
      while ((this.current = this.queue.shift() ?? null)) await this.execute(this.current);
    } finally {
      this.current = null;
      this.working = false;
      this.abandon();
    }
  }

  private async execute(cell: Cell) {
    const outputs = cell.begin(() => this.loadWidgets(), this.interrupt);
    const ending = await this.session.run(cell, cell.text, outputs);
    if (ending === "lost") {
      await cell.end("lost");
      this.abandon();
      return; // lose() says what it was
    }
    const { differs, error } = await cell.end(ending === "ok" ? "done" : "failed");
    this.ran.add(cell);
    this.remember();
    if (ending === "error") this.fail(cell, error);
    else cell.say(differs ? words.differs : "", cell === this.asked ? [this.restart] : []);
    if (cell === this.asked && ending === "ok") this.announce(differs ? words.differs : words.done);
  }

  private fail(cell: Cell, error: string) {
    this.ran.delete(cell);
    this.remember();
    this.abandon();
    const asked = this.asked;
    const sentence = error.startsWith("KeyboardInterrupt") ? words.interrupted : "";
    cell.say(sentence, cell === asked ? [this.restart] : []);
    if (asked && asked !== cell) {
      const there = { name: "there", label: words.failedAbove, act: () => cell.scrollHere() };
      asked.say("", [there, this.restart]);
    }
    this.announce(sentence || words.failed(error));
  }

  /** Takes what waits out of the queue. */
  private abandon() {
    for (const cell of this.queue.splice(0)) cell.rest();
  }

  private readonly interrupt: Act = {
    name: "interrupt",
    label: words.interrupt,
    act: () => void this.session.interrupt(),
  };
  private readonly restart: Act = {
    name: "restart",
    label: words.restart,
    act: () => void this.forget(),
  };

  private async forget() {
    this.abandon();
    this.ran.clear(); // before the page may be loaded again
    this.remember();
    try {
      await this.session.restart();
    } catch {
      return; // lose() says why
    }
    for (const cell of this.cells) cell.disconnect();
    this.asked?.say(words.restarted);
    this.announce(words.restarted);
  }

  private lose(how: Loss) {
    this.abandon();
    if (how === "died" || how === "gone") {
      this.ran.clear();
      this.widgets = null;
      for (const cell of this.cells) cell.disconnect();
    }
    this.remember();
    const asked = this.asked;
    const again: Act = {
      name: "again",
      label: how === "stopped" ? words.retry : words.again,
      act: () => void (asked && this.run(asked)),
    };
    asked?.say(words[how], how === "closed" ? [] : [again]);
    this.announce(words[how]);
  }

  private remember() {
    const { id } = this.session;
    rememberKernel(id ? { id, ran: [...this.ran].map(({ name }) => name) } : null);
  }

  private announce(sentence: string) {
    this.announcer.textContent = sentence.replaceAll("`", "");
  }
}

export const open = async (base: string) => new Notebook(base, await unseenCode());
