// Computes entry by entry: the functions of one and of two numbers, with torch's dtypes and errors.
import {
  broadcast,
  buildLike,
  category,
  type Dtype,
  floatOf,
  isFloating,
  notImplemented,
  positions,
  read,
  refuseOverlap,
  refuseShared,
  resultType,
  runtimeError,
  stored,
  to,
  TorchError,
  unavailable,
  type View,
  WORDS,
  write,
} from "./views.ts";

/** How the dtype of a result follows from that of the operands. */
type Kind = "same" | "float" | "bool";

const roundHalfToEven = (x: number) =>
  Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x);

/** Return erf(x) by its Taylor series, or by the continued fraction of its complement. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  if (size > 2.5) {
    let fraction = size;
    for (let k = 80; k > 0; k--) fraction = size + k / 2 / fraction;
    return Math.sign(x) * (1 - Math.exp(-x * x) / fraction / Math.sqrt(Math.PI));
  }
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

const UNARY: Record<string, [Kind, (x: number) => number]> = {
  abs: ["same", Math.abs],
  neg: ["same", (x) => -x],
  square: ["same", (x) => x * x],
  sign: ["same", (x) => (Number.isNaN(x) ? 0 : Math.sign(x))],
  relu: ["same", (x) => (x < 0 ? 0 : x)],
  floor: ["same", Math.floor],
  ceil: ["same", Math.ceil],
  trunc: ["same", Math.trunc],
  round: ["same", roundHalfToEven],
  bitwise_not: ["same", (x) => -1 - x],
  exp: ["float", Math.exp],
  exp2: ["float", (x) => 2 ** x],
  expm1: ["float", Math.expm1],
  log: ["float", Math.log],
  log2: ["float", Math.log2],
  log10: ["float", Math.log10],
  log1p: ["float", Math.log1p],
  sqrt: ["float", Math.sqrt],
  rsqrt: ["float", (x) => 1 / Math.sqrt(x)],
  reciprocal: ["float", (x) => 1 / x],
  tanh: ["float", Math.tanh],
  sigmoid: ["float", (x) => 1 / (1 + Math.exp(-x))],
  sin: ["float", Math.sin],
  cos: ["float", Math.cos],
  tan: ["float", Math.tan],
  erf: ["float", erf],
  ndtr: ["float", (x) => (1 + erf(x / Math.SQRT2)) / 2],
  zero: ["same", () => 0],
  one: ["same", () => 1],
  isnan: ["bool", (x) => Number(Number.isNaN(x))],
  isinf: ["bool", (x) => Number(Math.abs(x) === Infinity)],
  isfinite: ["bool", (x) => Number(Number.isFinite(x))],
  logical_not: ["bool", (x) => Number(x === 0)],
};

/** The errors of functions that are not defined for bool. */
const NOT_FOR_BOOL: Record<string, () => TorchError> = {
  relu: () => runtimeError("Boolean inputs not supported for relu"),
  neg: () =>
    runtimeError(
      "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert " +
        "a mask, use the `~` or `logical_not()` operator instead.",
    ),
  abs: () => notImplemented("abs_cpu", "bool"),
  floor: () => notImplemented("floor_vml_cpu", "bool"),
  ceil: () => notImplemented("ceil_vml_cpu", "bool"),
  trunc: () => notImplemented("trunc_vml_cpu", "bool"),
  round: () => notImplemented("round_vml_cpu", "bool"),
  div_floor: () => notImplemented("div_floor_cpu", "bool"),
  remainder: () => notImplemented("remainder_cpu", "bool"),
  pow: () => notImplemented("pow", "bool"),
};

const resultOf = (kind: Kind, dtype: Dtype): Dtype =>
  kind === "bool" ? "bool" : kind === "float" ? floatOf(dtype) : dtype;

export function unary(name: string, view: View): View {
  const [kind, f] = UNARY[name];
  if (view.dtype === "bool") {
    if (name in NOT_FOR_BOOL) throw NOT_FOR_BOOL[name]();
    if (name === "bitwise_not") return unary("logical_not", view);
    if (name === "square") return unary(name, to(view, "int64"));
  }
  if (name === "bitwise_not" && isFloating(view.dtype))
    throw notImplemented("bitwise_not_cpu", view.dtype);
  return buildLike(resultOf(kind, view.dtype), view.shape, read(view).map(f), view);
}

/** Round to a number of decimals, in the arithmetic of the dtype. */
export function roundTo(view: View, decimals: number): View {
  const own = (x: number) => stored(x, view.dtype);
  const ten = 10 ** Math.abs(decimals);
  const [into, back] =
    decimals < 0
      ? [(x: number) => own(x / ten), (x: number) => own(x * ten)]
      : [(x: number) => own(x * ten), (x: number) => own(x / ten)];
  if (!isFloating(view.dtype)) throw unavailable("`torch.round(decimals=)` of whole numbers");
  const numbers = read(view).map((x) => back(roundHalfToEven(into(x))));
  return buildLike(view.dtype, view.shape, numbers, view);
}

export function nanToNum(view: View, nan: number, positive: number, negative: number): View {
  if (!isFloating(view.dtype)) return to(view, view.dtype);
  const f = (x: number) =>
    Number.isNaN(x) ? nan : x === Infinity ? positive : x === -Infinity ? negative : x;
  return buildLike(view.dtype, view.shape, read(view).map(f), view);
}

function remainder(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && b < 0 !== rest < 0 ? rest + b : rest;
}

function floorDivide(a: number, b: number): number {
  if (b === 0) return a / b;
  const rest = a % b;
  const quotient = (a - rest) / b - Number(rest !== 0 && b < 0 !== rest < 0);
  return Math.round(quotient);
}

/** Return a ** b as C does; in JavaScript 1 ** NaN and (−1) ** ∞ are NaN. */
function power(a: number, b: number): number {
  if (a === 1 || (a === -1 && Math.abs(b) === Infinity)) return 1;
  return a ** b;
}

function logAddExp(a: number, b: number): number {
  if (a === b && Math.abs(a) === Infinity) return a;
  return Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));
}

/** Operate on the bits of whole numbers, which may have more than 32 of them. */
const bits =
  (f: (a: bigint, b: bigint) => bigint) =>
  (a: number, b: number): number =>
    Number(f(BigInt(a), BigInt(b)));
const truth =
  (f: (a: number, b: number) => boolean) =>
  (a: number, b: number): number =>
    Number(f(a, b));

const BINARY: Record<string, [Kind, (a: number, b: number) => number]> = {
  add: ["same", (a, b) => a + b],
  sub: ["same", (a, b) => a - b],
  mul: ["same", (a, b) => a * b],
  div: ["float", (a, b) => a / b],
  div_floor: ["same", floorDivide],
  remainder: ["same", remainder],
  pow: ["same", power],
  maximum: ["same", Math.max],
  minimum: ["same", Math.min],
  logaddexp: ["same", logAddExp],
  hypot: ["same", Math.hypot],
  atan2: ["float", Math.atan2],
  bitwise_and: ["same", bits((a, b) => a & b)],
  bitwise_or: ["same", bits((a, b) => a | b)],
  bitwise_xor: ["same", bits((a, b) => a ^ b)],
  eq: ["bool", truth((a, b) => a === b)],
  ne: ["bool", truth((a, b) => a !== b)],
  lt: ["bool", truth((a, b) => a < b)],
  le: ["bool", truth((a, b) => a <= b)],
  gt: ["bool", truth((a, b) => a > b)],
  ge: ["bool", truth((a, b) => a >= b)],
  logical_and: ["bool", truth((a, b) => a !== 0 && b !== 0)],
  logical_or: ["bool", truth((a, b) => a !== 0 || b !== 0)],
  logical_xor: ["bool", truth((a, b) => (a !== 0) !== (b !== 0))],
};

function refuseSubtraction(name: string, a: View, b: View): void {
  if (name !== "sub" || (a.dtype !== "bool" && b.dtype !== "bool")) return;
  const both = a.dtype === b.dtype && !a.isNumber && !b.isNumber;
  throw runtimeError(
    `Subtraction, the \`-\` operator, with ${both ? "two bool tensors" : "a bool tensor"} is not ` +
      "supported. " +
      (both
        ? "Use the `^` or `logical_xor()` operator instead."
        : "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."),
  );
}

/** Refuse the dtypes for which torch has no kernel. */
function refuseOperands(name: string, dtype: Dtype): void {
  if (dtype === "bool" && name in NOT_FOR_BOOL) throw NOT_FOR_BOOL[name]();
  if (name.startsWith("bitwise") && isFloating(dtype)) throw notImplemented(`${name}_cpu`, dtype);
  if (/logaddexp|hypot/.test(name) && !isFloating(dtype))
    throw notImplemented(`${name}_cpu`, dtype);
}

/** Refuse whole numbers for which an operation is not defined. */
function refuseNumbers(name: string, b: View, divisors: Float64Array): void {
  if (/remainder|div_floor/.test(name) && divisors.includes(0))
    throw runtimeError("ZeroDivisionError");
  if (name !== "pow" || !divisors.some((x) => x < 0)) return;
  if (b.isNumber) throw runtimeError("Integers to negative integer powers are not allowed.");
  throw unavailable("`torch.pow` of whole numbers with negative exponents");
}

export function binary(name: string, a: View, b: View): View {
  const [kind, f] = BINARY[name];
  const promoted = resultType(a, b);
  refuseSubtraction(name, a, b);
  const shape = broadcast(a.shape, b.shape);
  if (name !== "pow" || !b.isNumber) refuseOperands(name, promoted);
  // 1 / 3 of int64 is computed in float32, and so is float32 / 0.1.
  const dtype = kind === "float" ? floatOf(promoted) : promoted;
  const [x, y] = [a, b].map((view) => read(view, shape).map((one) => stored(one, dtype)));
  if (category(dtype) === 1) refuseNumbers(name, b, y);
  const numbers = x.map(root(name, b, y[0]) ?? ((one, i) => f(one, y[i])));
  return buildLike(resultOf(kind, promoted), shape, numbers, a, b);
}

/** torch takes a root for the power ±½, and the root of −∞ is NaN. */
function root(name: string, b: View, exponent: number): ((x: number) => number) | undefined {
  if (name !== "pow" || b.ndim || Math.abs(exponent) !== 0.5) return undefined;
  return exponent > 0 ? Math.sqrt : (x) => 1 / Math.sqrt(x);
}

/** Compute `a += b` or its like; torch refuses in this order. */
export function inPlace(name: string, a: View, b: View): View {
  const [kind] = BINARY[name];
  refuseShared(a);
  refuseOverlap(a, positions(a), b);
  refuseSubtraction(name, a, b);
  refuseGrowth(a, b.shape);
  refuseCast(a, resultOf(kind, resultType(a, b)));
  return write(a, read(binary(name, a, b)), b);
}

/** Store the result of an operation in its first operand. */
export function assignResult(view: View, result: View, ...sources: View[]): View {
  refuseGrowth(view, result.shape);
  refuseCast(view, result.dtype);
  return write(view, read(result), ...sources);
}

/** Copy another tensor into a view, converted to its dtype. */
export function copy(view: View, source: View): View {
  refuseOperand(view, source);
  return write(view, read(source, view.shape), source);
}

function refuseCast(view: View, dtype: Dtype): void {
  if (category(dtype) <= category(view.dtype)) return;
  const [from, to] = [dtype, view.dtype].map((one) => WORDS[one]);
  throw runtimeError(`result type ${from} can't be cast to the desired output type ${to}`);
}

/** Refuse an operand that would make the tensor larger in which the result is stored. */
export function refuseOperand(view: View, operand: View): void {
  refuseShared(view);
  refuseOverlap(view, positions(view), operand);
  refuseGrowth(view, operand.shape);
}

function refuseGrowth(view: View, shape: number[]): void {
  const wanted = broadcast(view.shape, shape);
  if (wanted.join() !== view.shape.join())
    throw runtimeError(
      `output with shape [${view.shape.join(", ")}] doesn't match the broadcast shape ` +
        `[${wanted.join(", ")}]`,
    );
}

export function where(condition: View, a: View, b: View): View {
  const dtype = resultType(a, b);
  const shape = broadcast(broadcast(condition.shape, a.shape), b.shape);
  const [keep, x, y] = [condition, a, b].map((view) => read(view, shape));
  const numbers = x.map((one, i) => (keep[i] ? one : y[i]));
  return buildLike(dtype, shape, numbers, condition, a, b);
}

/** Keep numbers between bounds; NaN stays, and so does a bound that is NaN. */
export function clamp(view: View, low: View | null, high: View | null): View {
  const bounds = [low, high].filter((bound) => bound !== null);
  let result: View = view;
  const dtype = resultType(view, ...bounds);
  if (dtype === "bool") throw unavailable("`torch.clamp` of truth values");
  if (low) result = binary("maximum", result, low);
  if (high) result = binary("minimum", result, high);
  return to(result, dtype);
}

export function gelu(view: View): View {
  if (!isFloating(view.dtype)) throw notImplemented("GeluKernelImpl", view.dtype);
  if (read(view).some((x) => Math.abs(x) === Infinity))
    throw unavailable("`torch.nn.functional.gelu` of infinity"); // torch's NaN is an accident
  const numbers = read(view).map((x) => (x * (1 + erf(x / Math.SQRT2))) / 2);
  return buildLike(view.dtype, view.shape, numbers, view);
}
