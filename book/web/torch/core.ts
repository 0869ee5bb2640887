// Offers the operations on tensors to the module `torch` in MicroPython.
import * as elementwise from "./elementwise.ts";
import * as indexing from "./indexing.ts";
import * as rows from "./rows.ts";
import * as shapes from "./shapes.ts";
import {
  build,
  DTYPES,
  count,
  dimension,
  type Dtype,
  fill,
  isContiguous,
  listed,
  notImplemented,
  range,
  read,
  resultType,
  runtimeError,
  same,
  to,
  TorchError,
  unavailable,
  View,
} from "./views.ts";

const MOST = 1e7; // numbers in a tensor; an exercise has some hundred

function filled(dtype: Dtype, x: number, ...shape: number[]): View {
  if (shape.some((size) => size < 0))
    throw runtimeError(
      `Trying to create tensor with negative dimension ${shape.find((size) => size < 0)}: ` +
        listed(shape),
    );
  if (count(shape) > MOST) throw unavailable(`\`torch.zeros\` of shape ${listed(shape)}`);
  return build(dtype, shape, new Float64Array(count(shape)).fill(x));
}

function arange(dtype: Dtype, start: number, end: number, step: number): View {
  if (dtype === "bool") throw notImplemented("arange_cpu", dtype);
  if (step === 0) throw runtimeError("step must be nonzero");
  if (!Number.isFinite(start) || !Number.isFinite(end))
    throw runtimeError(`unsupported range: ${start} -> ${end}`);
  if (step > 0 ? start > end : start < end)
    throw runtimeError("upper bound and lower bound inconsistent with step sign");
  if (dtype === "int64") [start, end, step] = [start, end, step].map(Math.trunc);
  if (dtype === "int32" && ![start, end, step].every(Number.isInteger))
    throw unavailable("`torch.arange` of fractions in int32");
  if (step === 0) throw runtimeError("step must be nonzero");
  const n = Math.ceil((end - start) / step);
  return build(
    dtype,
    [n],
    range(n).map((i) => start + i * step),
  );
}

/** Step from both ends, as torch does. */
function linspace(dtype: Dtype, start: number, end: number, steps: number): View {
  if (steps < 0) throw runtimeError("number of steps must be non-negative");
  const step = steps > 1 ? (end - start) / (steps - 1) : 0;
  const at = (i: number) => (i < steps / 2 ? start + i * step : end - (steps - 1 - i) * step);
  return build(dtype, [steps], range(steps).map(at));
}

function eye(dtype: Dtype, n: number, m: number): View {
  const wrong = [n, m].findIndex((size) => size < 0);
  if (wrong >= 0)
    throw runtimeError(`${"nm"[wrong]} must be greater or equal to 0, got ${[n, m][wrong]}`);
  const numbers = range(n * m).map((i) => Number(Math.floor(i / m) === i % m));
  return build(dtype, [n, m], numbers);
}

/** Make a tensor of a shape from its numbers. */
function tensor(dtype: Dtype, ndim: number, ...sizesAndNumbers: (number | string)[]): View {
  const numbers = sizesAndNumbers.slice(ndim).map(Number);
  return build(dtype, sizesAndNumbers.slice(0, ndim) as number[], numbers);
}

/**
 * Return the numbers of a view for Python. MicroPython makes an int of each whole number, of 32 bits
 * and without a sign of zero; those that it would change travel as text.
 */
function numbers(view: View): (number | string)[] {
  const text = (x: number) => (Object.is(x, -0) ? "-0.0" : String(x));
  const small = (x: number) => Math.abs(x) < 2 ** 31 && !Object.is(x, -0);
  return Array.from(read(view), (x) => (!Number.isInteger(x) || small(x) ? x : text(x)));
}

/** Return what a comparison with `torch.equal` finds. */
const equal = (a: View, b: View) =>
  same(a.shape, b.shape) && read(a).every((x, i) => x === read(b)[i]);

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Operation = (...inputs: any[]) => unknown;
const OPERATIONS: Record<string, Operation> = {
  // from numbers and to numbers
  number: (x: number | string, dtype: Dtype) => {
    const own = build(dtype, [], [Number(x)]);
    return new View(own.data, dtype, [], [], 0, true);
  },
  tensor,
  filled,
  arange,
  linspace,
  eye,
  numbers,
  to,
  // entry by entry
  unary: elementwise.unary,
  binary: elementwise.binary,
  where: elementwise.where,
  clamp: elementwise.clamp,
  round: elementwise.roundTo,
  nan_to_num: elementwise.nanToNum,
  gelu: elementwise.gelu,
  result_type: (...views: View[]) => DTYPES.indexOf(resultType(...views)),
  equal,
  dimension,
  // along dimensions
  reduce: rows.reduce,
  variance: rows.variance,
  norm: rows.norm,
  scan: rows.scan,
  matmul: rows.matmul,
  mm: rows.mm,
  bmm: rows.bmm,
  mv: rows.mv,
  dot: rows.dot,
  einsum: rows.einsum,
  // shapes
  view: (one: View, ...sizes: number[]) => shapes.view(one, sizes),
  reshape: (one: View, ...sizes: number[]) => shapes.reshape(one, sizes),
  infer: (n: number, ...sizes: number[]) => shapes.inferred(sizes, n),
  expand: (one: View, ...sizes: number[]) => shapes.expand(one, sizes),
  expand_together: (...views: View[]) => shapes.expandTogether(views),
  permute: (one: View, ...dims: number[]) => shapes.permute(one, dims),
  transpose: shapes.transpose,
  unsqueeze: shapes.unsqueeze,
  squeeze: (one: View, all: boolean, ...dims: number[]) => shapes.squeeze(one, all, dims),
  narrow: shapes.narrow,
  as_strided: (one: View, offset: number, ...all: number[]) =>
    shapes.asStrided(one, offset, all.slice(0, all.length / 2), all.slice(all.length / 2)),
  diagonal: shapes.diagonal,
  contiguous: shapes.contiguous,
  is_contiguous: isContiguous,
  clone: (one: View) => to(one, one.dtype),
  flip: (one: View, ...dims: number[]) => shapes.flip(one, dims),
  repeat: (one: View, ...times: number[]) => shapes.repeat(one, times),
  triangle: shapes.triangle,
  cat: (dim: number, ...views: View[]) => shapes.cat(dim, views),
  stack: (dim: number, ...views: View[]) => shapes.stack(dim, views),
  // indices
  get: indexing.get,
  set: indexing.set,
  copy: elementwise.copy,
  fill: (view: View, value: View) => fill(view, read(value)[0]),
  in_place: elementwise.inPlace,
  assign_result: elementwise.assignResult,
  refuse_operand: elementwise.refuseOperand,
  columns: indexing.columns,
  gather: indexing.gather,
  index_select: indexing.indexSelect,
};

/**
 * Call an operation. A JavaScript exception would not unwind MicroPython, so an error is returned as
 * text, "RuntimeError: message"; no operation returns such text otherwise.
 */
export function call(name: string, ...inputs: unknown[]): unknown {
  try {
    return OPERATIONS[name](...inputs);
  } catch (error) {
    if (error instanceof TorchError) return `${error.kind}: ${error.message}`;
    return `Unavailable: This use of \`torch\` (${error})`;
  }
}
