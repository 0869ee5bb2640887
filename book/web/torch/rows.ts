// Computes along dimensions: reductions, scans, products of matrices and einsum.
import {
  broadcast,
  build,
  C_WORDS,
  count,
  type Dtype,
  dimension,
  dimensions,
  floatOf,
  indexError,
  isFloating,
  listed,
  notImplemented,
  range,
  positions,
  read,
  runtimeError,
  stored,
  unavailable,
  View,
  WORDS,
} from "./views.ts";
import { expand, permute, reshape, viewStrides } from "./shapes.ts";

type Row = Float64Array;
/** How the dtype of a result follows: "sum" makes whole numbers int64. */
type Kind = "same" | "float" | "bool" | "sum" | "int64";

const FLOAT32_MAX = (2 - 2 ** -23) * 2 ** 127;

const total = (row: Row) => row.reduce((sum, x) => sum + x, 0);

/** Sum the numbers of a dtype: where float32 could overflow on the way, round every sum. */
function sumOf(row: Row, dtype: Dtype): number {
  if (dtype !== "float32" || row.reduce((sum, x) => sum + Math.abs(x), 0) <= FLOAT32_MAX)
    return total(row);
  return row.reduce((sum, x) => Math.fround(sum + x), 0);
}
const largest = (row: Row) => row.reduce((a, b) => Math.max(a, b), -Infinity);
const smallest = (row: Row) => row.reduce((a, b) => Math.min(a, b), Infinity);

function logSumExp(row: Row): number {
  const top = largest(row);
  if (Math.abs(top) === Infinity || Number.isNaN(top)) return top;
  return top + Math.log(total(row.map((x) => Math.exp(x - top))));
}

/** Return the place of the first NaN, or else of the first x that comes before all others. */
function place(row: Row, before: (a: number, b: number) => boolean): number {
  const nan = row.findIndex(Number.isNaN);
  return nan >= 0 ? nan : row.reduce((best, x, i) => (before(x, row[best]) ? i : best), 0);
}

const REDUCTIONS: Record<string, [Kind, (row: Row, dtype: Dtype) => number]> = {
  sum: ["sum", sumOf],
  prod: ["sum", (row) => row.reduce((product, x) => product * x, 1)],
  amax: ["same", largest],
  amin: ["same", smallest],
  argmax: ["int64", (row) => place(row, (a, b) => a > b)],
  argmin: ["int64", (row) => place(row, (a, b) => a < b)],
  all: ["bool", (row) => Number(row.every((x) => x !== 0))],
  any: ["bool", (row) => Number(row.some((x) => x !== 0))],
  logsumexp: ["float", logSumExp],
};

const resultOf = (kind: Kind, dtype: Dtype): Dtype => {
  if (kind === "same") return dtype;
  if (kind === "sum") return isFloating(dtype) ? dtype : "int64";
  return kind === "float" ? floatOf(dtype) : kind;
};

/** Refuse the dtypes that torch refuses. */
function refuseDtype(name: string, dtype: Dtype): void {
  if (name === "mean" && !isFloating(dtype))
    throw runtimeError(
      "mean(): could not infer output dtype. Input dtype must be either a floating point or " +
        `complex dtype. Got: ${WORDS[dtype]}`,
    );
  if (name.startsWith("arg") && dtype === "bool")
    throw runtimeError(`${name}(): does not support bool input`);
}

/** Refuse to find the largest of no numbers. */
function refuseEmpty(name: string, view: View, dims: number[], all: boolean): void {
  if (!/^(arg|a?m)(ax|in|max|min)$/.test(name)) return;
  const empty = dims.find((dim) => view.shape[dim] === 0);
  if (all && view.numel === 0) {
    const message = `${name}(): Expected reduction dim to be specified for input.numel() == 0.`;
    if (name.startsWith("arg")) throw indexError(message);
    throw runtimeError(`${message} Specify the reduction dim with the 'dim' argument.`);
  }
  if (empty !== undefined)
    throw indexError(`${name}(): Expected reduction dim ${empty} to have non-zero size.`);
}

/** Reduce dimensions, or all if none is named, with a function of a row of numbers. */
function reduced(
  view: View,
  dims: number[],
  keepdim: boolean,
  dtype: Dtype,
  f: (row: Row) => number,
) {
  const gone = new Set(dims.length ? dimensions(dims, view.ndim) : range(view.ndim));
  const kept = range(view.ndim).filter((dim) => !gone.has(dim));
  const moved = [...kept, ...range(view.ndim).filter((dim) => gone.has(dim))];
  const numbers = read(permute(view, moved));
  const n = kept.reduce((product, dim) => product * view.shape[dim], 1);
  const size = count([...gone].map((dim) => view.shape[dim] ?? 1));
  const found = range(n).map((i) => f(numbers.subarray(i * size, (i + 1) * size)));
  const shape = keepdim
    ? view.shape.map((length, dim) => (gone.has(dim) ? 1 : length))
    : kept.map((dim) => view.shape[dim]);
  return build(dtype, shape, found);
}

/** Reduce by name. `label` is the name in errors: max(dim) is called amax here. */
export function reduce(
  name: string,
  view: View,
  label: string,
  keepdim: boolean,
  ...dims: number[]
): View {
  refuseDtype(name, view.dtype);
  if (name === "mean") return mean(view, keepdim, ...dims);
  refuseEmpty(label, view, dimensions(dims, view.ndim), !dims.length);
  const [kind, f] = REDUCTIONS[name];
  return reduced(view, dims, keepdim, resultOf(kind, view.dtype), (row) => f(row, view.dtype));
}

/** Return the mean, which is infinite where the sum is too large for the dtype. */
function mean(view: View, keepdim: boolean, ...dims: number[]): View {
  const f = (row: Row) => stored(sumOf(row, view.dtype), view.dtype) / row.length;
  return reduced(view, dims, keepdim, view.dtype, f);
}

export function variance(
  view: View,
  correction: number,
  keepdim: boolean,
  ...dims: number[]
): View {
  if (!isFloating(view.dtype))
    throw runtimeError("std and var only support floating point and complex dtypes");
  return reduced(view, dims, keepdim, view.dtype, (row) => {
    const mean = total(row) / row.length;
    return total(row.map((x) => (x - mean) ** 2)) / Math.max(row.length - correction, 0);
  });
}

/** Return the p-norms along dimensions. */
export function norm(view: View, p: number, keepdim: boolean, ...dims: number[]): View {
  if (!isFloating(view.dtype))
    throw runtimeError(
      "linalg.vector_norm: Expected a floating point or complex tensor as input. " +
        `Got ${WORDS[view.dtype]}`,
    );
  const f = (row: Row) => {
    const sizes = row.map(Math.abs);
    if (p === 0) return sizes.filter((x) => x !== 0).length;
    if (Math.abs(p) === Infinity) return p > 0 ? Math.max(0, largest(sizes)) : smallest(sizes);
    return stored(total(sizes.map((x) => x ** p)), view.dtype) ** (1 / p);
  };
  return reduced(view, dims, keepdim, view.dtype, f);
}

function softmax(row: Row): Row {
  const top = largest(row);
  const exponentials = row.map((x) => Math.exp(x - top));
  const sum = total(exponentials);
  return exponentials.map((x) => x / sum);
}

function logSoftmax(row: Row): Row {
  const top = largest(row);
  const sum = Math.log(total(row.map((x) => Math.exp(x - top))));
  return row.map((x) => x - top - sum);
}

function accumulated(row: Row, f: (sum: number, x: number) => number): Row {
  return row.map(
    (
      (sum) => (x: number, i: number) =>
        (sum = i ? f(sum, x) : x)
    )(0),
  );
}

function logCumSumExp(row: Row): Row {
  return row.map((_, i) => logSumExp(row.subarray(0, i + 1)));
}

/** Sort places stably; NaN counts as the largest number. */
function order(row: Row, descending: boolean): number[] {
  const key = (x: number) => (Number.isNaN(x) ? [1, 0] : [0, x]);
  return range(row.length).sort((i, j) => {
    const [a, b] = [key(row[i]), key(row[j])];
    const difference = a[0] - b[0] || (a[1] < b[1] ? -1 : Number(a[1] > b[1]));
    return descending ? -difference : difference;
  });
}

/** Sort as torch does without `stable`: up to 16 numbers stably, and more in an order of its own. */
function anyOrder(row: Row, descending: boolean): number[] {
  const places = order(row, descending);
  const sorted = places.map((place) => row[place]);
  if (row.length > 16 && sorted.some((x, i) => i && Object.is(x + 0, sorted[i - 1] + 0)))
    throw unavailable("`torch.sort` of more than 16 numbers, some of them equal, without `stable`");
  return places;
}

const SCANS: Record<string, [Kind, (row: Row) => Numbers]> = {
  softmax: ["float", softmax],
  log_softmax: ["float", logSoftmax],
  cumsum: ["sum", (row) => accumulated(row, (sum, x) => sum + x)],
  cumprod: ["sum", (row) => accumulated(row, (product, x) => product * x)],
  logcumsumexp: ["float", logCumSumExp],
  argsort: ["int64", (row) => anyOrder(row, false)],
  argsort_descending: ["int64", (row) => anyOrder(row, true)],
  argsort_stable: ["int64", (row) => order(row, false)],
  argsort_stable_descending: ["int64", (row) => order(row, true)],
};
type Numbers = ArrayLike<number>;

/** Replace each row along a dimension by another of the same length. */
export function scan(name: string, view: View, dim: number): View {
  const [kind, f] = SCANS[name];
  const at = dimension(dim, view.ndim);
  if (/soft/.test(name) && view.numel === 0) return build(view.dtype, view.shape, []);
  if (/soft/.test(name) && !isFloating(view.dtype))
    throw notImplemented(
      `${name}_${at === Math.max(view.ndim - 1, 0) ? "lastdim_" : ""}kernel_impl`,
      view.dtype,
    );
  if (/logcum/.test(name) && !isFloating(view.dtype))
    throw notImplemented("logcumsumexp_out_cpu", view.dtype);
  const last = [...range(view.ndim).filter((other) => other !== at), ...(view.ndim ? [at] : [])];
  const moved = permute(view, last);
  const numbers = read(moved);
  const size = view.shape[at] ?? 1;
  const found = new Float64Array(numbers.length);
  for (let i = 0; i < numbers.length; i += size) found.set(f(numbers.subarray(i, i + size)), i);
  const result = build(resultOf(kind, view.dtype), moved.shape, found);
  const back = permute(
    result,
    range(view.ndim).map((d) => last.indexOf(d)),
  );
  return build(result.dtype, view.shape, read(back));
}

/** Multiply matrices of one dtype: (…, n, k) and (…, k, m), with equal batches. */
function products(a: View, b: View): View {
  const [n, k] = a.shape.slice(-2);
  const m = b.shape[b.ndim - 1];
  const batch = a.shape.slice(0, -2);
  const [x, y] = [read(a), read(b)];
  const found = new Float64Array(count(batch) * n * m);
  for (let i = 0; i < found.length; i++) {
    const [row, column] = [Math.floor(i / m), i % m];
    const start = Math.floor(row / n) * k * m + column;
    for (let j = 0; j < k; j++) found[i] += x[row * k + j] * y[start + j * m];
  }
  return build(a.dtype, [...batch, n, m], found);
}

/** Refuse matrices of different dtypes, or of bool. */
function refuseMatrices(a: View, b: View): void {
  if (a.dtype !== b.dtype)
    throw runtimeError(
      "expected m1 and m2 to have the same dtype, but got: " +
        `${C_WORDS[a.dtype]} != ${C_WORDS[b.dtype]}`,
    );
}

/** Refuse batches of matrices of different dtypes. */
function refuseBatches(a: View, b: View): void {
  if (a.dtype !== b.dtype)
    throw runtimeError(`expected scalar type ${WORDS[a.dtype]} but found ${WORDS[b.dtype]}`);
}

export function mm(a: View, b: View): View {
  if (a.ndim !== 2) throw runtimeError("self must be a matrix");
  if (b.ndim !== 2) throw runtimeError("mat2 must be a matrix");
  if (a.shape[1] !== b.shape[0])
    throw runtimeError(
      "mat1 and mat2 shapes cannot be multiplied " +
        `(${a.shape.join("x")} and ${b.shape.join("x")})`,
    );
  refuseMatrices(a, b);
  if (a.dtype === "bool") throw notImplemented("addmm_impl_cpu_", a.dtype);
  return products(a, b);
}

export function bmm(a: View, b: View): View {
  if (a.ndim !== 3) throw runtimeError("batch1 must be a 3D tensor");
  if (b.ndim !== 3) throw runtimeError("batch2 must be a 3D tensor");
  if (a.shape[0] !== b.shape[0] || a.shape[2] !== b.shape[1])
    throw runtimeError(
      "Expected size for first two dimensions of batch2 tensor to be: " +
        `${listed([a.shape[0], a.shape[2]])} but got: ${listed(b.shape.slice(0, 2))}.`,
    );
  if (a.dtype === "bool") throw notImplemented("bmm", a.dtype);
  refuseBatches(a, b);
  return products(a, b);
}

export function dot(a: View, b: View): View {
  if (a.ndim !== 1 || b.ndim !== 1)
    throw runtimeError(`1D tensors expected, but got ${a.ndim}D and ${b.ndim}D tensors`);
  if (a.dtype !== b.dtype)
    throw runtimeError(
      "dot : expected both vectors to have same dtype, but found " +
        `${WORDS[a.dtype]} and ${WORDS[b.dtype]}`,
    );
  if (a.numel !== b.numel)
    throw runtimeError(
      `inconsistent tensor size, expected tensor ${listed(a.shape)} and src ${listed(b.shape)} to ` +
        `have the same number of elements, but got ${a.numel} and ${b.numel} elements respectively`,
    );
  if (a.dtype === "bool") throw notImplemented("dot", a.dtype);
  return reshape(products(reshape(a, [1, a.numel]), reshape(b, [b.numel, 1])), []);
}

export function mv(a: View, b: View): View {
  if (!a.ndim) throw indexError("Dimension specified as 0 but tensor has no dimensions");
  if (a.ndim !== 2 || b.ndim !== 1)
    throw runtimeError(`vector + matrix @ vector expected, got 1, ${a.ndim}, ${b.ndim}`);
  if (a.shape[1] !== b.shape[0])
    throw runtimeError(
      `size mismatch, got input (${a.shape[0]}), mat (${a.shape.join("x")}), vec (${b.shape[0]})`,
    );
  if (a.dtype !== b.dtype)
    throw runtimeError(
      `addmv input tensors must have the same dtype, but got ${WORDS[a.dtype]}, ` +
        `${WORDS[b.dtype]}, and ${WORDS[a.dtype]}`,
    );
  if (a.dtype === "bool") throw notImplemented("addmv_impl_cpu", a.dtype);
  return reshape(products(a, reshape(b, [b.numel, 1])), [a.shape[0]]);
}

/** Return x @ y as torch.matmul: by what the two dimensions are. */
export function matmul(a: View, b: View): View {
  if (!a.ndim || !b.ndim)
    throw runtimeError(
      `both arguments to matmul need to be at least 1D, but they are ${a.ndim}D and ${b.ndim}D`,
    );
  if (a.ndim === 1 && b.ndim === 1) return dot(a, b);
  if (a.ndim === 2 && b.ndim === 1) return mv(a, b);
  if (a.ndim === 1 && b.ndim === 2) {
    const row = mm(reshape(a, [1, a.numel]), b);
    return reshape(row, [b.shape[1]]);
  }
  if (a.ndim === 2 && b.ndim === 2) return mm(a, b);
  if (a.ndim >= 3 && b.ndim <= 2 && foldable(a)) return folded(a, b);
  if (a.ndim === 1 && foldable(transposed(b))) return folded(transposed(b), a);
  return batched(a, b);
}

const transposed = (view: View) =>
  permute(view, [...range(view.ndim - 2), view.ndim - 1, view.ndim - 2]);

const foldable = ({ shape, strides }: View) =>
  viewStrides(shape, strides, [count(shape.slice(0, -1)), shape[shape.length - 1]]) !== null;

/** Multiply a batch of matrices by one matrix or vector, as one matrix of all rows. */
function folded(a: View, b: View): View {
  const rows = reshape(a, [count(a.shape.slice(0, -1)), a.shape[a.ndim - 1]]);
  const result = b.ndim === 1 ? mv(rows, b) : mm(rows, b);
  return reshape(result, [...a.shape.slice(0, -1), ...b.shape.slice(1)]);
}

function batched(a: View, b: View): View {
  const x = a.ndim === 1 ? reshape(a, [1, a.numel]) : a;
  const y = b.ndim === 1 ? reshape(b, [b.numel, 1]) : b;
  const batch = broadcast(x.shape.slice(0, -2), y.shape.slice(0, -2));
  const whole = (view: View) => {
    const matrix = view.shape.slice(-2);
    return reshape(expand(view, [...batch, ...matrix]), [count(batch), ...matrix]);
  };
  const result = bmm(whole(x), whole(y));
  const kept = [
    ...(a.ndim > 1 ? [x.shape[x.ndim - 2]] : []),
    ...(b.ndim > 1 ? [y.shape[y.ndim - 1]] : []),
  ];
  return reshape(result, [...batch, ...kept]);
}

/** Sum the products of operands over the letters that the output lacks. */
export function einsum(equation: string, ...views: View[]): View {
  const [inputs, ...outputs] = equation.replaceAll(" ", "").split("->");
  if (!/^[a-zA-Z,]*$/.test(inputs + (outputs[0] ?? "")) || outputs.length > 1)
    throw unavailable(`\`torch.einsum("${equation}")\``);
  const letters = inputs.split(",");
  if (letters.length !== views.length)
    throw runtimeError(
      letters.length < views.length
        ? "einsum(): more operands were provided than specified in the equation"
        : "einsum(): fewer operands were provided than specified in the equation",
    );
  const sizes = letterSizes(letters, views);
  const all = letters.join("");
  const once = [...all].filter((letter) => all.indexOf(letter) === all.lastIndexOf(letter));
  const output = [...(outputs[0] ?? once.sort().join(""))];
  refuseOutput(output, sizes);
  for (const { dtype } of views)
    if (dtype === "bool" || dtype === "int32")
      // torch sums some of them as int64
      throw unavailable(`\`torch.einsum\` of ${dtype}`);
  for (const view of views) refuseBatches(views[0], view);
  const summed = [...sizes.keys()].filter((letter) => !output.includes(letter));
  const shape = output.map((letter) => sizes.get(letter)!);
  const whole = [...shape, ...summed.map((letter) => sizes.get(letter)!)];
  const axes = [...output, ...summed];
  const product = new Float64Array(count(whole)).fill(1);
  views.forEach((view, i) => {
    const strides = axes.map((letter) => stride(view, letters[i], letter));
    const at = positions({ shape: whole, strides, offset: view.offset });
    for (let j = 0; j < at.length; j++) product[j] *= view.data[at[j]];
  });
  const view = new View(product, "float64", whole);
  const dims = range(whole.length).slice(output.length);
  const sums = dims.length ? reduced(view, dims, false, "float64", total) : view;
  return build(views[0].dtype, shape, read(sums));
}

/** Return the step of an operand along a letter, which may occur twice: a diagonal. */
function stride(view: View, letters: string, letter: string): number {
  const steps = view.strides.filter((_, d) => letters[d] === letter && view.shape[d] !== 1);
  return steps.reduce((sum, step) => sum + step, 0);
}

function letterSizes(letters: string[], views: View[]): Map<string, number> {
  const sizes = new Map<string, number>();
  views.forEach(({ shape }, i) => {
    if (letters[i].length !== shape.length)
      throw runtimeError(
        `einsum(): the number of subscripts in the equation (${letters[i].length}) does not match ` +
          `the number of dimensions (${shape.length}) for operand ${i} and no ellipsis was given`,
      );
    [...letters[i]].forEach((letter, d) => {
      const known = sizes.get(letter) ?? 1;
      const first = letters[i].indexOf(letter);
      if (shape[first] !== shape[d])
        throw runtimeError(
          `einsum(): subscript ${letter} is repeated for operand ${i} but the sizes don't match, ` +
            `${shape[d]} != ${shape[first]}`,
        );
      if (known !== 1 && shape[d] !== 1 && known !== shape[d])
        throw runtimeError(
          `einsum(): subscript ${letter} has size ${shape[d]} for operand ${i} which does not ` +
            `broadcast with previously seen size ${known}`,
        );
      sizes.set(letter, known === 1 ? shape[d] : known);
    });
  });
  return sizes;
}

function refuseOutput(output: string[], sizes: Map<string, number>): void {
  output.forEach((letter, i) => {
    if (output.indexOf(letter) < i)
      throw runtimeError(
        `einsum(): output subscript ${letter} appears more than once in the output`,
      );
    if (!sizes.has(letter))
      throw runtimeError(
        `einsum(): output subscript ${letter} does not appear in the equation for any input operand`,
      );
  });
}
