// Measures how long a lecture has taken, without its breaks, against the length that was planned.

const PLANNED = "lecture-minutes"; // kept for the next lecture

export interface Clock {
  /** Seconds of the lecture so far. */
  spent: () => number;
  paused: () => boolean;
  /** Stops it for a break, or lets it go on. */
  pause: () => void;
  /** Minutes, or 0 where nothing is planned. */
  planned: () => number;
  plan: (minutes: string) => void;
}

export const startClock = (): Clock => {
  let before = 0; // milliseconds until it was stopped last
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

/** Minutes and seconds, as 12:05. */
export const minutes = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
