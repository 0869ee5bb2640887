// Reads and writes tensors by index, as the square brackets of torch do.
import { expand } from "./shapes.ts";
import {
  broadcast,
  build,
  contiguousStrides,
  count,
  dimension,
  indexError,
  isFloating,
  listed,
  positions,
  range,
  read,
  refuseOverlap,
  runtimeError,
  same,
  spliced,
  store,
  TorchError,
  unavailable,
  View,
  WORDS,
  write,
} from "./views.ts";

/**
 * An index in the square brackets, as Python passes it: null is None, "..." an ellipsis, "slice" is
 * followed by start, stop and step.
 */
export type Token = null | string | number | View;
type Item = null | "..." | number | View | (number | null)[];
/** A dimension from which whole numbers choose entries. */
interface Choice {
  dim: number;
  index: View;
}

function items(tokens: Token[]): Item[] {
  const found: Item[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === "slice") {
      found.push(tokens.slice(i + 1, i + 4) as (number | null)[]);
      i += 3;
    } else found.push(plain(token) as Item);
  }
  return found;
}

/** A 0-d tensor of whole numbers counts as a number. */
function plain(token: Token): Token {
  if (!(token instanceof View)) return token;
  if (isFloating(token.dtype))
    throw indexError("tensors used as indices must be long, int, byte or bool tensors");
  if (token.ndim) return token;
  if (token.dtype === "bool") throw unavailable("`Tensor[bool]`");
  return token.data[token.offset];
}

const consumed = (item: Item) =>
  item === null || item === "..."
    ? 0
    : item instanceof View && item.dtype === "bool"
      ? item.ndim
      : 1;

function refuseTooMany(view: View, all: Item[], [token]: Token[]): void {
  const number = all.reduce<number>((n, item) => n + consumed(item), 0);
  if (view.ndim === 0 && all.length === 1 && token === "slice")
    throw indexError("slice() cannot be applied to a 0-dim tensor.");
  if (view.ndim === 0 && all.length === 1 && typeof token === "number" && token !== 0)
    throw indexError(`index ${token} is out of bounds for dimension 0 with size 0`);
  if (view.ndim === 0 && all.length === 1 && typeof token === "number")
    throw indexError(
      "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ " +
        "to convert a 0-dim tensor to a number",
    );
  if (number > view.ndim) throw indexError(`too many indices for tensor of dimension ${view.ndim}`);
}

/** Apply numbers, slices and None, which make views, and collect the choices by tensors. */
function basic(view: View, tokens: Token[]): [View, Choice[]] {
  const all = items(tokens);
  refuseTooMany(view, all, tokens);
  const dots = all.indexOf("...");
  if (dots !== all.lastIndexOf("...")) throw unavailable("`Tensor[…]` with two ellipses");
  const rest = view.ndim - all.reduce<number>((n, item) => n + consumed(item), 0);
  const whole = Array<Item>(rest).fill([null, null, null]);
  const every = dots < 0 ? [...all, ...whole] : spliced(all, dots, 1, ...whole);
  const [shape, strides, choices]: [number[], number[], Choice[]] = [[], [], []];
  let [offset, from] = [view.offset, 0];
  for (const item of every) {
    const [size, step] = [view.shape[from], view.strides[from]];
    if (item === null) {
      shape.push(1);
      strides.push(from < view.ndim ? size * step : 1);
    } else if (typeof item === "number") {
      offset += place(item, size, shape.length) * step;
      from++;
    } else if (Array.isArray(item)) {
      const [start, length, stride] = sliced(item, size);
      shape.push(length);
      strides.push(step * stride);
      offset += start * step;
      from++;
    } else if (item instanceof View) {
      choices.push({ dim: shape.length, index: item });
      for (let i = 0; i < consumed(item); i++) {
        shape.push(view.shape[from]);
        strides.push(view.strides[from++]);
      }
    }
  }
  return [
    view.as(shape, strides, offset),
    choices.flatMap((choice) => plainChoices(choice, shape)),
  ];
}

function place(index: number, size: number, dim: number): number {
  if (index < -size || index >= size)
    throw indexError(`index ${index} is out of bounds for dimension ${dim} with size ${size}`);
  return index < 0 ? index + size : index;
}

/** Return the first index of a slice, its length and its step. */
function sliced([start, stop, step]: (number | null)[], size: number): [number, number, number] {
  const stride = step ?? 1;
  if (stride <= 0) throw new TorchError("ValueError", "step must be greater than zero");
  const bounded = (x: number) => Math.min(Math.max(x < 0 ? x + size : x, 0), size);
  const [first, last] = [bounded(start ?? 0), bounded(stop ?? size)];
  return [first, Math.max(0, Math.ceil((last - first) / stride)), stride];
}

/** Return a choice by whole numbers for each dimension that a tensor of truth values covers. */
function plainChoices({ dim, index }: Choice, shape: number[]): Choice[] {
  if (index.dtype !== "bool") return [{ dim, index }];
  const wrong = index.shape.findIndex((size, d) => size !== shape[dim + d]);
  if (wrong >= 0)
    throw indexError(
      `The shape of the mask ${listed(index.shape)} at index ${dim + wrong} does not match the ` +
        `shape of the indexed tensor ${listed(shape)} at index ${dim + wrong}`,
    );
  return columns(index).map((column, d) => ({ dim: dim + d, index: column }));
}

/** Return the indices of the entries that are not zero, one tensor for each dimension. */
export function columns(view: View): View[] {
  const steps = contiguousStrides(view.shape);
  const found = [...read(view)].flatMap((x, i) => (x !== 0 ? [i] : []));
  return view.shape.map((size, d) =>
    build(
      "int64",
      [found.length],
      found.map((i) => Math.floor(i / steps[d]) % size),
    ),
  );
}

/** Return where the chosen entries lie, and their shape. */
function chosen(view: View, choices: Choice[]): [Int32Array, number[]] {
  const shape = common(choices);
  const offsets = new Int32Array(count(shape));
  const empty = count(shapeOf(view, choices)) === 0;
  for (const { dim, index } of choices) {
    const numbers = read(index, shape);
    if (view.shape[dim] === 0 && numbers.length)
      throw indexError("index is out of bounds for dimension with size 0");
    if (empty) continue; // torch checks no index where nothing is read
    numbers.forEach((x, i) => {
      offsets[i] += place(x, view.shape[dim], dim) * view.strides[dim];
    });
  }
  const [before, after] = around(view, choices);
  const [outer, inner] = [positions(before), positions(after)];
  const all = new Int32Array(outer.length * offsets.length * inner.length);
  let i = 0;
  for (const a of outer)
    for (const b of offsets) for (const c of inner) all[i++] = view.offset + a + b + c;
  return [all, [...before.shape, ...shape, ...after.shape]];
}

/** Return what lies before and after the chosen dimensions; torch puts these first if they are apart. */
function around(view: View, choices: Choice[]): View[] {
  const dims = choices.map(({ dim }) => dim);
  const first = dims.every((dim, i) => dim === dims[0] + i) ? dims[0] : 0;
  const others = range(view.ndim).filter((dim) => !dims.includes(dim));
  const seen = (kept: number[]) =>
    view.as(
      kept.map((dim) => view.shape[dim]),
      kept.map((dim) => view.strides[dim]),
      0,
    );
  return [seen(others.slice(0, first)), seen(others.slice(first))];
}

function shapeOf(view: View, choices: Choice[]): number[] {
  const [before, after] = around(view, choices);
  return [...before.shape, ...common(choices), ...after.shape];
}

function common(choices: Choice[]): number[] {
  const shapes = choices.map(({ index }) => index.shape);
  try {
    return shapes.reduce(broadcast);
  } catch {
    throw indexError(
      "shape mismatch: indexing tensors could not be broadcast together with shapes " +
        shapes.map(listed).join(", "),
    );
  }
}

export function get(view: View, ...tokens: Token[]): View {
  const [seen, choices] = basic(view, tokens);
  if (!choices.length) return seen;
  const [at, shape] = chosen(seen, choices);
  return build(
    view.dtype,
    shape,
    Array.from(at, (i) => view.data[i]),
  );
}

export function set(view: View, value: View, ...tokens: Token[]): View {
  const [seen, choices] = basic(view, tokens);
  if (!choices.length) return assign(seen, value);
  if (tokens.some((token) => token instanceof View && token.data === view.data))
    throw unavailable("`Tensor[index] = …` where the index is a view of the tensor");
  const shape = shapeOf(seen, choices);
  refuseOverlap(view, positions(view), value, false);
  const wide = trimmed(value);
  const numbers = read(fitting(wide, shape), shape);
  if (!value.isNumber && value.dtype !== view.dtype && !fills(tokens, value))
    throw runtimeError(
      "Index put requires the source and destination dtypes match, got " +
        `${WORDS[view.dtype]} for the destination and ${WORDS[value.dtype]} for the source.`,
    );
  const [at] = chosen(seen, choices);
  refuseConflicts(at, numbers);
  store(view, at, numbers);
  return view;
}

/** Refuse to set different values at one place: torch does not say which one stays. */
function refuseConflicts(at: Int32Array, numbers: Float64Array): void {
  const values = new Map<number, number>();
  at.forEach((place, i) => {
    if (values.has(place) && !Object.is(values.get(place), numbers[i]))
      throw unavailable("`Tensor[…] = values` with several values for one place");
    values.set(place, numbers[i]);
  });
}

/** Whether one value is put where a mask is true, which converts it as masked_fill does. */
function fills(tokens: Token[], value: View): boolean {
  const views = tokens.filter((token) => token instanceof View && token.ndim > 0) as View[];
  return value.numel === 1 && views.length === 1 && views[0].dtype === "bool";
}

/** Drop the leading dimensions of size 1 of a value, as torch does. */
function trimmed(value: View): View {
  const first = value.shape.findIndex((size) => size !== 1);
  const n = first < 0 ? value.ndim : first;
  return value.as(value.shape.slice(n), value.strides.slice(n));
}

function fitting(value: View, shape: number[]): View {
  try {
    if (same(broadcast(value.shape, shape), shape)) return value;
  } catch {
    // told below
  }
  throw runtimeError(
    `shape mismatch: value tensor of shape ${listed(value.shape)} cannot be broadcast to indexing ` +
      `result of shape ${listed(shape)}`,
  );
}

/** Copy a value into a view. */
export function assign(view: View, value: View): View {
  const wide = expand(trimmed(value), view.shape);
  return write(view, read(wide), wide);
}

/** Pick entries along a dimension, with an index that has as many dimensions. */
export function gather(view: View, dim: number, index: View): View {
  const at = gathered(view, dim, index);
  return build(
    view.dtype,
    index.shape,
    Array.from(at, (i) => view.data[i]),
  );
}

function gathered(view: View, dim: number, index: View): Int32Array {
  if (isFloating(index.dtype) || index.dtype === "bool")
    throw runtimeError("gather(): Expected dtype int32/int64 for index");
  const along = dimension(dim, view.ndim);
  if (Math.max(index.ndim, 1) !== Math.max(view.ndim, 1))
    throw runtimeError("Index tensor must have the same number of dimensions as input tensor");
  const wrong = index.shape.findIndex((size, d) => d !== along && size > view.shape[d]);
  if (wrong >= 0)
    throw runtimeError(
      `Size does not match at dimension ${wrong} expected index ${listed(index.shape)} to be no ` +
        `larger than self ${listed(view.shape)} apart from dimension ${along}`,
    );
  const steps = view.strides.map((step, d) => (d === along ? 0 : step));
  const at = positions({ shape: index.shape, strides: steps, offset: view.offset });
  const size = view.shape[along] ?? 1;
  read(index).forEach((x, i) => {
    if (x < 0 || x >= size)
      throw runtimeError(`index ${x} is out of bounds for dimension ${along} with size ${size}`);
    at[i] += x * (view.strides[along] ?? 0);
  });
  return at;
}

export function indexSelect(view: View, dim: number, index: View): View {
  const along = dimension(dim, view.ndim);
  if (index.ndim > 1) throw indexError("index_select(): Index is supposed to be a vector");
  if (!index.dtype.startsWith("int"))
    throw runtimeError("index_select(): Expected dtype int32 or int64 for index");
  const size = view.shape[along] ?? 1;
  if (size === 0 && index.numel)
    throw runtimeError("index_select(): self indexing axis dim should be positive");
  const wrong = read(index).findIndex((x) => x < 0 || x >= size);
  if (wrong >= 0 && along === 1)
    throw runtimeError(
      `INDICES element is out of DATA bounds, id=${read(index)[wrong]} axis_dim=${size}`,
    );
  if (!view.ndim && index.numel > 1)
    throw runtimeError(
      `index_select(): Index to scalar can have only 1 value, got ${index.numel} value(s)`,
    );
  if (wrong >= 0) throw indexError("index out of range in self");
  if (!view.ndim) return build(view.dtype, [], read(view));
  const vector = index.ndim ? index : index.as([1], [1]);
  const [at, shape] = chosen(view, [{ dim: along, index: vector }]);
  return build(
    view.dtype,
    shape,
    Array.from(at, (i) => view.data[i]),
  );
}
