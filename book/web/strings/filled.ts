// Fills the {parts} of an interface string in.
export const filled = (text: string, parts: Record<string, string | number>): string =>
  Object.entries(parts).reduce(
    (rest, [name, part]) => rest.replace(`{${name}}`, () => String(part)),
    text,
  );
