// A traceback as IPython sends it: a line, a head, a text for each frame, and the message.

const COLOUR = /\x1b\[[\d;]*m/g;
const FRAME = /^(Cell |File )/;
const RULE = /^-+$/;
const HEAD = /Traceback \(most recent call last\)$/;

export const plain = (text: string) => text.replace(COLOUR, "");

/** The frames of the reader's own code and the message; null if that is all there is. */
export const trimmed = (traceback: string[]): string[] | null => {
  const texts = traceback.map(plain);
  const own = (_: string, i: number) => {
    const text = texts[i]!;
    return FRAME.test(text) ? text.startsWith("Cell ") : !RULE.test(text) && !HEAD.test(text);
  };
  const kept = traceback.filter(own);
  const frames = texts.filter((text) => FRAME.test(text));
  return frames.some((text) => text.startsWith("File ")) ? kept : null;
};

/** Without the line across the page and the head, which says what the message says again. */
export const whole = (traceback: string[]) =>
  traceback.filter((text) => !RULE.test(plain(text)) && !HEAD.test(plain(text)));
