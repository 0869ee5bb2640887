// Shows attention from queries and keys over scores, mask and weights to the output, for each example
// of a batch: the pipeline figure.
import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Segments, Select } from "../controls/choice.tsx";
import { isPerQuery, LengthControls, withLength } from "../controls/lengths.tsx";
import { isPreset, PresetSelect, withPreset, type Presets } from "../controls/presets.tsx";
import { sameShape, indexBelow, validLengths as areLengths, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { clamped, LIMIT, percent, torchText } from "../core/format.ts";
import { declare, type CodeLine } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { degrees, direction, isDirection } from "../maths/angles.ts";
import { additive, scaledDot } from "../maths/scores.ts";
import { lengthMask, maskedScores, softmax, type Lengths } from "../maths/softmax.ts";
import {
  pool,
  range,
  sum,
  transpose,
  type Matrix,
  type Tensor,
  type Vector,
} from "../maths/tensor.ts";
import { floats, integers, program, tensors } from "../export/python.ts";
import { Compass } from "../views/compass.tsx";
import { HeatmapPanel, MaskedPanel, Panel, truth } from "../views/panel.tsx";
import { isSmall } from "../views/heatmap.tsx";
import { EditablePanel, NumberGrid, withRow } from "../views/number_grid.tsx";
import { plainScale, ScaleText, symmetricScale, weightScale } from "../views/scale.tsx";
import "../styles/flow.css";
import "../styles/pipeline.css";

/** A module of the library: the score that it computes, and its parameters, if it has any. */
interface Module extends Readonly<Record<"W_q" | "W_k" | "w_v", Matrix>> {
  score: "additive" | "dot_product";
  num_hiddens: number;
}

/** Names for all examples, or a list of names for each. */
type Names = string[] | string[][];

interface State extends Presets {
  valid_lens: Lengths;
  queries: Tensor; // (B, Q, query size)
  values: Tensor; // (B, K, V)
  /** Hidden units of the selected module; 0 if its score has none. */
  num_hiddens: number;
  modules: Module[];
  /** Names of keys and of queries; may be empty. */
  names: Names;
  query_names: Names;
  /** The query whose weights the compass draws. */
  query: number;
  /** The example that is shown, if there is no space for all. */
  example: number;
}

interface Stages {
  scores: Tensor;
  mask: Tensor;
  attention_weights: Tensor;
  output: Tensor;
}

type At = Readonly<State & Stages>;
type Props = { figure: Figure<State, Stages> };
const FEW = 16; // most numbers of an output that the code line prints
const MOST_NAMED = 4; // queries that the caption describes

const sizes = ({ queries, keys_ }: State) =>
  [queries.length, queries[0].length, keys_[0].length] as const;
const moduleOf = ({ modules, num_hiddens }: State) =>
  modules.find((module) => module.num_hiddens === num_hiddens)!;
const isOfExample = (names?: Names): names is string[][] => Array.isArray(names?.[0]);
const ofExample = (names: Names | undefined, b: number) => (isOfExample(names) ? names[b] : names);
const keyName = ({ names }: State, b: number, k: number) => ofExample(names, b)?.[k] ?? `k${k}`;
const queryName = ({ query_names: names }: State, b: number, q: number) =>
  ofExample(names, b)?.[q] ?? `q${q}`;

export default declare<State, Stages>({
  name: "attention",
  state: {
    valid_lens: areLengths(sizes),
    queries: sameShape(),
    keys_: sameShape(),
    values: sameShape(),
    num_hiddens: oneOf(({ modules }: State) => modules.map((module) => module.num_hiddens)),
    key_preset: isPreset,
    key_presets: sameShape(),
  },
  fixed: ["modules", "names", "query_names"],
  localised: ["names", "query_names"],
  viewState: {
    query: { initial: 0, check: indexBelow(({ queries }: State) => queries[0].length) },
    example: { initial: 0, check: indexBelow(({ queries }: State) => queries.length) },
  },
  settle: withPreset,
  stages: {
    scores: (at) => {
      const { score, W_q, W_k, w_v } = moduleOf(at);
      return score === "additive"
        ? additive(at.queries, at.keys_, W_q, W_k, w_v)
        : scaledDot(at.queries, at.keys_);
    },
    mask: (at) => lengthMask(at.valid_lens, sizes(at)[1], sizes(at)[2]),
    attention_weights: ({ scores, mask }) => softmax(maskedScores(scores, mask)),
    output: ({ attention_weights, values }) => pool(attention_weights, values),
  },
  View,
  sentence,
  code,
  program: programOf,
  numbers: (at) => ({ ...moduleOf(at) }),
  columns: (at) => {
    const [, numQueries, numKeys] = sizes(at);
    const drawn = isSmall(...shapeOf(at.queries)) && !isCompass(at) ? at.queries[0][0].length : 0;
    return { keys: numKeys, columns: numKeys + numQueries + drawn };
  },
});

const shapeOf = (tensor: Tensor) => [tensor[0].length, tensor[0][0].length] as const;

/** Whether queries and keys are directions. */
const isCompass = ({ queries, keys_ }: Pick<State, "queries" | "keys_">) =>
  queries.length === 1 &&
  keys_[0].every((key) => key.length === 2 && isDirection(key)) &&
  queries[0].every(isDirection);

/** Describes from which keys the first queries of the shown example take most. */
function sentence(at: At, t: Translate): string {
  const [batch, numQueries] = sizes(at);
  const rows = isCompass(at) ? [[0, at.query]] : range(numQueries).map((q) => [at.example, q]);
  const parts = rows.slice(0, MOST_NAMED).map(([b, q]) => {
    const name = queryName(at, b, q);
    const unambiguous = batch === 1 || isOfExample(at.query_names);
    const query = unambiguous ? name : t("queryOfExample", { query: name, b });
    const weights = at.attention_weights[b][q];
    if (weights.every((x) => x === 0)) return t("takesNothing", { query });
    const shares = sharesIn(weights);
    const first = shares.slice(0, rows.length > 2 ? 1 : 2);
    const rest = 1 - sum(first.map(({ weight, keys }) => weight * keys.length));
    if (shares.length === 1 && shares[0].keys.length > 1)
      return t(shares[0].keys.length > 2 ? "givesAlike" : "givesTwoAlike", {
        query,
        ...shareIn(at, b, shares[0], t),
      });
    const list = first.map((share) => shareSays(at, b, share, t)).join(t("comma"));
    return t("gives", { query, list: list + (rest >= 0.005 ? t("andMore") : "") });
  });
  const padded = at.mask[at.example].some((row) => row.includes(0));
  const end = rows.length > MOST_NAMED ? t("andSoOn") : "";
  const sentences = [t("rows", { list: parts.join(t("semicolon")) + end })];
  if (padded) sentences.push(t("maskedGetNothing"));
  return sentences.join(t("space"));
}

interface Share {
  weight: number; // of each
  keys: number[];
}

/** Groups keys of equal weight, the largest weight first. */
function sharesIn(weights: Vector): Share[] {
  const groups: Share[] = [];
  weights.forEach((weight, k) => {
    const same = groups.find((group) => Math.abs(group.weight - weight) < 1e-9);
    if (same) same.keys.push(k);
    else if (weight > 0) groups.push({ weight, keys: [k] });
  });
  return groups.sort((a, b) => b.weight - a.weight);
}

/** What the words about a share need; two keys that share it are named with their places. */
function shareIn(at: At, b: number, { weight, keys }: Share, t: Translate) {
  const [first, second] = keys.slice(0, 2).map((k) => placedName(at, b, k, t));
  return { share: percent(weight), word: keyName(at, b, keys[0]), first, second, n: keys.length };
}

/** Names the keys that have a weight, unless more than two share it. */
function shareSays(at: At, b: number, share: Share, t: Translate): string {
  const number = Math.min(share.keys.length, 3) - 1;
  return t((["readsShare", "givesBoth", "givesEach"] as const)[number], shareIn(at, b, share, t));
}

/** Adds its place to the name of a key if another has the same name, as padding has. */
function placedName(at: At, b: number, k: number, t: Translate): string {
  const key = keyName(at, b, k);
  const names = at.keys_[b].map((_, other) => keyName(at, b, other));
  return names.indexOf(key) === names.lastIndexOf(key)
    ? t("sharing", { key })
    : t("sharingAt", { key, k });
}

function code(at: At): CodeLine<State> {
  const [batch, , numKeys] = sizes(at);
  const own = at.output[at.example];
  const all = own.flat().length <= FEW;
  const number = (value: number, b: number, q: number, name: string) => ({
    name: `code.${name}`,
    value,
    low: 0,
    high: numKeys,
    change: (length: number) => ({
      valid_lens: withLength(at.valid_lens, b, q, length),
      example: b,
    }),
  });
  const between = <T,>(items: T[]) => items.flatMap((item, i) => (i ? [", ", item] : [item]));
  const lens = isPerQuery(at.valid_lens)
    ? ["valid_lens"]
    : [
        "torch.tensor([",
        ...between(at.valid_lens.map((n, b) => number(n as number, b, 0, `valid_lens[${b}]`))),
        "])",
      ];
  const [some, output] = isCompass(at)
    ? [`[0, ${at.query}]`, at.output[0][at.query]] // the query that the caption describes
    : !all
      ? [`[${at.example}, 0, :4]`, own[0].slice(0, 4)]
      : batch > 1
        ? [`[${at.example}]`, own]
        : ["", at.output];
  return {
    parts: ["attention(queries, keys, values, ", ...lens, `)${some}`],
    output: torchText(output),
  };
}

/** Writes the library's module with the figure's parameters. */
function programOf(at: At, t: Translate): string {
  const { score, W_q, W_k, w_v } = moduleOf(at);
  const parameters = score === "additive" ? Object.entries({ W_q, W_k, w_v }) : [];
  const name = parameters.length ? "AdditiveAttention" : "DotProductAttention";
  const sizes = parameters.length
    ? `key_size=${W_k[0].length}, query_size=${W_q[0].length}, num_hiddens=${W_q.length}`
    : "";
  return program(
    t,
    [`from attention_lib import ${name}, length_mask`],
    [
      ...tensors(at, ["queries", "keys_", "values"]),
      integers("valid_lens", at.valid_lens),
      ...parameters.map((entry) => floats(...entry)),
      "",
      `attention = ${name}(${sizes}).double()`,
      "with torch.no_grad():",
      ...parameters.map(([own]) => `    attention.${own}.weight.copy_(${own})`),
      "    scores = attention.score(queries, keys)",
      "    output = attention(queries, keys, values, valid_lens)",
      "mask = length_mask(valid_lens, *scores.shape[1:]).expand(scores.shape)",
      "attention_weights = attention.attention_weights",
    ],
  );
}

function View({ figure }: Props) {
  const { at } = figure;
  const [batch, numQueries, numKeys] = sizes(at);
  const Example = isSmall(numQueries, numKeys) ? Columns : Flow;
  return (
    <>
      <div class="controls">
        <PresetSelect figure={figure as unknown as Figure<Presets>} />
        {at.modules.length > 1 && (
          <Select
            name="num_hiddens"
            value={at.num_hiddens}
            choices={at.modules.map((module) => module.num_hiddens)}
            change={(num_hiddens) => figure.set({ num_hiddens })}
          />
        )}
        {batch > 1 && (
          <Segments
            name="example"
            label={figure.t("example")}
            value={String(at.example)}
            choices={range(batch).map(String)}
            format={String}
            change={(b) => figure.set({ example: Number(b) })}
          />
        )}
      </div>
      {range(batch).map((b) => (
        <Example key={b} figure={figure} b={b} />
      ))}
      <div class="controls scales">
        <div class="printed-scales">
          <ScaleText name="scores" scale={symmetricScale("scores", at.scores)} />
        </div>
        <LengthControls
          figure={figure}
          numQueries={numQueries}
          numKeys={numKeys}
          besides={(example) => ({ example })}
        />
      </div>
    </>
  );
}

const Title = ({ figure: { at, t }, b }: Props & { b: number }) =>
  at.queries.length > 1 ? <div class="title">{`${t("example")} ${b}`}</div> : null;

/** Draws a column for each key, from its vector to its value; queries and output at the sides. */
function Columns({ figure, b }: Props & { b: number }) {
  const { at, start } = { at: figure.at, start: figure.initialState as unknown as State };
  const [, numQueries, numKeys] = sizes(at);
  const none = range(numKeys).map(() => "");
  const keys = range(numKeys).map((k) => keyName(at, b, k));
  const queries = range(numQueries).map((q) => queryName(at, b, q));
  const compass = isCompass(start);
  const part = { figure, b, sides: queries };
  const masks = useRef(false); // once visible, the mask stays visible while a handle moves
  const masked = useComputed(
    () => (masks.current = hides(at) || hides(start) || (masks.current && figure.touched.value)),
  );
  const byRow = numQueries > at.values[b][0].length; // each output beside its weights
  const style = { "--rows": numQueries, "--longest-side": Math.max(...queries.map(widthOf)) };
  return (
    <div
      class={compass ? "pipeline with-compass" : "pipeline"}
      data-other={b === at.example ? undefined : ""}
      style={style}
    >
      <Title figure={figure} b={b} />
      <div class={compass ? "looks" : "queries"}>
        {compass && <Looks figure={figure} />}
        <Input figure={figure} trait="queries" b={b} sides={queries} />
      </div>
      <div class="keys">
        <Input figure={figure} trait="keys_" b={b} transposed heads={keys} />
        {compass && <Angles figure={figure} heads={none} />}
      </div>
      <div class="scores">
        <MaskedPanel
          {...part}
          stage="scores"
          scale={symmetricScale("scores", at.scores)}
          heads={keys}
          bare
          main={b === at.example && !compass}
        />
      </div>
      {masked.value && (
        <div class="mask">
          <MaskedPanel {...part} stage="mask" scale={plainScale} heads={none} format={truth} />
        </div>
      )}
      <div class="weights">
        <MaskedPanel
          {...part}
          stage="attention_weights"
          scale={weightScale}
          heads={none}
          example={b}
        />
      </div>
      <div class="values">
        <Input figure={figure} trait="values" b={b} transposed heads={none} />
      </div>
      <div class={byRow ? "output by-row" : "output"}>
        <Output figure={figure} b={b} {...(byRow ? { sides: queries } : { heads: queries })} />
      </div>
    </div>
  );
}

/** A Chinese character is as wide as two letters. */
const widthOf = (name: string) => name.length + (name.match(/[^\0-\xff]/g)?.length ?? 0);

/** Whether the mask hides any key; a mask that keeps every key is not shown. */
const hides = ({ valid_lens, keys_ }: State) =>
  valid_lens.flat().some((length) => length < keys_[0].length);

/** Draws a heatmap for each stage, for more queries or keys than fit as numbers. */
function Flow({ figure, b }: Props & { b: number }) {
  const { at } = figure;
  const part = { figure, b };
  const panels = [
    <Input figure={figure} trait="queries" b={b} />,
    <>
      {isSmall(...shapeOf(at.keys_)) && <Input figure={figure} trait="keys_" b={b} transposed />}
      <MaskedPanel
        {...part}
        stage="scores"
        scale={symmetricScale("scores", at.scores)}
        bare
        main={b === at.example}
      />
    </>,
    <MaskedPanel {...part} stage="mask" scale={plainScale} format={truth} />,
    <>
      {isSmall(...shapeOf(at.values)) && <Input figure={figure} trait="values" b={b} transposed />}
      <MaskedPanel {...part} stage="attention_weights" scale={weightScale} example={b} />
    </>,
    <Output figure={figure} b={b} />,
  ];
  return (
    <div class="example" data-other={b === at.example ? undefined : ""}>
      <Title figure={figure} b={b} />
      <div class={isSmall(...shapeOf(at.keys_)) ? "flow" : "flow tops"}>
        {panels.map((panel, i) => (
          <div key={i} class="stage">
            {panel}
          </div>
        ))}
      </div>
    </div>
  );
}

const HUES = { queries: "queries", keys_: "keys", values: "values" } as const;

/** An editable panel if the numbers fit, else a heatmap. */
function Input(props: {
  figure: Figure<State, Stages>;
  trait: keyof typeof HUES;
  b: number;
  transposed?: boolean;
  heads?: string[];
  sides?: string[];
}) {
  const { figure, trait, b, transposed } = props;
  const tensor = figure.at[trait];
  const scale = symmetricScale(HUES[trait], tensor);
  if (isSmall(...shapeOf(tensor))) return <EditablePanel {...props} scale={scale} />;
  const name = `${trait.replace(/_$/, "")}[${b}]`;
  return (
    <HeatmapPanel
      {...props}
      label={transposed ? `${name}.T` : name}
      matrix={transposed ? transpose(tensor[b]) : tensor[b]}
      scale={scale}
      picture
    />
  );
}

/** Has a row for each query with `sides`, or a column for each with `heads`. */
function Output(props: Props & { b: number; heads?: string[]; sides?: string[] }) {
  const { figure, b, heads, sides } = props;
  const own = useComputed(() => figure.at.output[b]);
  return (
    <HeatmapPanel
      figure={figure}
      label={heads ? `output[${b}].T` : `output[${b}]`}
      matrix={heads ? transpose(own.value) : own.value}
      scale={symmetricScale("values", figure.at.values)}
      heads={heads}
      sides={sides}
      reveals
    />
  );
}

/** Draws keys and queries as directions. */
function Looks({ figure }: Props) {
  const { at, t } = figure;
  const focused = useSignal("");
  const follow = ({ type, target }: FocusEvent) => {
    const { control = "" } = (target as HTMLElement).dataset;
    focused.value = type === "focusin" ? control : "";
  };
  const named = (trait: "queries" | "keys_", word: string, names?: Names) => {
    const own = ofExample(names, 0);
    return at[trait][0].map((_, i) => ({
      name: `${trait.replace(/_$/, "")}[0][${i}]`,
      label: `${t(word)} ${own?.[i] ?? i}`,
      text: own?.[i] ?? `${word[0]}${i}`,
    }));
  };
  return (
    <div onFocusIn={follow} onFocusOut={follow}>
      <Compass
        label={t("compass")}
        title={t("turnIt")}
        hint={t("dragMe")}
        queries={at.queries[0]}
        keys={at.keys_[0]}
        needles={[...named("queries", "query", at.query_names), ...named("keys_", "key", at.names)]}
        weights={at.attention_weights[0][at.query]}
        chosen={at.query}
        focused={focused.value}
        choose={(query) => query !== at.query && figure.set({ query })}
        turn={(i, to) => {
          const q = at.queries[0].length;
          figure.set(i < q ? turned(at, "queries", i, to) : turned(at, "keys_", i - q, to));
        }}
      />
    </div>
  );
}

const turned = (at: At, trait: "queries" | "keys_", i: number, to: number): Partial<State> => ({
  [trait]: withRow(at[trait], 0, i, [...direction(to), ...at[trait][0][i].slice(2)]),
});

/** Fields for the keys' angles in degrees. */
function Angles({ figure, heads }: Props & { heads: string[] }) {
  const { at, t } = figure;
  return (
    <Panel name={t("degrees")}>
      <NumberGrid
        figure={figure}
        label={t("degrees")}
        matrix={[at.keys_[0].map(degrees)]}
        scale={plainScale}
        heads={heads}
        sides={["°"]}
        step={1}
        name={(_, k) => `degrees[0][${k}]`}
        change={(_, k, angle) => figure.set(turned(at, "keys_", k, clamped(angle, -LIMIT, LIMIT)))}
      />
    </Panel>
  );
}
