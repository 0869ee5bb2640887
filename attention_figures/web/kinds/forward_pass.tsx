// Follows one number through a decoder, stage by stage, each a line with its computation: the
// forward-pass figure.
import { Select } from "../controls/choice.tsx";
import {
  allowedTokens,
  DECODER_TRAITS,
  decoderProgram,
  exchangeAt,
  passOver,
  writtenAt,
  type DecoderState,
} from "../controls/decoder.tsx";
import { Steps } from "../controls/steps.tsx";
import { indexBelow, oneOf, type Check } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, rounded } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { decoderOf } from "../maths/decoder.ts";
import { range, type Tensor } from "../maths/tensor.ts";
import { followed, LINE_NAMES, LINES, NUM_STAGES, traceOf, type Line } from "../maths/trace.ts";
import { computation } from "../views/computation.ts";
import "../styles/trace.css";

interface State extends DecoderState {
  step: number; // number of tokens written; the last of them asks
  component: number;
  key: number | null; // the place that is read; null: the largest weight
  next_token: number | null; // the token whose probability is last; null: the most probable
  stage: number;
}

interface Stages {
  written: Tensor; // (1, 1, N)
  trace: Tensor; // (1, 1, 18)
}

type At = Readonly<State & Stages>;
type Own = Figure<State, Stages>;
const MOST = -1; // in a select, instead of null

const nullOr = <S,>(check: Check<S>): Check<S> => {
  return (got, about) => (got === null ? null : check(got, about));
};
const passAt = (at: State) => passOver(at, writtenAt(at));
const decoderAt = (at: State) => decoderOf(at.parameters, at.num_heads);
const sizeOf = (at: State) => decoderAt(at).parameters["embedding.weight"][0].length;
const followedAt = (at: State) =>
  followed(decoderAt(at), passAt(at), at.step - 1, at.component, at.key, at.next_token);
const numbersAt = (at: State) => traceOf(passAt(at), followedAt(at));
/** The line of a stage that its sentence is about. */
const mainOf = (stage: number): Line =>
  stage === LINES.queries ? "queries" : LINE_NAMES.findLast((line) => LINES[line] === stage)!;
// In full, because a page loads the strings that its kinds name.
const NAMES: Record<Line, string> = {
  inputs: "traceNameInputs",
  normed: "traceNameNormed",
  queries: "traceNameQueries",
  keys: "traceNameKeys",
  values: "traceNameValues",
  scores: "traceNameScores",
  masked_scores: "traceNameMaskedScores",
  attention_weights: "traceNameAttentionWeights",
  read: "traceNameRead",
  attended: "traceNameAttended",
  after_attention: "traceNameAfterAttention",
  normed_again: "traceNameNormedAgain",
  hidden: "traceNameHidden",
  fed: "traceNameFed",
  outputs: "traceNameOutputs",
  final: "traceNameFinal",
  logits: "traceNameLogits",
  probabilities: "traceNameProbabilities",
};
const SAYS = [
  "traceSays1",
  "traceSays2",
  "traceSays3",
  "traceSays4",
  "traceSays5",
  "traceSays6",
  "traceSays7",
  "traceSays8",
  "traceSays9",
  "traceSays10",
  "traceSays11",
  "traceSays12",
  "traceSays13",
  "traceSays14",
  "traceSays15",
];
const wordAt = ({ vocabulary, written }: At, i: number) => vocabulary[written[0][0][i]];
const SAME = 1e-9;
const ROLES: Partial<Record<Line, string>> = {
  queries: "query",
  keys: "key",
  values: "value",
  scores: "score",
  masked_scores: "score",
  attention_weights: "weight",
};

/** The words and places that names of lines and sentences mention. */
function about(at: At, shown = true) {
  const { query, component, head, key, unit, next } = followedAt(at);
  const hidden = (chosen: number | null, text: string) => (shown || chosen !== null ? text : "…");
  return {
    c: component,
    head,
    unit: shown ? unit : "…",
    place: query,
    query: wordAt(at, query),
    key: hidden(at.key, wordAt(at, key)),
    next: hidden(at.next_token, at.vocabulary[next]),
    n: query + 1,
    d: sizeOf(at),
    heads: at.num_heads,
    words: at.vocabulary.length,
  };
}

export default declare<State, Stages>({
  name: "forward_pass",
  state: {
    tokens: allowedTokens,
    step: oneOf(({ tokens }: State) => range(tokens.length).map((n) => n + 1)),
    component: indexBelow(sizeOf),
    key: nullOr(indexBelow(({ tokens }: State) => tokens.length)),
    next_token: nullOr(indexBelow(({ vocabulary }: State) => vocabulary.length)),
    stage: oneOf(range(NUM_STAGES).map((n) => n + 1)),
  },
  fixed: [...DECODER_TRAITS],
  localised: ["vocabulary", "parameters"],
  defaults: { key: null, next_token: null }, // a trait that is None has no value on a page
  stages: {
    written: (at) => [[writtenAt(at)]],
    trace: (at) => [[Object.values(numbersAt(at))]],
  },
  View,
  sentence,
  program: (at, t) => {
    const { query, key, next } = followedAt(at);
    const chosen = `query=${query}, component=${at.component}, key=${key}, next_token=${next}`;
    return decoderProgram(
      at,
      at.written[0][0],
      t,
      [
        `numbers = trace(model.state_dict(), written, model.num_heads, ${chosen})`,
        "trace = torch.tensor([*numbers.values()], dtype=torch.float64)[None, None]",
        "written = torch.tensor(written)[None, None]",
      ],
      { imported: "attention_figures.decoder_trace import trace", printed: "trace" },
    );
  },
});

/** Says what the present stage did, and which words have had a say so far. */
function sentence(at: At, t: Translate): string {
  const numbers = numbersAt(at);
  const masked = at.stage === LINES.masked_scores && numbers.masked_scores === -Infinity;
  const line = mainOf(at.stage);
  return t(masked ? "traceMasked" : SAYS[at.stage - 1], {
    ...about(at),
    x: formatNumber(numbers[line]),
    share: percent(numbers[line]),
    input: formatNumber(numbers.inputs),
    attended: formatNumber(numbers.attended),
    sum: formatNumber(numbers.after_attention),
    fed: formatNumber(numbers.fed),
  });
}

function View({ figure, figure: { at, t } }: { figure: Own }) {
  const shown = figure.revealed.value;
  const names = about(at, shown);
  const [decoder, pass, places] = [decoderAt(at), passAt(at), followedAt(at)];
  const howOf = (line: Line) => computation(line, decoder, pass, places, t);
  // The same key and next word, before words were exchanged.
  const start = {
    ...at,
    tokens: figure.initialState.tokens as number[],
    key: places.key,
    next_token: places.next,
  };
  const before = numbersAt(start);
  const sameUnit = followedAt(start).unit === places.unit;
  const [[row]] = at.trace;
  return (
    <>
      <div class="controls trace-choices">
        <span data-handle class="held">
          <Steps
            t={t}
            name="stage"
            label={t("traceStage")}
            value={at.stage}
            min={1}
            max={NUM_STAGES}
            prefix="stage."
            change={(stage) => figure.set({ stage })}
          />
        </span>
        <Asking figure={figure} />
      </div>
      <div class="trace" role="list" aria-label={t("traceLines")}>
        {LINE_NAMES.map((line, i) => {
          const reached = LINES[line] <= at.stage;
          const told = shown && reached;
          const comparable = line !== "hidden" || sameUnit;
          const changed = told && comparable && Math.abs(row[i] - before[line]) > SAME;
          const [now, old] = [row[i], before[line]].map(formatNumber);
          return (
            <div
              key={line}
              class="trace-line"
              role="listitem"
              data-line={line}
              data-role={ROLES[line]}
              data-now={LINES[line] === at.stage ? "" : undefined}
              data-later={reached ? undefined : ""}
              data-changed={changed ? "" : undefined}
            >
              <span class="trace-stage">
                {LINES[line] === LINES[LINE_NAMES[i - 1]] ? "" : LINES[line]}
              </span>
              <span class="trace-name">{t(NAMES[line], names)}</span>
              <span class="trace-how" data-tells>
                {told ? howOf(line) : ""}
              </span>
              <output data-tells>{told ? now : reached ? "?" : ""}</output>
              <span class="trace-was" data-tells title={changed ? t("traceWas") : undefined}>
                {changed ? `≠ ${now === old ? rounded(before[line]) : old}` : ""}
              </span>
            </div>
          );
        })}
      </div>
      <div class="trace-now" aria-hidden="true" data-tells>
        {shown &&
          LINE_NAMES.filter((line) => LINES[line] === at.stage)
            .map(howOf)
            .join("\n")}
      </div>
      <Reading figure={figure} />
    </>
  );
}

/** The choices of the word that asks, and of the component that is followed. */
function Asking({ figure, figure: { at, t } }: { figure: Own }) {
  return (
    <>
      <Select
        name="step"
        label={t("traceAsks")}
        value={at.step - 1}
        choices={range(at.tokens.length)}
        format={(i) => wordAt(at, i)}
        change={(step) => figure.set({ step: step + 1 })}
      />
      <Select
        name="component"
        label={t("traceComponent")}
        value={at.component}
        choices={range(sizeOf(at))}
        change={(component) => figure.set({ component })}
      />
    </>
  );
}

/** The choices of the word that is read, of another in its place, and of the next word. */
function Reading({ figure, figure: { at, t } }: { figure: Own }) {
  const { key } = followedAt(at);
  const exchange = at.key !== null || figure.revealed.value ? exchangeAt(figure, at, key) : null;
  return (
    <div class="controls trace-choices">
      <Select
        name="key"
        label={t("traceReads")}
        value={at.key ?? MOST}
        choices={[MOST, ...range(at.tokens.length)]}
        format={(i) => (i === MOST ? t("traceMostRead") : wordAt(at, i))}
        change={(i) => figure.set({ key: i === MOST ? null : i })}
      />
      {exchange && <Select name={`tokens[${key}]`} label={t("traceExchange")} {...exchange} />}
      <Select
        name="next_token"
        label={t("nextWord")}
        value={at.next_token ?? MOST}
        choices={[MOST, ...range(at.vocabulary.length)]}
        format={(i) => (i === MOST ? t("traceMostLikely") : at.vocabulary[i])}
        change={(i) => figure.set({ next_token: i === MOST ? null : i })}
      />
    </div>
  );
}
