// What a test of the tests' way into Node calls.
export const echo = <T>(x: T) => x;

export async function refuse(x: number) {
  throw new RangeError(`${x} is too much`);
}

export default { kinds: (xs: unknown[]) => xs.map((x) => typeof x) };
