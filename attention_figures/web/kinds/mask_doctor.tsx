// Shows who reads whom when one table is taken as each of four kinds of mask: the mask doctor.
import { useRef } from "preact/hooks";
import { Segments, Select } from "../controls/choice.tsx";
import { MaskField } from "../controls/mask_field.tsx";
import { indexBelow, oneOf, type Check } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, plainNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { isTable, numberOf, type Entry, type Table } from "../maths/mask_text.ts";
import { exponentials, maskedScores, maskedSoftmax, softmax } from "../maths/softmax.ts";
import { byRow, range, rowSums, sum, type Matrix, type Tensor } from "../maths/tensor.ts";
import { shadeOf } from "../maths/weights.ts";
import { floats, program } from "../export/python.ts";
import "../styles/words.css";
import "../styles/mask_doctor.css";

interface State {
  words: string[];
  table: Table; // (Q, K)
  reading: Reading;
  back: number; // the caption's query, counted back from the last row
  pen: (typeof PENS)[number]; // what a click writes in place of 0
}

interface Stages {
  mask: Tensor; // (1, Q, K), as all but the next two
  lengths: Tensor; // (1, Q, 1)
  is_length: Tensor; // (1, Q, 1)
  as_lengths: Tensor;
  as_boolean: Tensor;
  as_float: Tensor;
  as_ignored: Tensor;
  attention_weights: Tensor;
}

type At = Readonly<State & Stages>;
type Reading = (typeof READINGS)[number];
const READINGS = ["lengths", "boolean", "float", "ignored"] as const;
const READING_NAMES = {
  lengths: "maskLengthsName",
  boolean: "maskTrueReads",
  float: "maskAddedName",
  ignored: "maskTrueHides",
};
/** What takes the table as such a mask, in code. */
const READERS = { lengths: "valid_lens", boolean: "SDPA", float: "SDPA", ignored: "MHA" };
const PENS = ["1", "-inf"] as const;
type Make = (q: number, k: number, n: number) => Entry;
const FLIP = 0.67; // level above which white text is easier to read than black (or the reverse)

/** Masks to begin with, as torch makes them, for n keys. */
const EXAMPLES: { code: (n: number) => string; entry: Make; queries?: number }[] = [
  { code: (n) => `torch.ones(${n}, ${n}).tril()`, entry: (q, k) => Number(k <= q) },
  {
    code: (n) => `torch.full((${n}, ${n}), -torch.inf).triu(1)`,
    entry: (q, k) => (k > q ? "-inf" : 0),
  },
  { code: (n) => `torch.ones(2, ${n}).tril()`, entry: (q, k) => Number(k <= q), queries: 2 },
  { code: (n) => `torch.arange(${n}) < ${n - 1}`, entry: (_, k, n) => Number(k < n - 1) },
  { code: (n) => `torch.arange(${n}) > 0`, entry: (_, k) => Number(k > 0) },
];

const sizes = ({ table }: Readonly<State>) => [table.length, table[0].length] as const;
const keysOf = (at: Readonly<State>) => at.words.slice(0, at.table[0].length);
const queriesOf = (at: Readonly<State>) => keysOf(at).slice(-at.table.length);
const rowOf = (at: At) => at.table.length - 1 - at.back;
const weightsOf = (at: At, reading: Reading): Tensor => at[`as_${reading}`];
/** torch's mask.bool(): all but 0 is True. */
const marked = (row: readonly number[]) => row.map((x) => Number(x !== 0));
const scoresOf = ({ mask }: At) => byRow(mask, (row) => row.map(() => 0));
const ignoring = (mask: Tensor) => byRow(mask, (row) => row.map((x) => Number(x === 0)));

const fits: Check<State> = (got, { state }) =>
  isTable(got, state.words.length) ? null : ["refusedForm"];

export default declare<State, Stages>({
  name: "mask_doctor",
  state: { table: fits, reading: oneOf(READINGS) },
  fixed: ["words"],
  localised: ["words"],
  viewState: {
    back: { initial: 0, check: indexBelow<State>(({ table }) => table.length) },
    pen: { initial: "1", check: oneOf(PENS) },
  },
  settle: (next, before) =>
    next.table !== before.table && isTable(next.table, next.words.length)
      ? { ...next, back: Math.min(next.back, next.table.length - 1) }
      : next,
  stages: {
    mask: ({ table }) => [table.map((row) => row.map(numberOf))],
    lengths: ({ mask }) => byRow(mask, (row) => [sum(marked(row))]),
    is_length: ({ mask, lengths }) =>
      byRow(mask, (row, b, q) => [
        Number(marked(row).every((x, k) => x === Number(k < lengths[b][q][0]))),
      ]),
    as_lengths: (at) =>
      maskedSoftmax(
        scoresOf(at),
        at.lengths.map((rows) => rows.map(([n]) => n)),
      ),
    as_boolean: (at) => softmax(maskedScores(scoresOf(at), byRow(at.mask, marked))),
    as_float: ({ mask }) => softmax(mask),
    as_ignored: (at) => {
      const terms = exponentials(maskedScores(scoresOf(at), ignoring(at.mask)));
      const sums = rowSums(terms);
      return byRow(terms, (row, b, q) => row.map((x) => x / sums[b][q][0])); // 0/0 is NaN
    },
    attention_weights: (at) => weightsOf(at, at.reading),
  },
  View,
  sentence,
  code: (at) => {
    const place = `[0, ${rowOf(at)}]`;
    const values = `torch.eye(${sizes(at)[1]})`;
    const line = {
      lengths: `masked_softmax(scores, table.bool().sum(dim=-1)[None])${place}`,
      boolean: `scaled_dot_product_attention(q, k, ${values}, attn_mask=table.bool())${place}`,
      float: `scaled_dot_product_attention(q, k, ${values}, attn_mask=table)${place}`,
      ignored: `nn.MultiheadAttention(…)(q, k, k, attn_mask=table.bool())[1]${place}`,
    }[at.reading];
    return { parts: [line], output: torchText(at.attention_weights[0][rowOf(at)]) };
  },
  program: (at, t) =>
    program(
      t,
      ["from attention_lib import length_mask, masked_softmax"],
      [
        floats("mask", at.mask),
        "",
        "scores, marked = torch.zeros_like(mask), mask.bool()",
        "lengths = marked.sum(dim=-1)",
        "is_length = (length_mask(lengths, *mask.shape[1:]) == marked).all(dim=-1)",
        "as_lengths = masked_softmax(scores, lengths)",
        "as_boolean = scores.masked_fill(~marked, -torch.inf).softmax(dim=-1).nan_to_num(0)",
        "as_float = (scores + mask).softmax(dim=-1).nan_to_num(0)",
        "as_ignored = scores.masked_fill(marked, -torch.inf).softmax(dim=-1)",
        `attention_weights = as_${at.reading}`,
      ],
    ),
});

/** Says what the selected word reads, and what is wrong with the table taken like this. */
function sentence(at: At, t: Translate): string {
  const row = rowOf(at);
  const weights = at.attention_weights[0][row];
  const [query, keys] = [queriesOf(at)[row], keysOf(at)];
  const shares = range(keys.length)
    .filter((k) => weights[k] > 0)
    .map((k) => t("readsShare", { share: percent(weights[k]), word: keys[k] }));
  const said = Number.isNaN(weights[0])
    ? t("maskNan", { query })
    : shares.length
      ? t("reads", { query, list: shares.join(t("comma")) })
      : t("maskEmpty", { query });
  return [said, finding(at, t)].filter(Boolean).join(t("space"));
}

/** What a doctor would say: the first that applies. */
function finding(at: At, t: Translate): string {
  const [numQueries, numKeys] = sizes(at);
  const [mask] = at.mask;
  const queries = queriesOf(at);
  const own = (q: number) => numKeys - numQueries + q;
  if (at.reading === "lengths") {
    const wrong = at.is_length[0].findIndex(([is]) => !is);
    if (wrong < 0) return t("maskLengths", { list: at.lengths[0].flat().join(", ") });
    return t("maskNoLength", { query: queries[wrong], count: at.lengths[0][wrong][0] });
  }
  if (at.reading === "float" && mask.flat().every((x) => x === 0 || x === 1)) return t("maskAdded");
  const reads = (q: number, k: number) => at.attention_weights[0][q][k] > 0;
  const all = range(numQueries);
  const empty = all.find((q) => !range(numKeys).some((k) => reads(q, k)));
  const numbered = { query: queries[empty ?? 0] };
  const early = (q: number) => range(numKeys).some((k) => k > own(q) && reads(q, k));
  const late = (q: number) => range(numKeys).some((k) => k <= own(q) && reads(q, k));
  if (numQueries > 1 && all.every((q) => !late(q)) && all.some(early)) return t("maskTurned");
  if (numQueries < numKeys && isUpperLeft(mask)) return t("maskCorner");
  if (empty !== undefined && empty !== rowOf(at))
    return t(at.reading === "ignored" ? "maskNanRow" : "maskEmptyRow", numbered);
  if (at.reading !== "ignored" && empty !== undefined) return t("maskElsewhere");
  const seer = all.find(early);
  return seer === undefined ? "" : t("maskFuture", { query: queries[seer] });
}

/** Whether row q marks the keys 0 to q, as is_causal does. */
const isUpperLeft = (mask: Matrix) =>
  mask.every((row, q) => marked(row).every((x, k) => x === Number(k <= q)));

const withEntry = (table: Table, q: number, k: number, entry: Entry): Table =>
  table.map((row, i) => (i === q ? row.with(k, entry) : row));

const inverted = (table: Table): Table => table.map((row) => row.map((x) => Number(x === 0)));

const entryText = (entry: Entry): string => {
  const x = numberOf(entry);
  return Math.abs(x) < 1000 ? plainNumber(x) : formatNumber(x);
};

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t } = figure;
  return (
    <div class="doctor">
      <div class="readings held" role="group" aria-label={t("maskTakenAs")} data-handle>
        {READINGS.map((reading) => (
          <button
            type="button"
            data-control={`reading.${reading}`}
            aria-pressed={reading === at.reading}
            onClick={() => figure.set({ reading })}
          >
            <span>
              <b>{t(READING_NAMES[reading])}</b>
              <code>{READERS[reading]}</code>
            </span>
            <Miniature figure={figure} reading={reading} />
          </button>
        ))}
      </div>
      <Grid figure={figure} />
      <Drawing figure={figure} />
      <Entries figure={figure} />
    </div>
  );
}

/** A small picture of who reads whom, drawn alike for every mask while the answer is hidden. */
function Miniature({ figure, reading }: { figure: Figure<State, Stages>; reading: Reading }) {
  const { at, revealed } = figure;
  return (
    <span
      class="miniature"
      aria-hidden="true"
      style={{ "--number": sizes(at)[1], "--rows": sizes(at)[0] }}
    >
      {weightsOf(at, reading)[0].map((row, q) =>
        row.map((weight) => {
          const isNot = reading === "lengths" && !at.is_length[0][q][0];
          return (
            <i
              data-nan={revealed.value && (Number.isNaN(weight) || isNot) ? "" : undefined}
              style={revealed.value && weight > 0 && !isNot ? { "--level": shadeOf(weight) } : {}}
            />
          );
        }),
      )}
    </span>
  );
}

/** The table, in which a click or a stroke draws, and the weight of each place. */
function Grid({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const stroke = useRef<{ q: number; k: number; entry: Entry; moved: boolean } | null>(null);
  const [queries, keys] = [queriesOf(at), keysOf(at)];
  const pen: Entry = at.pen === "1" ? 1 : "-inf";
  const other = (q: number, k: number): Entry => (at.table[q][k] === 0 ? pen : 0);
  const drawOn = (buttons: number, q: number, k: number) => {
    const from = stroke.current;
    if (!from || buttons !== 1 || (from.q === q && from.k === k && !from.moved)) return;
    from.moved = true;
    const begun = withEntry(figure.at.table, from.q, from.k, from.entry);
    figure.set({ table: withEntry(begun, q, k, from.entry) });
  };
  return (
    <div class="columns stairs" style={{ "--number": keys.length }}>
      <span class="role" style={{ gridRow: 1 }}>
        {t("queryByKey")}
        <small>
          <b>{t("maskEntryOf")}</b> / {t("weight")}
        </small>
      </span>
      {keys.map((word, k) => (
        <div class="key-word" style={{ gridArea: `1 / ${k + 2}` }}>
          {word}
        </div>
      ))}
      {queries.map((query, q) => (
        <>
          <button
            type="button"
            class="query-word"
            style={{ gridArea: `${q + 2} / 1` }}
            data-control={`row[${q}]`}
            aria-pressed={q === rowOf(at)}
            onClick={() => figure.set({ back: queries.length - 1 - q })}
          >
            {query}
          </button>
          {keys.map((key, k) => {
            const weight = at.attention_weights[0][q][k];
            const entry = entryText(at.table[q][k]);
            const level = weight > 0 ? shadeOf(weight) : 0;
            const isNot = at.reading === "lengths" && !at.is_length[0][q][0];
            const shown = revealed.value ? { "--level": isNot ? 0 : level } : {};
            return (
              <div
                class="weight-square"
                data-masked={revealed.value && weight === 0 && !isNot ? "" : undefined}
                data-flip={revealed.value && !isNot && level > FLIP ? "" : undefined}
                style={{ gridArea: `${q + 2} / ${k + 2}`, ...shown }}
              >
                <b>{entry}</b>
                <span data-at={`0,${q},${k}`} data-tells>
                  {revealed.value ? formatNumber(weight) : "?"}
                </span>
                <button
                  type="button"
                  data-control={`table[${q}][${k}]`}
                  aria-label={t("maskEntry", { query, key, entry })}
                  title={t("maskDraw")}
                  onPointerDown={({ button, pointerType }) => {
                    const draws = button === 0 && pointerType !== "touch"; // a finger scrolls
                    stroke.current = draws ? { q, k, entry: other(q, k), moved: false } : null;
                  }}
                  onPointerEnter={({ buttons }) => drawOn(buttons, q, k)}
                  onDragStart={(event) => event.preventDefault()}
                  onClick={({ detail }) => {
                    const drawn = detail > 0 && stroke.current?.moved; // 0: a key was pressed
                    stroke.current = null;
                    if (!drawn) figure.set({ table: withEntry(at.table, q, k, other(q, k)) });
                  }}
                />
              </div>
            );
          })}
        </>
      ))}
    </div>
  );
}

/** What a click draws, and the opposite of the table. */
function Drawing({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  return (
    <div class="controls">
      <Segments
        name="pen"
        label={t("maskPen")}
        value={at.pen}
        choices={PENS}
        format={(pen) => (pen === "1" ? "0 ↔ 1" : "0 ↔ −∞")}
        change={(pen) => figure.set({ pen })}
      />
      <button
        type="button"
        data-control="invert"
        onClick={() => figure.set({ table: inverted(at.table) })}
      >
        {t("maskInvert")}
      </button>
    </div>
  );
}

/** The same table as text, and examples. */
function Entries({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t } = figure;
  const size = at.table[0].length;
  const codes = EXAMPLES.map(({ code }) => code(size));
  const tables = EXAMPLES.map(({ entry, queries = size }) =>
    range(Math.min(queries, size)).map((q) => range(size).map((k) => entry(q, k, size))),
  );
  const present = JSON.stringify(at.table);
  const chosen = tables.findIndex((table) => JSON.stringify(table) === present);
  return (
    <div class="controls">
      <MaskField
        figure={figure}
        name="table"
        label={t("maskTable")}
        value={at.table}
        limit={at.words.length}
        change={(table) => figure.set({ table })}
      />
      <Select
        name="example"
        label={t("maskExample")}
        value={chosen < 0 ? "…" : codes[chosen]}
        choices={chosen < 0 ? ["…", ...codes] : codes}
        change={(code) => {
          const i = codes.indexOf(code);
          if (i >= 0) figure.set({ table: tables[i] });
        }}
      />
    </div>
  );
}
