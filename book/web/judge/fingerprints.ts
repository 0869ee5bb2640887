// Finds the stored runs that a run may equal, by the fingerprints of engine/export.py.
import { ERROR, OTHER, RIGHT, type Runs } from "./data.ts";
import { close, isClose, type Run, type Seen } from "./running.ts";

const MEANS = 2;
const ROUNDING = 5e-6; // of what is stored, which has 5 decimals and 6 digits
// Less than in isClose: a mean hides a difference in few entries, and rounding differs by about 1e-6.
const TOLERANCE = 4e-6;

/** Return the ids of the runs that a run equals up to rounding. */
export function matches(run: Run, values: (Seen | null)[], right: Seen[], runs: Runs): Set<number> {
  if (run.error) return new Set([ERROR]);
  const found = new Set<number>();
  if (right.every((one, i) => close(values[i] ?? null, one))) found.add(RIGHT);
  const shapes = JSON.stringify(values.map((one) => one?.shape));
  const own = values.map((one) => prints(one?.entries ?? new Float64Array()));
  let at = 0;
  for (const [i, shape] of runs.shape.entries()) {
    const theirs = runs.shapes[shape]!;
    const isSame = JSON.stringify(theirs) === shapes;
    let isMatch = isSame && values.every((one) => one?.entries);
    for (const [k, sizes] of theirs.entries()) {
      const n = sizes.reduce((a, b) => a * b, 1);
      const used = Math.min(n, MEANS);
      let odd = "";
      const stored = runs.prints.slice(at, at + used);
      at += used;
      if (n > MEANS && typeof runs.prints[at] === "string") odd = runs.prints[at++] as string;
      isMatch &&= odd === own[k]!.odd && stored.every((x, j) => isNear(own[k]!, x as number, j));
    }
    if (isMatch) found.add(OTHER + i);
  }
  return found;
}

interface Prints {
  means: number[];
  /** Whether the means are the entries themselves, because they are few. */
  isWhole: boolean;
  odd: string;
}

const isNear = ({ means, isWhole }: Prints, x: number, j: number) =>
  isWhole
    ? isClose(means[j]!, x, ROUNDING)
    : Math.abs(means[j]! - x) <= TOLERANCE + ROUNDING * Math.max(1, Math.abs(x));

function prints(entries: Float64Array): Prints {
  if (entries.length <= MEANS) return { means: [...entries], isWhole: true, odd: "" };
  const small = entries.map((x) => (Number.isFinite(x) ? Math.asinh(x) : 0));
  const mean = (numbers: Float64Array, j: number) => {
    const own = weights(j, numbers.length);
    return numbers.reduce((sum, x, i) => sum + own[i]! * x, 0);
  };
  const both = [...Array(MEANS).keys()];
  let odd = 0;
  for (const x of entries) {
    const kind = Number.isFinite(x) ? 0 : Number.isNaN(x) ? 1 : x > 0 ? 2 : 3;
    odd = (Math.imul(odd, 31) + kind) >>> 0;
  }
  return {
    means: both.map((j) => mean(small, j)),
    isWhole: false,
    odd: odd ? odd.toString(16) : "",
  };
}

/** Return n positive weights that sum to 1, the same as in Python. */
function weights(j: number, n: number): number[] {
  const raw = Array.from(
    { length: n },
    (_, i) => 1 + (Math.imul(Math.imul(i + 1, 2654435761), 2 * j + 3) >>> 0) / 2 ** 31,
  );
  const total = raw.reduce((a, b) => a + b);
  return raw.map((x) => x / total);
}
