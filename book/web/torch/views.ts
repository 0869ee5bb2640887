// Defines strided views of typed arrays: what a tensor is to the module `torch` in MicroPython.
//
// All numbers are computed in double precision and rounded when they are stored.

export type Dtype = "bool" | "int32" | "int64" | "float32" | "float64";
type Data = Uint8Array | Int32Array | Float32Array | Float64Array;
export type Numbers = ArrayLike<number>;

/** From the lowest to the highest, as torch promotes them. */
export const DTYPES: readonly Dtype[] = ["bool", "int32", "int64", "float32", "float64"];
// An int64 is stored as a double, which is exact below 2 ** 53. Larger numbers are refused.
const ARRAYS = {
  bool: Uint8Array,
  int32: Int32Array,
  int64: Float64Array,
  float32: Float32Array,
  float64: Float64Array,
};
const LARGEST = { int32: 2 ** 31 - 1, int64: 2 ** 53 - 1 };
/** torch's words for dtypes in its messages. */
export const WORDS = {
  bool: "Bool",
  int32: "Int",
  int64: "Long",
  float32: "Float",
  float64: "Double",
};
export const C_WORDS = {
  bool: "bool",
  int32: "int",
  int64: "long int",
  float32: "float",
  float64: "double",
};

/** An exception that Python code shall see. */
export class TorchError extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}
export const runtimeError = (message: string) => new TorchError("RuntimeError", message);
export const indexError = (message: string) => new TorchError("IndexError", message);
export const notImplemented = (kernel: string, dtype: Dtype) =>
  new TorchError("NotImplementedError", `"${kernel}" not implemented for '${WORDS[dtype]}'`);
/** A refusal: the module never guesses what torch would do. */
export const unavailable = (name: string) => new TorchError("Unavailable", name);

export class View {
  constructor(
    readonly data: Data,
    readonly dtype: Dtype,
    readonly shape: number[],
    readonly strides: number[] = contiguousStrides(shape),
    readonly offset = 0,
    /** Whether this is a Python number, which has the least say in promotion. */
    readonly isNumber = false,
  ) {}

  get ndim(): number {
    return this.shape.length;
  }

  get numel(): number {
    return count(this.shape);
  }

  /** Return the same storage seen otherwise. */
  as(shape: number[], strides: number[], offset = this.offset): View {
    return new View(this.data, this.dtype, shape, strides, offset);
  }
}

export const count = (shape: readonly number[]) => shape.reduce((n, size) => n * size, 1);
export const listed = (shape: readonly number[]) => `[${shape.join(", ")}]`;
export const same = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((x, i) => x === b[i]);
export const category = (dtype: Dtype) => (dtype === "bool" ? 0 : isFloating(dtype) ? 2 : 1);
export const isFloating = (dtype: Dtype) => dtype.startsWith("float");
export const floatOf = (dtype: Dtype): Dtype => (isFloating(dtype) ? dtype : "float32");
export const spliced = <T>(list: readonly T[], at: number, gone: number, ...added: T[]) => [
  ...list.slice(0, at),
  ...added,
  ...list.slice(at + gone),
];
export const range = (n: number) => Array.from({ length: n }, (_, i) => i);

export function contiguousStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    strides[d] = step;
    step *= Math.max(shape[d], 1);
  }
  return strides;
}

/** Return where the entries of a view lie in its storage, once it is broadcast to a shape. */
export function positions(
  { shape: own, strides, offset }: Pick<View, "shape" | "strides" | "offset">,
  shape: readonly number[] = own,
): Int32Array {
  const found = new Int32Array(count(shape));
  if (!found.length) return found;
  found[0] = offset;
  let n = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const at = d - shape.length + own.length;
    const step = at < 0 || own[at] === 1 ? 0 : strides[at];
    for (let i = n; i < n * shape[d]; i++) found[i] = found[i - n] + step;
    n *= shape[d];
  }
  return found;
}

/** Return the numbers of a view that is broadcast to a shape, in the order of its rows. */
export function read(view: View, shape?: readonly number[]): Float64Array {
  const at = positions(view, shape);
  const numbers = new Float64Array(at.length);
  for (let i = 0; i < at.length; i++) numbers[i] = view.data[at[i]];
  return numbers;
}

/** Return the number that a dtype stores for x. */
export function stored(x: number, dtype: Dtype): number {
  if (dtype === "float64") return x;
  if (dtype === "float32") return Math.fround(x);
  if (dtype === "bool") return Number(x !== 0);
  if (!(Math.abs(x) <= LARGEST[dtype as "int64"]))
    throw unavailable(`A number beyond ±${LARGEST[dtype as "int64"]} in \`torch.${dtype}\``);
  return Math.trunc(x) + 0; // not −0
}

/** Make a contiguous tensor. */
export function build(dtype: Dtype, shape: number[], numbers: Numbers): View {
  const data = new ARRAYS[dtype](numbers.length);
  for (let i = 0; i < data.length; i++) data[i] = stored(numbers[i], dtype);
  return new View(data, dtype, shape);
}

/**
 * Make the result of an operation entry by entry. Its memory has the order of the operands, as in
 * torch: the transpose of a tensor plus 1 is not contiguous either, and `view` refuses it.
 */
export function buildLike(dtype: Dtype, shape: number[], numbers: Numbers, ...views: View[]): View {
  const made = build(dtype, shape, numbers);
  if (!made.numel && views.length === 1) return made.as(shape, views[0].strides);
  if (views.every((view) => same(view.shape, shape) && isContiguous(view))) return made;
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (const dim of fromFastest(shape, views)) {
    strides[dim] = step;
    step *= Math.max(shape[dim], 1);
  }
  const result = new View(new ARRAYS[dtype](numbers.length), dtype, shape, strides);
  positions(result).forEach((place, i) => (result.data[place] = made.data[i]));
  return result;
}

/** Sort dimensions as torch's TensorIterator does, from the one with the smallest steps. */
function fromFastest(shape: number[], views: View[]): number[] {
  const steps = views.map(({ shape: own, strides }) =>
    shape.map((size, d) => {
      const at = d - shape.length + own.length;
      return at < 0 || (own[at] === 1 && size !== 1) ? 0 : strides[at];
    }),
  );
  /** −1: a is faster than b; 1: slower; 0: no operand tells. */
  const compared = (a: number, b: number) => {
    for (const step of steps) {
      if (step[a] === 0 || step[b] === 0) continue;
      if (step[a] !== step[b]) return step[a] < step[b] ? -1 : 1;
      if (shape[a] > shape[b]) return 1;
    }
    return 0;
  };
  const order = range(shape.length).reverse();
  for (let i = 1; i < order.length; i++)
    for (let [low, at] = [i - 1, i]; low >= 0; low--) {
      const comparison = compared(order[low], order[at]);
      if (comparison < 0) break;
      if (comparison === 0) continue;
      [order[low], order[at]] = [order[at], order[low]];
      at = low;
    }
  return order;
}

export const to = (view: View, dtype: Dtype) => buildLike(dtype, view.shape, read(view), view);
export const isContiguous = (view: View) => same(...sizedStrides(view)) || view.numel === 0;

/** Return the strides of the axes that are longer than 1, and those of a contiguous tensor. */
function sizedStrides({ shape, strides }: View): [number[], number[]] {
  const kept = (all: number[]) => all.filter((_, d) => shape[d] !== 1);
  return [kept(strides), kept(contiguousStrides(shape))];
}

/** Return the common shape of operands; an error names the last dimension that differs. */
export function broadcast(a: readonly number[], b: readonly number[]): number[] {
  const n = Math.max(a.length, b.length);
  const shape = new Array<number>(n);
  for (let d = n - 1; d >= 0; d--) {
    const [one, other] = [a[d - n + a.length] ?? 1, b[d - n + b.length] ?? 1];
    if (one !== other && one !== 1 && other !== 1)
      throw runtimeError(
        `The size of tensor a (${one}) must match the size of tensor b (${other}) ` +
          `at non-singleton dimension ${d}`,
      );
    shape[d] = one === 1 ? other : one;
  }
  return shape;
}

const higher = (a: Dtype, b: Dtype) => DTYPES[Math.max(DTYPES.indexOf(a), DTYPES.indexOf(b))];

/** Promote as torch does: tensors before 0-d tensors before Python numbers, if of one category. */
export function resultType(...views: View[]): Dtype {
  const levels: (Dtype | undefined)[] = [undefined, undefined, undefined];
  for (const view of views) {
    const level = view.isNumber ? 2 : view.ndim ? 0 : 1;
    const dtype = view.isNumber && isFloating(view.dtype) ? "float32" : view.dtype;
    levels[level] = higher(levels[level] ?? "bool", dtype);
  }
  const [tensors, scalars, numbers] = levels;
  return combined(tensors, combined(scalars, numbers)) as Dtype;
}

function combined(first?: Dtype, second?: Dtype): Dtype | undefined {
  if (!first || !second) return first ?? second;
  return category(first) >= category(second) ? first : higher(first, second);
}

/** Return a dimension as a number from 0, for a tensor of `ndim` dimensions. */
export function dimension(dim: number, ndim: number): number {
  const n = Math.max(ndim, 1);
  if (dim < -n || dim >= n)
    throw indexError(
      `Dimension out of range (expected to be in range of [${-n}, ${n - 1}], but got ${dim})`,
    );
  return dim < 0 ? dim + n : dim;
}

/** Return several dimensions as numbers from 0. */
export function dimensions(dims: readonly number[], ndim: number): number[] {
  const found = dims.map((dim) => dimension(dim, ndim));
  const twice = found.find((dim, i) => found.indexOf(dim) < i);
  if (twice !== undefined)
    throw runtimeError(`dim ${twice} appears multiple times in the list of dims`);
  return found;
}

/** Write numbers into a view, whose shape they have; `sources` are what they were computed from. */
export function write(view: View, numbers: Numbers, ...sources: View[]): View {
  refuseShared(view);
  const at = positions(view);
  for (const source of sources) refuseOverlap(view, at, source);
  return store(view, at, numbers);
}

/** Write one number everywhere, which torch allows in expanded views too. */
export const fill = (view: View, x: number) => {
  const at = positions(view);
  return store(view, at, new Float64Array(at.length).fill(x));
};

/** Write numbers to places of the storage of a view: all of them, or none if one is refused. */
export function store(view: View, at: Int32Array, numbers: Numbers): View {
  const rounded = Array.from(numbers, (x) => stored(x, view.dtype));
  at.forEach((place, i) => (view.data[place] = rounded[i]));
  return view;
}

/** Refuse to write into an expanded view. */
export function refuseShared(view: View): void {
  if (view.shape.some((size, d) => size > 1 && view.strides[d] === 0))
    throw runtimeError(
      "unsupported operation: more than one element of the written-to tensor refers to a single " +
        "memory location. Please clone() the tensor before performing the operation.",
    );
}

/** Refuse to write where a source lies, unless it is the same view and this is allowed. */
export function refuseOverlap(view: View, at: Int32Array, source: View, allowed = true): void {
  if (source.data !== view.data) return;
  const own = positions(source);
  if (allowed && same(source.shape, view.shape) && own.every((place, i) => place === at[i])) return;
  const written = new Set(at);
  if (!own.some((place) => written.has(place))) return;
  // torch writes in an order of its own if gaps lie between the entries.
  if (!isDense(at) || !isDense(own))
    throw unavailable("`Tensor.copy_` between views that overlap with gaps");
  throw runtimeError(
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to " +
      "a single memory location. Please clone() the tensor before performing the operation.",
  );
}

const isDense = (at: Int32Array) =>
  new Set(at).size === at.length &&
  at.reduce((a, b) => Math.max(a, b)) - at.reduce((a, b) => Math.min(a, b)) === at.length - 1;
