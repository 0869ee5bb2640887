// Changes the shapes of tensors: views where torch makes views, copies where it copies.
import {
  broadcast,
  build,
  contiguousStrides,
  count,
  dimension,
  dimensions,
  indexError,
  isContiguous,
  listed,
  range,
  read,
  resultType,
  runtimeError,
  same,
  spliced,
  TorchError,
  unavailable,
  type View,
  WORDS,
} from "./views.ts";

/** Return the strides that show a view in another shape, or null if it has to be copied. */
export function viewStrides(
  shape: readonly number[],
  strides: readonly number[],
  wanted: number[],
): number[] | null {
  if (count(shape) === 0) return same(shape, wanted) ? [...strides] : contiguousStrides(wanted);
  if (!shape.length) return wanted.map(() => 1);
  const found = new Array<number>(wanted.length);
  let at = wanted.length - 1;
  let [step, size, viewed] = [strides[strides.length - 1], 1, 1];
  for (let d = shape.length - 1; d >= 0; d--) {
    size *= shape[d];
    // A run of dimensions that lie in memory one after the other ends here.
    if (d > 0 && (shape[d - 1] === 1 || strides[d - 1] === size * step)) continue;
    while (at >= 0 && (viewed < size || wanted[at] === 1)) {
      found[at] = viewed * step;
      viewed *= wanted[at--];
    }
    if (viewed !== size) return null;
    if (d > 0) [step, size, viewed] = [strides[d - 1], 1, 1];
  }
  return at === -1 ? found : null;
}

/** Replace a −1 in a wanted shape. */
export function inferred(wanted: readonly number[], n: number): number[] {
  const open = wanted.flatMap((size, d) => (size === -1 ? [d] : []));
  const wrong = wanted.find((size) => size < -1);
  if (open.length > 1) throw runtimeError("only one dimension can be inferred");
  if (wrong !== undefined) throw runtimeError(`invalid shape dimension ${wrong}`);
  const known = count(wanted.filter((size) => size !== -1));
  if (open.length && known === 0 && n === 0)
    throw runtimeError(
      `cannot reshape tensor of 0 elements into shape ${listed(wanted)} because the unspecified ` +
        "dimension size -1 can be any value and is ambiguous",
    );
  if (open.length ? n % known !== 0 || known === 0 : known !== n)
    throw runtimeError(`shape '${listed(wanted)}' is invalid for input of size ${n}`);
  return wanted.map((size) => (size === -1 ? n / known : size));
}

export function view(one: View, wanted: number[]): View {
  const shape = inferred(wanted, one.numel);
  const strides = viewStrides(one.shape, one.strides, shape);
  if (strides) return one.as(shape, strides);
  throw runtimeError(
    "view size is not compatible with input tensor's size and stride (at least one dimension " +
      "spans across two contiguous subspaces). Use .reshape(...) instead.",
  );
}

export function reshape(one: View, wanted: number[]): View {
  const shape = inferred(wanted, one.numel);
  const strides = viewStrides(one.shape, one.strides, shape);
  return strides ? one.as(shape, strides) : build(one.dtype, shape, read(one));
}

export const contiguous = (one: View) =>
  isContiguous(one) ? one : build(one.dtype, one.shape, read(one));

export function permute(one: View, dims: number[]): View {
  if (dims.length !== one.ndim)
    throw runtimeError(
      "permute(sparse_coo): number of dimensions in the tensor input does not match the length of " +
        `the desired ordering of dimensions i.e. input.dim() = ${one.ndim} is not equal to ` +
        `len(dims) = ${dims.length}`,
    );
  const found = dims.map((dim) => dimension(dim, one.ndim));
  if (new Set(found).size < found.length)
    throw runtimeError("permute(): duplicate dims are not allowed.");
  return one.as(
    found.map((dim) => one.shape[dim]),
    found.map((dim) => one.strides[dim]),
  );
}

export function transpose(one: View, first: number, second: number): View {
  const [a, b] = [first, second].map((dim) => dimension(dim, one.ndim));
  const dims = range(one.ndim);
  if (one.ndim) [dims[a], dims[b]] = [b, a];
  return permute(one, dims);
}

export function expand(one: View, sizes: number[]): View {
  const extra = sizes.length - one.ndim;
  if (!one.ndim && sizes.length > 1 && sizes.includes(-1))
    throw runtimeError("numel: integer multiplication overflow"); // torch's words
  if (extra < 0)
    throw runtimeError(
      `expand(${one.dtype === "bool" ? "CPUBoolType" : `torch.${WORDS[one.dtype]}Tensor`}{${listed(one.shape)}}, size=${listed(sizes)}): the ` +
        `number of sizes provided (${sizes.length}) must be greater or equal to the number of ` +
        `dimensions in the tensor (${one.ndim})`,
    );
  const shape = sizes.map((size, d) => {
    const own = one.shape[d - extra];
    if (d < extra && size < 0)
      throw runtimeError(
        `The expanded size of the tensor (${size}) isn't allowed in a leading, non-existing ` +
          `dimension ${d}`,
      );
    if (d < extra || size === own) return size;
    if (size === -1) return own;
    if (own !== 1)
      throw runtimeError(
        `The expanded size of the tensor (${size}) must match the existing size (${own}) at ` +
          `non-singleton dimension ${d}.  Target sizes: ${listed(sizes)}.  ` +
          `Tensor sizes: ${listed(one.shape)}`,
      );
    return size;
  });
  const strides = shape.map((size, d) => {
    if (d < extra) return 0;
    return one.shape[d - extra] === size ? one.strides[d - extra] : 0;
  });
  return one.as(shape, strides);
}

export function unsqueeze(one: View, dim: number): View {
  const at = dimension(dim, one.ndim + 1);
  const step = at < one.ndim ? one.shape[at] * one.strides[at] : 1;
  return one.as(spliced(one.shape, at, 0, 1), spliced(one.strides, at, 0, step));
}

/** Drop dimensions of size 1: those named, or all. */
export function squeeze(one: View, all: boolean, dims: number[]): View {
  const named = all ? range(one.ndim) : dimensions(dims, one.ndim);
  const kept = range(one.ndim).filter((dim) => one.shape[dim] !== 1 || !named.includes(dim));
  return one.as(
    kept.map((dim) => one.shape[dim]),
    kept.map((dim) => one.strides[dim]),
  );
}

export function narrow(one: View, dim: number, start: number, length: number): View {
  if (!one.ndim) throw runtimeError("narrow() cannot be applied to a 0-dim tensor.");
  const at = dimension(dim, one.ndim);
  const size = one.shape[at];
  if (length < 0) throw runtimeError("narrow(): length must be non-negative.");
  const first = start < 0 ? start + size : start;
  if (first > size || first < 0)
    throw indexError(
      `start out of range (expected to be in range of [${-size}, ${size}], but got ${start})`,
    );
  if (first + length > size)
    throw runtimeError(`start (${start}) + length (${length}) exceeds dimension size (${size}).`);
  return one.as(
    spliced(one.shape, at, 1, length),
    one.strides,
    one.offset + first * one.strides[at],
  );
}

export function diagonal(one: View, offset: number, dim1: number, dim2: number): View {
  const [a, b] = [dim1, dim2].map((dim) => dimension(dim, one.ndim));
  if (a === b) throw runtimeError(`diagonal dimensions cannot be identical ${dim1}, ${dim2}`);
  const [right, down] = [Math.max(offset, 0), Math.max(-offset, 0)];
  const length = Math.max(0, Math.min(one.shape[a] - down, one.shape[b] - right));
  const others = range(one.ndim).filter((dim) => dim !== a && dim !== b);
  const start = length ? down * one.strides[a] + right * one.strides[b] : 0;
  return one.as(
    [...others.map((dim) => one.shape[dim]), length],
    [...others.map((dim) => one.strides[dim]), one.strides[a] + one.strides[b]],
    one.offset + start,
  );
}

export function asStrided(one: View, offset: number, shape: number[], strides: number[]): View {
  if (strides.some((step) => step < 0))
    throw runtimeError(
      `as_strided: Negative strides are not supported at the moment, got strides: ${listed(strides)}`,
    );
  const last = strides.reduce((sum, step, d) => sum + (shape[d] - 1) * step, offset);
  if (count(shape) && last >= one.data.length)
    throw unavailable("`Tensor.as_strided` beyond the memory of a tensor");
  return one.as(shape, strides, offset);
}

export function flip(one: View, dims: number[]): View {
  const turned = dimensions(dims, one.ndim);
  const strides = one.strides.map((step, d) => (turned.includes(d) ? -step : step));
  const moves = turned.map((d) => ((one.shape[d] ?? 1) - 1) * (one.strides[d] ?? 0));
  const start = one.numel ? moves.reduce((sum, move) => sum + move, one.offset) : one.offset;
  return build(one.dtype, one.shape, read(one.as(one.shape, strides, start)));
}

/** Repeat a tensor along dimensions, of which there may be more than it has. */
export function repeat(one: View, times: number[]): View {
  if (times.length < one.ndim)
    throw runtimeError(
      "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
    );
  const extra = times.length - one.ndim;
  const own = times.map((_, d) => one.shape[d - extra] ?? 1);
  const steps = times.map((_, d) => one.strides[d - extra] ?? 0);
  const wrong = times.some((time) => time < 0);
  if (wrong) throw runtimeError("Trying to create tensor with negative dimension");
  const whole = one.as(
    times.flatMap((time, d) => [time, own[d]]),
    steps.flatMap((step) => [0, step]),
  );
  return build(
    one.dtype,
    times.map((time, d) => time * own[d]),
    read(whole),
  );
}

/** Keep the entries on and below (or above) a diagonal. */
export function triangle(one: View, lower: boolean, offset: number): View {
  if (one.ndim < 2)
    throw runtimeError(`${lower ? "tril" : "triu"}: input tensor must have at least 2 dimensions`);
  const [rows, columns] = one.shape.slice(-2);
  const kept = read(one).map((x, i) => {
    const [row, column] = [Math.floor(i / columns) % rows, i % columns];
    return (lower ? column <= row + offset : column >= row + offset) ? x : 0;
  });
  return build(one.dtype, one.shape, kept);
}

/** Put tensors one after the other along a dimension. */
export function cat(dim: number, all: View[]): View {
  if (!all.length)
    throw new TorchError("ValueError", "torch.cat(): expected a non-empty list of Tensors");
  const dtype = resultType(...all);
  // torch allows empty tensors of shape (0,) beside others.
  const views = all.filter((one) => !(one.ndim === 1 && one.numel === 0));
  if (!views.length) return build(dtype, [0], []);
  if (all.some((one) => one.ndim === 0))
    throw runtimeError(
      `zero-dimensional tensor (at position ${all.findIndex((one) => !one.ndim)}) cannot be ` +
        "concatenated",
    );
  const [first] = views;
  const at = dimension(dim, first.ndim);
  views.forEach((one) => refuseNeighbour(first, one, at, all.indexOf(one)));
  const shape = spliced(
    first.shape,
    at,
    1,
    views.reduce((sum, one) => sum + one.shape[at], 0),
  );
  const outer = count(shape.slice(0, at));
  const numbers = new Float64Array(count(shape));
  const row = outer && numbers.length / outer;
  let start = 0;
  for (const one of views) {
    const own = read(one);
    const size = outer && own.length / outer;
    for (let i = 0; i < outer; i++)
      numbers.set(own.subarray(i * size, (i + 1) * size), i * row + start);
    start += size;
  }
  return build(dtype, shape, numbers);
}

function refuseNeighbour(first: View, one: View, dim: number, i: number): void {
  if (one.ndim !== first.ndim)
    throw runtimeError(
      `Tensors must have same number of dimensions: got ${first.ndim} and ${one.ndim}`,
    );
  const other = range(one.ndim).find((d) => d !== dim && one.shape[d] !== first.shape[d]);
  if (other !== undefined)
    throw runtimeError(
      `Sizes of tensors must match except in dimension ${dim}. Expected size ` +
        `${first.shape[other]} but got size ${one.shape[other]} for tensor number ${i} in the list.`,
    );
}

export function stack(dim: number, all: View[]): View {
  if (!all.length) throw runtimeError("stack expects a non-empty TensorList");
  const at = dimension(dim, all[0].ndim + 1);
  const other = all.findIndex((one) => !same(one.shape, all[0].shape));
  if (other >= 0)
    throw runtimeError(
      `stack expects each tensor to be equal size, but got ${listed(all[0].shape)} at entry 0 and ` +
        `${listed(all[other].shape)} at entry ${other}`,
    );
  return cat(
    at,
    all.map((one) => unsqueeze(one, at)),
  );
}

export const expandTogether = (views: View[]) => {
  const shape = views.reduce((sizes, one) => broadcast(sizes, one.shape), [] as number[]);
  return views.map((one) => expand(one, shape));
};
