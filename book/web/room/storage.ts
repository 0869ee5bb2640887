// Reads and writes JSON in localStorage, which start.ts has made safe; an invalid text is null.

export const readStored = <T>(key: string): T | null => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
};

export const store = (key: string, value: unknown) =>
  localStorage.setItem(key, JSON.stringify(value));
