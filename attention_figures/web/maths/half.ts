// Numbers as float16 holds them, for a browser that has no such arrays.
const LARGEST = 65504;
const SMALLEST = 2 ** -14; // of those with all 11 bits
const FINEST = 2 ** -24;

/** The nearest number of float16; of two equally near ones the even. */
export function half(x: number): number {
  if (!Number.isFinite(x) || x === 0) return x;
  const size = Math.abs(x);
  const step = size < SMALLEST ? FINEST : 2 ** (Math.floor(Math.log2(size)) - 10);
  const near = even(size / step) * step;
  return Math.sign(x) * (near > LARGEST ? Infinity : near);
}

function even(x: number): number {
  const whole = Math.floor(x);
  if (x - whole !== 0.5) return Math.round(x);
  return whole % 2 ? whole + 1 : whole;
}
