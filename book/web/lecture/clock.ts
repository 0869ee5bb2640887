// Measures the elapsed time of a lecture, without breaks, against the planned time.

const PLANNED = "lecture-minutes"; // in localStorage, for the next lecture

export interface Clock {
  /** Seconds of the lecture so far. */
  spent: () => number;
  paused: () => boolean;
  /** Toggles a break. */
  pause: () => void;
  /** Minutes, or 0 if nothing is planned. */
  planned: () => number;
  plan: (minutes: string) => void;
}

export const startClock = (): Clock => {
  let before = 0; // milliseconds before the last break
  let since: number | null = Date.now();
  const spent = () => before + (since === null ? 0 : Date.now() - since);
  return {
    spent: () => Math.floor(spent() / 1000),
    paused: () => since === null,
    pause: () => {
      before = spent();
      since = since === null ? Date.now() : null;
    },
    planned: () => Number(localStorage.getItem(PLANNED)) || 0,
    plan: (minutes) => {
      const number = Math.round(Number(minutes.normalize("NFKC")));
      localStorage.setItem(PLANNED, String(number > 0 ? number : 0));
    },
  };
};

/** Formats seconds as formatTime and seconds, such as 12:05. */
export const formatTime = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
