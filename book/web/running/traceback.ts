// Shortens IPython tracebacks: a rule, a heading, a text for each frame, and the message.

const COLOUR = /\x1b\[[\d;]*m/g;
const FRAME = /^(Cell |File )/;
const RULE = /^-+$/;
const HEAD = /Traceback \(most recent call last\)$/;

export const plain = (text: string) => text.replace(COLOUR, "");

/** The frames of the reader's own code and the message; null if there are no other frames. */
export const ownFrames = (traceback: string[]): string[] | null => {
  const texts = traceback.map(plain);
  const own = (_: string, i: number) => {
    const text = texts[i]!;
    return FRAME.test(text) ? text.startsWith("Cell ") : !RULE.test(text) && !HEAD.test(text);
  };
  const kept = traceback.filter(own);
  const frames = texts.filter((text) => FRAME.test(text));
  return frames.some((text) => text.startsWith("File ")) ? kept : null;
};

/** The traceback without the rule and the heading, which repeats the message. */
export const withoutHeading = (traceback: string[]) =>
  traceback.filter((text) => !RULE.test(plain(text)) && !HEAD.test(plain(text)));
