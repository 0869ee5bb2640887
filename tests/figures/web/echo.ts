// Functions for the test of calls from Python.
export const echo = <T>(x: T) => x;

export async function refuse(x: number) {
  throw new RangeError(`${x} is too much`);
}

export default { kinds: (xs: unknown[]) => xs.map((x) => typeof x) };
