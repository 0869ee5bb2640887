// English interface strings of code cells.
import type { Strings } from "./cells.ts";

const strings: Strings = {
  starting: "starting Python …",
  waiting: "waiting for the cells above",
  busy: "still running code from before the page was reloaded",
  running: (seconds) => `running for ${seconds} s`,
  interrupt: "Interrupt",
  restart: "Restart Python",
  again: "Run again",
  retry: "Try again",
  done: "Done.",
  failed: (error) => `Failed: ${error}`,
  interrupted: "Interrupted.",
  differs: "This is not the output in the book.",
  failedAbove: "A cell above failed, so this one did not run. Go there",
  restarted: "Python has been restarted; its variables are gone.",
  died: "Python ended unexpectedly and was restarted; its variables are gone. What you wrote is still here.",
  gone: "This page’s Python has ended, and its variables are gone. What you wrote is still here.",
  stopped:
    "The server does not answer. If it was stopped, run `make serve` again and open the address that it prints. What you wrote is still here.",
  closed:
    "The server was restarted, so it has a new address. Open the one that `make serve` printed. What you wrote is still here.",
  notStarted: "Python did not start.",
  code: "Code of this cell. Press Escape, then Tab, to leave it",
  output: "Output",
  picture: "The picture that this cell draws",
  wholeTraceback: "The whole traceback, including libraries",
  leftOut: "[earlier output left out]",
  input: "Python is waiting for a line. Enter sends it",
  noWidget: "This page does not support this widget; it works in JupyterLab.",
};

export default strings;
