// English interface strings of code cells.
import type { Strings } from "./cells.ts";

const strings: Strings = {
  starting: "starting Python …",
  waiting: "waits for the cells above",
  busy: "still running what it was told before the page was loaded again",
  running: (seconds) => `running for ${seconds} s`,
  interrupt: "Interrupt",
  restart: "Restart Python",
  again: "Run again",
  retry: "Try again",
  done: "Done.",
  failed: (error) => `Failed: ${error}`,
  interrupted: "Interrupted.",
  differs: "Not the output that the book has.",
  failedAbove: "A cell above failed, so this one did not run. Go there",
  restarted: "Python has started anew, without variables.",
  died: "Python ended unexpectedly and has started anew, without variables. What you wrote is still here.",
  gone: "This page’s Python is no longer there, nor are its variables. What you wrote is still here.",
  stopped:
    "The server does not answer. If it was stopped, run `make serve` again and open the address that it prints. What you wrote is still here.",
  closed:
    "The server was started anew, so it has a new address. Open the one that `make serve` has printed. What you wrote is still here.",
  notStarted: "Python did not start.",
  code: "Code of this cell. Escape, then Tab leaves it",
  output: "Output",
  picture: "The picture that this cell draws",
  wholeTraceback: "The whole traceback, libraries included",
  leftOut: "[earlier output left out]",
  input: "Python waits for a line. Enter sends it",
  noWidget: "This widget is not one that the page knows; in JupyterLab it works.",
};

export default strings;
