// Judges in a worker: a question comes as a message, and its verdict goes back as one.
//
// Before each run of the reader's code, the worker sends the verdict that holds if the run does not
// end: the page ends the worker after some seconds.
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";
import WASM from "@micropython/micropython-webassembly-pyscript/micropython.wasm";
import { makeJudge, type Question } from "./judge.ts";

const HEAP = 4 * 1024 * 1024; // a larger one is slower, as each collection walks through all of it

async function load() {
  const packed = (await fetch(WASM)).body!.pipeThrough(new DecompressionStream("gzip"));
  const headers = { "content-type": "application/wasm" };
  const url = URL.createObjectURL(await new Response(packed, { headers }).blob());
  return makeJudge(await loadMicroPython({ heapsize: HEAP, stdout: () => {}, url }));
}

const loaded = load();

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  try {
    const judge = await loaded;
    postMessage({ verdict: judge(data, (late) => postMessage({ late })) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
