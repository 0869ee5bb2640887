// Shows what each head of self-attention reads and votes for, and the answer of the active heads: the
// heads figure.
import { Switch } from "../controls/choice.tsx";
import { indexBelow, type Check } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, rounded } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { maskedSoftmax, softmax } from "../maths/softmax.ts";
import { largest, linear, pool, product, sum } from "../maths/tensor.ts";
import { type Matrix, type Tensor, type Vector } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import { HeadRows } from "../views/head_rows.tsx";

interface State {
  vocabulary: string[];
  answers: string[];
  swaps: Matrix; // for each position, the tokens that may replace the word
  tokens: Vector;
  query: number;
  on: boolean[];
  embedding: Matrix; // (V, d)
  positions: Matrix; // (P, d)
  W_q: Matrix; // (M, d)
  W_k: Matrix;
  W_v: Matrix;
  W_o: Matrix; // (M, M)
}

interface Stages {
  scores: Tensor; // (h, N, N)
  attention_weights: Tensor;
  votes: Tensor; // (1, h, M), of the query
  probabilities: Tensor; // (1, 1, M)
}

type At = Readonly<State & Stages>;
type Own = Figure<State, Stages>;

const inputs = ({ embedding, positions, tokens }: State): Matrix =>
  tokens.map((token, i) => embedding[token].map((x, j) => x + positions[i][j]));
const sizeOf = ({ W_q, on }: State) => W_q.length / on.length;
/** The rows, or columns, of one head. */
const part = <T,>(list: readonly T[], head: number, size: number) =>
  list.slice(head * size, (head + 1) * size);
const causal = ({ tokens }: State) => [tokens.map((_, i) => i + 1)];
const wordAt = ({ vocabulary, tokens }: State, i: number) => vocabulary[tokens[i]];

const switches: Check = (got, { initial }) =>
  Array.isArray(got) && got.length === initial.length && got.every((x) => typeof x === "boolean")
    ? null
    : ["refusedForm"];
const allowed: Check<State> = (got, { state: { swaps } }) =>
  Array.isArray(got) && got.length === swaps.length && got.every((x, i) => swaps[i].includes(x))
    ? null
    : ["refusedForm"];

export default declare<State, Stages>({
  name: "heads",
  state: { query: indexBelow(({ tokens }: State) => tokens.length), on: switches, tokens: allowed },
  fixed: ["vocabulary", "answers", "swaps", "embedding", "positions", "W_q", "W_k", "W_v", "W_o"],
  localised: ["vocabulary", "answers"],
  stages: {
    scores: (at) => {
      const [x, size] = [inputs(at), sizeOf(at)];
      return at.on.map((_, head) => {
        const queries = linear(x, part(at.W_q, head, size));
        const keys = linear(x, part(at.W_k, head, size));
        return queries.map((q) => keys.map((k) => product(q, k) / Math.sqrt(size)));
      });
    },
    attention_weights: (at) => at.scores.map((scores) => maskedSoftmax([scores], causal(at))[0]),
    votes: (at) => {
      const [x, size] = [inputs(at), sizeOf(at)];
      return [
        at.on.map((_, head) => {
          const values = linear(x, part(at.W_v, head, size));
          const [[output]] = pool([[at.attention_weights[head][at.query]]], [values]);
          return at.W_o.map((row) => product(output, part(row, head, size)));
        }),
      ];
    },
    probabilities: ({ votes: [votes], on, answers }) =>
      softmax([[answers.map((_, i) => sum(votes.map((vote, head) => (on[head] ? vote[i] : 0))))]]),
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      "attention_weights[:, ",
      {
        name: "code.query",
        value: at.query,
        low: 0,
        high: at.tokens.length - 1,
        change: (query) => ({ query }),
      },
      "].argmax(-1)",
    ],
    output: `tensor([${at.attention_weights.map((rows) => largest(rows[at.query])).join(", ")}])`,
  }),
  program: (at, t) =>
    program(
      t,
      ["from attention_lib import MultiHeadAttention"],
      [
        floats("x", [inputs(at).map((row) => row.map(rounded))]),
        ...(["W_q", "W_k", "W_v", "W_o"] as const).map((name) => floats(name, at[name])),
        `on = torch.tensor([${at.on.map((on) => (on ? "True" : "False")).join(", ")}])`,
        `query, num_heads = ${at.query}, ${at.on.length}`,
        "",
        "num_hiddens, size = W_q.shape",
        "attention = MultiHeadAttention(size, size, size, num_hiddens, num_heads).double()",
        'parts = {"W_q": W_q, "W_k": W_k, "W_v": W_v, "W_o": torch.eye(num_hiddens)}',
        'attention.load_state_dict({f"{name}.weight": W for name, W in parts.items()})',
        "causal = torch.arange(1, x.shape[1] + 1)[None]",
        "outputs = attention(x, x, x, causal)[0, query].detach().unflatten(0, (num_heads, -1))",
        "attention_weights = attention.attention_weights[0].detach()",
        "queries, keys = ((x[0] @ W.T).unflatten(1, (num_heads, -1)) for W in (W_q, W_k))",
        'scores = torch.einsum("qhs,khs->hqk", queries, keys) / queries.shape[-1] ** 0.5',
        'votes = torch.einsum("hs,ahs->ha", outputs, W_o.unflatten(1, (num_heads, -1)))[None]',
        "probabilities = votes[:, on].sum(1, keepdim=True).softmax(-1)",
      ],
    ),
});

/** Describes what each head reads most, and the model's answer. */
function sentence(at: At, t: Translate): string {
  const reads = at.on.map((on, head) => {
    const row = at.attention_weights[head][at.query];
    const key = largest(row);
    const values = { head, word: wordAt(at, key), share: percent(row[key]) };
    return t(on ? "headsReads" : "headsOff", values);
  });
  const [[row]] = at.probabilities;
  const best = largest(row);
  return [
    t("headsAsks", { query: wordAt(at, at.query), list: reads.join(t("headsComma")) }),
    t("headsSays", { answer: at.answers[best], share: percent(row[best]) }),
  ].join(t("space"));
}

function View({ figure, figure: { at, t } }: { figure: Own }) {
  return (
    <div class="heads">
      <HeadRows
        figure={figure}
        words={at.tokens.map((token) => at.vocabulary[token])}
        query={at.query}
        ask={(query) => figure.set({ query })}
        control={(i) => `query[${i}]`}
        weights={at.attention_weights}
        off={at.on.map((on) => !on)}
        title={(head) => (
          <span class={head ? undefined : "held"} data-handle={head ? undefined : ""}>
            <Switch
              name={`on[${head}]`}
              label={t("headsHead", { head })}
              value={at.on[head]}
              change={(to) => figure.set({ on: at.on.with(head, to) })}
            />
          </span>
        )}
        exchange={(i) =>
          at.swaps[i].length > 1
            ? {
                choices: at.swaps[i],
                value: at.tokens[i],
                format: (token) => at.vocabulary[token],
                change: (token) => figure.set({ tokens: at.tokens.with(i, token) }),
              }
            : null
        }
        rows={{ wide: 30, narrow: 36 }}
      />
      <Votes figure={figure} />
    </div>
  );
}

/** Shows what each head adds to each answer, and the probabilities of the active heads' sum. */
function Votes({ figure, figure: { at, t } }: { figure: Own }) {
  const shown = figure.revealed.value;
  const [votes] = at.votes;
  const [[row]] = at.probabilities;
  const best = largest(row);
  const cell = (row: number, column: number) => ({ style: { gridArea: `${row} / ${column}` } });
  const last = at.on.length + 2;
  return (
    <div
      class="heads-votes"
      role="group"
      style={{ "--heads": at.on.length }}
      aria-label={t("headsVotes")}
    >
      <span class="role" {...cell(1, 1)}>
        {t("headsVotes")}
      </span>
      {at.on.map((_, head) => (
        <span key={head} class="role" {...cell(1, head + 2)}>
          {t("headsBy", { head })}
        </span>
      ))}
      <span class="role" {...cell(1, last)}>
        {t("headsProbability")}
      </span>
      {at.answers.map((answer, i) => (
        <>
          <span class="heads-answer" data-chosen={shown && i === best ? "" : undefined}>
            {answer}
          </span>
          {votes.map((vote, head) => (
            <output
              aria-label={t("headsVoteFor", { head, answer })}
              data-off={at.on[head] ? undefined : ""}
              data-tells
              {...cell(i + 2, head + 2)}
            >
              {shown ? signed(vote[i]) : "?"}
            </output>
          ))}
          <div class="row-track" {...cell(i + 2, last)}>
            <span
              class="vote-bar"
              data-length={shown ? row[i] : 0}
              style={{ width: shown ? `${100 * row[i]}%` : 0 }}
            />
            <output aria-label={t("headsProbabilityOf", { answer })} data-tells>
              {shown ? percent(row[i]) : "?"}
            </output>
          </div>
        </>
      ))}
    </div>
  );
}

const signed = (x: number) => (x > 0 ? `+${formatNumber(x)}` : formatNumber(x));
