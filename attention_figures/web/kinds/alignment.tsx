// Aligns the words of two sentences and predicts their label: the alignment figure.
import { useRef } from "preact/hooks";
import { Segments, Select } from "../controls/choice.tsx";
import { Slider } from "../controls/slider.tsx";
import { TextField } from "../controls/text.tsx";
import { indexBelow, singleLine, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, percent, shortNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { widthOf } from "../maths/axis.ts";
import {
  aggregate,
  attend,
  compare,
  embed,
  scores,
  type Perceptron,
  type Trained,
} from "../maths/decomposable.ts";
import { softmax } from "../maths/softmax.ts";
import { sum, type Matrix, type Tensor, type Vector } from "../maths/tensor.ts";
import { encode, isKnown, split, unknown } from "../maths/tokens.ts";
import { floats, program } from "../export/python.ts";
import { Arcs } from "../views/arcs.tsx";
import { Heatmap, isSmall } from "../views/heatmap.tsx";
import { weightScale } from "../views/scale.tsx";
import "../styles/words.css";
import "../styles/alignment.css";

interface State {
  parameters: Trained["parameters"];
  layers: Readonly<Record<Perceptron, readonly string[]>>;
  /** The vocabulary, by id. */
  words: string[];
  pairs: Pair[];
  premise: string;
  hypothesis: string;
  parts: string[];
  /** The query word whose lines are drawn, if the figure has the part "word". */
  word: number;
  /** The sentence whose words are the queries; the other's are the keys. */
  direction: Side;
}

interface Stages {
  premise_words: string[];
  hypothesis_words: string[];
  scores: Tensor; // (1, P, H)
  attention_weights: Tensor; // (1, P, H)
  reverse_weights: Tensor; // (1, H, P)
  logits: Tensor; // (1, 1, 3)
  probabilities: Tensor; // (1, 1, 3)
  comparisons: Tensor; // (1, 1, P)
  reverse_comparisons: Tensor; // (1, 1, H)
}

type At = Readonly<State & Stages>;
type Pair = readonly [premise: string, hypothesis: string, label: string];
type Side = (typeof SIDES)[number];
const SIDES = ["premise", "hypothesis"] as const;
/** The keys of the strings for each direction. */
const WAYS = { premise: "premiseLooks", hypothesis: "hypothesisLooks" } as const;
const LABELS = ["entailment", "neutral", "contradiction"]; // of the logits, in this order
const LONGEST = 400; // characters of a sentence
const MOST_NAMED = 3; // words that the caption names
const EQUAL = 1e-9; // weights that differ by less are alike
const ROW = 22; // pixels for a word; on a projector, where letters are larger, more
const MANY = 8; // columns beyond which decimals are cut
const EXTRA = ["pair", "word", "comparisons"]; // parts that are shown only if they are named

const has = ({ parts }: Readonly<State>, part: string) =>
  parts.length ? parts.includes(part) : !EXTRA.includes(part);

const embedded = (at: At, side: Side) => embed(at, encode(at.words, at[side]));

/** The output of G for each word of both sentences. */
function compared(at: At): [Matrix, Matrix] {
  const [a, b] = [embedded(at, "premise"), embedded(at, "hypothesis")];
  const [forth, back] = [at.attention_weights[0], at.reverse_weights[0]];
  return [compare(at, a, forth, b), compare(at, b, back, a)];
}

export default declare<State, Stages>({
  name: "alignment",
  state: {
    premise: singleLine(LONGEST),
    hypothesis: singleLine(LONGEST),
    word: indexBelow(() => LONGEST),
  },
  fixed: ["parameters", "layers", "words", "pairs", "parts"],
  viewState: { direction: { initial: "premise", check: oneOf(SIDES) } },
  stages: {
    premise_words: ({ words, premise }) => split(words, premise),
    hypothesis_words: ({ words, hypothesis }) => split(words, hypothesis),
    scores: (at) => [scores(at, embedded(at, "premise"), embedded(at, "hypothesis"))],
    attention_weights: ({ scores }) => softmax(scores),
    reverse_weights: (at) => [attend(at, embedded(at, "hypothesis"), embedded(at, "premise"))],
    logits: (at) => [[aggregate(at, ...compared(at))]],
    probabilities: ({ logits }) => softmax(logits),
    comparisons: (at) => [[compared(at)[0].map(sum)]],
    reverse_comparisons: (at) => [[compared(at)[1].map(sum)]],
  },
  View,
  sentence,
  code: (at) =>
    has(at, "prediction")
      ? {
          parts: ["torch.softmax(model(premise, hypothesis), dim=-1)"],
          output: torchText(at.probabilities[0]),
        }
      : {
          parts: ["attention_weights[0, ", String(wordOf(at)), "]"],
          output: torchText([at.attention_weights[0][wordOf(at)] ?? []]),
        },
  // The model is too large to print; its output is not.
  program: (at, t) => {
    const { premise_words: premise, hypothesis_words: hypothesis, scores, logits } = at;
    const sizes = `1, ${premise.length}, ${hypothesis.length}`;
    return program(
      t,
      ["from attention_lib import masked_softmax"],
      [
        `premise = ${listOf(premise)}`,
        `hypothesis = ${listOf(hypothesis)}`,
        `# ${t("fromTheModel")}`,
        premise.length && hypothesis.length
          ? floats("scores", scores)
          : `scores = torch.zeros(${sizes}, dtype=torch.float64)`,
        floats("logits", logits),
        ...(has(at, "comparisons")
          ? [
              floats("comparisons", at.comparisons),
              floats("reverse_comparisons", at.reverse_comparisons),
            ]
          : []),
        "",
        "attention_weights = masked_softmax(scores, None)",
        "reverse_weights = masked_softmax(scores.mT, None)",
        "probabilities = torch.softmax(logits, dim=-1)",
      ],
    );
  },
});

/** A Python list of strings: JSON's quotes are valid Python. */
const listOf = (words: string[]) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;

/** A label's name in the reader's language. */
const nameOf = (label: string, t: Translate) => t(`label_${label}`) || label;

/** The index of the pair that is shown; −1 for other sentences. */
const shown = ({ pairs, premise, hypothesis }: At) =>
  pairs.findIndex(([a, b]) => a === premise && b === hypothesis);

const largest = (row: number[]) => row.indexOf(Math.max(...row));

/** The only word whose lines are drawn; −1 for all. */
function wordOf(at: At): number {
  const words = at.direction === "premise" ? at.premise_words : at.hypothesis_words;
  return has(at, "word") ? Math.min(at.word, words.length - 1) : -1;
}

/** The query words, the key words and the weights. */
function looking(at: At): { from: string[]; to: string[]; weights: Matrix } {
  return at.direction === "premise"
    ? { from: at.premise_words, to: at.hypothesis_words, weights: at.attention_weights[0] }
    : { from: at.hypothesis_words, to: at.premise_words, weights: at.reverse_weights[0] };
}

/** The predicted label, and the words that attend most to a word other than themselves. */
function sentence(at: At, t: Translate): string {
  const [row] = at.probabilities[0];
  const best = largest(row);
  const gold = at.pairs[shown(at)]?.[2];
  const { from, to, weights } = looking(at);
  const chosen = wordOf(at);
  const found = from.flatMap((word, i) => {
    const k = largest(weights[i]);
    if (k < 0 || (chosen < 0 ? to[k] === word : i !== chosen)) return [];
    const share = percent(weights[i][k]);
    if (to.length > 1 && weights[i][k] - Math.min(...weights[i]) < EQUAL)
      return [t("looksAtAll", { word, share })];
    return [t("looksMostAt", { word, other: to[k], share })];
  });
  return [
    has(at, "prediction")
      ? t("modelSays", { label: nameOf(LABELS[best], t), share: percent(row[best]) })
      : "",
    gold && has(at, "pairs") ? t("goldIs", { label: nameOf(gold, t) }) : "",
    found.length ? t("list", { list: found.slice(0, MOST_NAMED).join(t("semicolon")) }) : "",
  ]
    .filter(Boolean)
    .join(t("space"));
}

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const [rows, cols] = [at.premise_words.length, at.hypothesis_words.length];
  const typed = has(at, "sentences");
  return (
    <>
      {(typed || has(at, "pairs")) && (
        <div class="controls sentences">
          {has(at, "pairs") && <PairSelect figure={figure} />}
          {typed &&
            SIDES.map((side) => (
              <TextField
                name={side}
                label={t(side)}
                value={at[side]}
                limit={LONGEST}
                change={(text) => figure.set({ [side]: text })}
              />
            ))}
        </div>
      )}
      {(has(at, "pair") || has(at, "word")) && <Handle figure={figure} />}
      <div class="meeting">
        {has(at, "links") && rows + cols > 0 && isSmall(rows, cols) && <Links figure={figure} />}
        {has(at, "prediction") && <Prediction figure={figure} />}
      </div>
      <p class="notice" role="status">
        {remarks(at, t)}
      </p>
      {has(at, "maps") && rows > 0 && cols > 0 && (
        <div class="tensors">
          <WordMap figure={figure} side="premise" />
          <WordMap figure={figure} side="hypothesis" />
        </div>
      )}
    </>
  );
}

/** Selects the pair, by its hypothesis, or the query word. */
function Handle({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const { from } = looking(at);
  const choose = ([premise, hypothesis]: Pair) => figure.set({ premise, hypothesis });
  return (
    <div class="controls">
      {has(at, "pair") && (
        <span data-handle class="held">
          <Segments
            name="pair"
            label={t("hypothesis")}
            value={String(shown(at))}
            choices={at.pairs.map((_, i) => String(i))}
            format={(i) => at.pairs[Number(i)][1]}
            change={(i) => choose(at.pairs[Number(i)])}
          />
        </span>
      )}
      {has(at, "word") && from.length > 0 && (
        <span data-handle class="held">
          <Slider
            name="word"
            label={t("wordThatLooks")}
            value={wordOf(at)}
            max={from.length - 1}
            format={(i) => from[i]}
            change={(word) => figure.set({ word })}
          />
        </span>
      )}
    </div>
  );
}

/** Warns of sentences without words, and of words that the vocabulary lacks. */
function remarks(at: At, t: Translate): string {
  const empty = SIDES.filter((side) => !at[`${side}_words`].length);
  const unknownWords = unknown(at.words, `${at.premise} ${at.hypothesis}`);
  return [
    ...empty.map((side) => t("noWords", { side: t(side) })),
    ...(unknownWords.length ? [t("unknownWords", { list: unknownWords.join(t("comma")) })] : []),
  ].join(" ");
}

/**
 * Selects one of the pairs, grouped by label, or restores the reader's own sentences. It has no state:
 * the selected pair follows from the sentences.
 */
function PairSelect({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const own = useRef<readonly string[]>(["", ""]); // the sentences that the reader typed
  const found = shown(at);
  const choose = (place: number) => {
    if (found < 0) own.current = [at.premise, at.hypothesis];
    const [premise, hypothesis] = at.pairs[place] ?? own.current;
    figure.set({ premise, hypothesis });
  };
  return (
    <label>
      <span>{t("sentencePair")}</span>
      <select
        data-control="pair"
        value={found}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
      >
        {LABELS.map((name) => (
          <optgroup label={nameOf(name, t)}>
            {at.pairs.map(
              ([premise, hypothesis, label], i) =>
                label === name && (
                  <option value={i}>
                    {premise} → {hypothesis}
                  </option>
                ),
            )}
          </optgroup>
        ))}
        <option value={-1}>{t("ownSentences")}</option>
      </select>
    </label>
  );
}

/** Draws lines from the words of one sentence to those of the other, as thick as their weights. */
function Links({ figure, figure: { at, t, revealed } }: { figure: Figure<State, Stages> }) {
  const { from, to, weights } = looking(at);
  const number = Math.max(from.length, to.length);
  const middle = (i: number) => (i + 0.5) / number;
  const other = SIDES.find((side) => side !== at.direction)!;
  const wordsOf = (side: Side) => t("wordsOf", { side: t(side) });
  const chosen = wordOf(at);
  const comparisons = has(at, "comparisons") && {
    premise: at.comparisons[0][0],
    hypothesis: at.reverse_comparisons[0][0],
  };
  return (
    <div class="links" style={{ "--row": `${ROW / 16}rem`, "--rows": number }}>
      {has(at, "direction") && (
        <div class="controls direction">
          <Select
            name="direction"
            label={t("whoLooks")}
            value={at.direction}
            choices={SIDES}
            format={(side) => t(WAYS[side])}
            change={(direction) => figure.set({ direction })}
          />
        </div>
      )}
      <Column
        words={from}
        vocabulary={at.words}
        kind="query-word"
        label={wordsOf(at.direction)}
        chosen={chosen}
        comparisons={comparisons ? comparisons[at.direction] : undefined}
      />
      <Arcs
        sideways
        arcs={from.flatMap((_, i) =>
          to.map((_, k) => ({
            from: middle(i),
            to: middle(k),
            weight: chosen < 0 || i === chosen ? weights[i][k] : 0,
          })),
        )}
        height={number * ROW}
        open={revealed.value}
        label={t("linksBetween")}
      />
      <Column
        words={to}
        vocabulary={at.words}
        kind="key-word"
        label={wordsOf(other)}
        comparisons={comparisons ? comparisons[other] : undefined}
        weights={chosen < 0 ? undefined : weights[chosen]}
        query={chosen}
      />
    </div>
  );
}

/** Lists words below each other, with the output of G or the weight of each. */
function Column(props: {
  words: string[];
  vocabulary: string[];
  kind: string;
  label: string;
  chosen?: number;
  comparisons?: Vector;
  weights?: Vector;
  query?: number;
}) {
  const { words, vocabulary, kind, label, chosen = -1, comparisons, weights, query } = props;
  return (
    <ol class="words" aria-label={label}>
      {words.map((word, i) => (
        <li>
          <span
            class={kind}
            title={word}
            data-unknown={isKnown(vocabulary, word) ? undefined : ""}
            data-chosen={i === chosen ? "" : undefined}
            data-place={kind === "key-word" ? i : undefined}
          >
            {word}
          </span>
          {weights && (
            <output data-tells data-at={`0,${query},${i}`}>
              {formatNumber(weights[i])}
            </output>
          )}
          {comparisons && (
            <output class="said" data-tells>
              {formatNumber(comparisons[i])}
            </output>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Shows the probability of each label as a number and a bar, and marks the gold label. */
function Prediction({ figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const [row] = at.probabilities[0];
  const gold = at.pairs[shown(at)]?.[2];
  return (
    <div class="prediction">
      <div class="title">{t("prediction")}</div>
      <dl>
        {LABELS.map((label, i) => (
          <>
            <dt data-chosen={i === largest(row) ? "" : undefined}>{nameOf(label, t)}</dt>
            <dd data-tells>{formatNumber(row[i])}</dd>
            <dd class="hint" data-tells>
              <span class="bar" data-length={row[i]} style={{ width: `${5 * row[i]}rem` }} />
              {label === gold && <span>{t("goldLabel")}</span>}
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
}

/** Draws the weights from one sentence's words (rows) to the other's (columns). */
function WordMap({ figure, side }: { figure: Figure<State, Stages>; side: Side }) {
  const { at, t } = figure;
  const forth = side === "premise";
  const [sides, heads] = forth
    ? [at.premise_words, at.hypothesis_words]
    : [at.hypothesis_words, at.premise_words];
  const label = `${forth ? "attention_weights" : "reverse_weights"}[0]`;
  const many = heads.length > MANY;
  const turned = many || heads.some((word) => widthOf(word) > 38);
  const room = (list: string[]) => Math.min(96, Math.ceil(Math.max(...list.map(widthOf))) + 6);
  const look = {
    "--keys": heads.length,
    "--attention-side": `${room(sides)}px`,
    "--attention-head": turned ? `${room(heads) + 4}px` : undefined,
  };
  return (
    <div class="panel alignment" data-turned={turned ? "" : undefined} style={look}>
      <code>{label}</code>
      <div class="hint">{t(WAYS[side])}</div>
      <Heatmap
        figure={figure}
        label={label}
        matrix={(forth ? at.attention_weights : at.reverse_weights)[0]}
        scale={weightScale}
        example={0}
        place={forth ? undefined : "data-reverse-at"}
        heads={heads}
        sides={sides}
        format={many ? shortNumber : formatNumber}
      />
    </div>
  );
}
