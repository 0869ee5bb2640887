// @ts-check
// The whole screen, for a lecture. Browsers take their time, and another lecture may begin meanwhile.
"use strict";

const wholeScreen = (() => {
  /** When the lecture before has given it back. @type {Promise<void>} */
  let given = Promise.resolve();
  /** @type {AbortSignal | undefined} */
  let over;

  const giveBack = () => {
    if (document.fullscreenElement) given = document.exitFullscreen().catch(() => {});
  };

  /** Whoever may not have it has the window. */
  /** @param {AbortSignal} signal that the lecture is over @param {() => void} onLost */
  const take = (signal, onLost) => {
    let full = false; // that the lecture before gave it back may be told only now
    const onChange = () => {
      if (document.fullscreenElement) full = true;
      else if (full) onLost();
    };
    over = signal;
    document.addEventListener("fullscreenchange", onChange, { signal });
    const taken = async () => {
      await given;
      if (!signal.aborted) await document.documentElement.requestFullscreen?.();
      if (over?.aborted) giveBack(); // it came too late
    };
    taken().catch(() => {});
  };

  return { giveBack, take };
})();
