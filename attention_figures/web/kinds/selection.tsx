// Shows the weights of one query on named items, and the average of their values: the selection figure.
import { ListSlider, Slider } from "../controls/slider.tsx";
import { sameShape, indexBelow, between } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, plainNumber, torchText } from "../core/format.ts";
import { declare, type CodeLine } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { decades } from "../maths/domains.ts";
import { dot, gaussian, scaledDot } from "../maths/scores.ts";
import { temperedSoftmax } from "../maths/softmax.ts";
import { pool, range, type Tensor } from "../maths/tensor.ts";
import { program, pythonFloat, tensors } from "../export/python.ts";
import { Arcs } from "../views/arcs.tsx";
import { withNumber } from "../views/number_grid.tsx";
import { WeightBar } from "../views/weight_bar.tsx";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";

interface State {
  queries: Tensor; // (1, Q, d)
  keys_: Tensor; // (1, K, d)
  values: Tensor | null; // (1, K, 1)
  query: number;
  temperature: number;
  score: keyof typeof SCORES;
  /** What the reader moves. */
  handle: "temperature" | "query" | "features";
  names: string[];
  query_names: string[];
  /** Of the query's components, where they are what is moved. */
  features: string[];
  unit: string;
}

interface Stages {
  scores: Tensor; // (1, 1, K)
  attention_weights: Tensor; // (1, 1, K)
  output: Tensor; // (1, 1, 1)
}

type At = Readonly<State & Stages>;

const SCORES = { gaussian, dot, scaled_dot: scaledDot };
const HEIGHT = 40; // of the lines, in pixels
const HOTTEST = 1000;
const TEMPERATURES = [0, ...decades(0.01, HOTTEST)];
const STRENGTHS = range(13).map((i) => i / 2); // of a component of the query

export default declare<State, Stages>({
  name: "selection",
  state: {
    query: indexBelow(({ queries }: State) => queries[0].length),
    temperature: between(0, HOTTEST),
    queries: sameShape(),
  },
  fixed: ["keys_", "values", "score", "handle", "names", "query_names", "features", "unit"],
  localised: ["names", "query_names", "features", "unit"],
  stages: {
    scores: ({ queries, keys_, query, score }) => SCORES[score]([[queries[0][query]]], keys_),
    attention_weights: ({ scores, temperature }) => temperedSoftmax(scores, temperature),
    output: ({ attention_weights, values }) => (values ? pool(attention_weights, values) : []),
  },
  View,
  sentence,
  code,
  program: (at, t) =>
    program(
      t,
      [`from attention_lib.scores import ${at.score}`],
      [
        ...tensors({ ...at, queries: [[at.queries[0][at.query]]] }, ["queries", "keys_"]),
        ...(at.values ? tensors(at, ["values"]) : []),
        "",
        `scores = ${at.score}(queries, keys)`,
        "below = scores - scores.amax(-1, keepdim=True)",
        ...(at.temperature > 0
          ? [`attention_weights = torch.softmax(below / ${pythonFloat(at.temperature)}, dim=-1)`]
          : [
              "largest = (below >= -2.5e-9).double()",
              "attention_weights = largest / largest.sum(-1, keepdim=True)",
            ]),
        ...(at.values ? ["output = attention_weights @ values"] : []),
      ],
    ),
});

function sentence(at: At, t: Translate): string {
  const weights = at.attention_weights[0][0];
  const order = range(weights.length).filter((k) => weights[k] > 0);
  order.sort((a, b) => weights[b] - weights[a]);
  const shares = order.map((k) =>
    t("readsShare", { share: percent(weights[k]), word: at.names[k] }),
  );
  const told = { query: at.query_names[at.query], list: shares.join(t("comma")) };
  if (!at.values) return t("reads", told);
  const output = [formatNumber(at.output[0][0][0]), at.unit].filter(Boolean).join("\u202f");
  return t("readsOutput", { ...told, output });
}

function code(at: At): CodeLine<State> {
  const pooled = at.values ? " @ values" : "";
  if (at.handle === "features") {
    const numbers = at.queries[0][0].flatMap((value, i) => [
      i ? ", " : "",
      {
        name: `code.queries[0][0][${i}]`,
        value,
        low: STRENGTHS[0],
        high: STRENGTHS.at(-1)!,
        numbers: STRENGTHS,
        change: (x: number) => ({ queries: withNumber(at.queries, 0, 0, i, x) }),
      },
    ]);
    const parts =
      at.score === "dot"
        ? ["(torch.tensor([[[", ...numbers, `]]]) @ keys.mT).softmax(-1)${pooled}`]
        : [`${at.score}(torch.tensor([[[`, ...numbers, `]]]), keys).softmax(-1)${pooled}`];
    return { parts, output: printed(at) };
  }
  if (at.handle === "query")
    return {
      parts: [
        `${at.score}(queries, keys)[:, `,
        {
          name: "code.query",
          value: at.query,
          low: 0,
          high: at.queries[0].length - 1,
          change: (query) => ({ query }),
        },
        `].softmax(-1)${pooled}`,
      ],
      output: printed(at),
    };
  if (at.temperature === 0)
    return {
      parts: [`F.normalize((scores == scores.max()).double(), p=1, dim=-1)${pooled}`],
      output: printed(at),
    };
  const step = at.temperature < 0.1 ? 0.01 : at.temperature < 10 ? 0.1 : 1;
  return {
    parts: [
      "torch.softmax(scores / ",
      {
        name: "code.temperature",
        value: at.temperature,
        low: step,
        high: HOTTEST,
        step,
        change: (temperature) => ({ temperature }),
      },
      `, dim=-1)${pooled}`,
    ],
    output: printed(at),
  };
}

const printed = (at: At) => torchText(at.values ? at.output : at.attention_weights);

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const all = range(at.names.length);
  const weights = at.attention_weights[0][0];
  const numbers: [string, number[]][] = [
    ...at.features.map((name, i): [string, number[]] => [name, at.keys_[0].map((k) => k[i])]),
    [t("score"), at.scores[0][0]],
  ];
  const last = 4 + numbers.length;
  return (
    <>
      <div class="controls">
        <Handle figure={figure} />
      </div>
      <div
        class="columns selection"
        data-many={dataMany(all.length)}
        style={{ "--number": all.length }}
      >
        <span class="role" style={{ gridRow: 1 }}>
          {t("query")}
        </span>
        <div class="query-word" style={{ gridArea: "1 / 2 / auto / -1" }}>
          {at.query_names[at.query]}
        </div>
        <div class="across">
          <Arcs
            arcs={all.map((k) => ({ from: 0.5, to: (k + 0.5) / all.length, weight: weights[k] }))}
            height={HEIGHT}
            open={revealed.value}
            label={t("attentionOf")}
          />
        </div>
        <span class="role" style={{ gridRow: 3 }}>
          {t("keys")}
        </span>
        {all.map((k) => (
          <div class="key-word" data-place={k} style={{ gridArea: `3 / ${k + 2}` }}>
            {at.names[k]}
          </div>
        ))}
        {numbers.map(([name, row], i) => (
          <>
            <span class="role" style={{ gridRow: 4 + i }}>
              {name}
            </span>
            {row.map((x, k) => (
              <output class="number-cell wide" style={{ gridArea: `${4 + i} / ${k + 2}` }}>
                {formatNumber(x)}
              </output>
            ))}
          </>
        ))}
        <span class="role" style={{ gridRow: last }}>
          {t("weight")}
        </span>
        {all.map((k) => (
          <WeightBar
            figure={figure}
            weight={weights[k]}
            at={[0, 0, k]}
            style={{ gridArea: `${last} / ${k + 2}` }}
          />
        ))}
        {at.values && <Values figure={figure} row={last + 1} />}
      </div>
    </>
  );
}

/** What is averaged. */
function Values({ figure: { at, t }, row }: { figure: Figure<State, Stages>; row: number }) {
  return (
    <>
      <span class="role" style={{ gridRow: row }}>
        {at.unit ? t("valueIn", { unit: at.unit }) : t("value")}
      </span>
      {at.values![0].map(([x], k) => (
        <output class="number-cell value" style={{ gridArea: `${row} / ${k + 2}` }}>
          {plainNumber(x)}
        </output>
      ))}
    </>
  );
}

function Handle({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  if (at.handle === "features")
    return at.features.map((name, i) => (
      <span key={name} data-handle={i ? undefined : ""} class={i ? "" : "held"}>
        <ListSlider
          name={`queries[0][0][${i}]`}
          label={t("strengthOf", { name })}
          numbers={STRENGTHS}
          value={at.queries[0][0][i]}
          change={(x) => figure.set({ queries: withNumber(at.queries, 0, 0, i, x) })}
        />
      </span>
    ));
  const query = (
    <Slider
      name="query"
      label={t("query")}
      max={at.queries[0].length - 1}
      value={at.query}
      format={(q) => at.query_names[q]}
      change={(q) => figure.set({ query: q })}
    />
  );
  if (at.handle === "query")
    return (
      <span data-handle class="held">
        {query}
      </span>
    );
  return (
    <>
      <span data-handle class="held">
        <ListSlider
          name="temperature"
          label={figure.t("temperatureName")}
          numbers={TEMPERATURES}
          value={at.temperature}
          change={(temperature) => figure.set({ temperature })}
        />
      </span>
      {at.queries[0].length > 1 && query}
    </>
  );
}
