// Rounds numbers to float16, for browsers without Float16Array.
const LARGEST = 65504;
const SMALLEST = 2 ** -14; // the smallest normal number
const FINEST = 2 ** -24; // the smallest subnormal number

/** Rounds to the nearest float16, ties to even. */
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
