// Counts days in the reader's time zone. A day begins at four in the morning, so that the evening belongs to it.

const HOUR = 3600e3;
const BEGINS = 4 * HOUR;

/** The number of the day of a moment, counted from 1970. */
export const dayOf = (moment: number): number => {
  const offset = new Date(moment).getTimezoneOffset() * 60e3;
  return Math.max(0, Math.floor((moment - offset - BEGINS) / (24 * HOUR)));
};

export const today = (): number => dayOf(Date.now());

/** A moment in the middle of a day, for its date. */
export const dateOf = (day: number): Date => {
  const noon = new Date(day * 24 * HOUR + 12 * HOUR);
  return new Date(noon.getTime() + noon.getTimezoneOffset() * 60e3);
};
