// Shows what a decoder computes, with and without a cache: the decoder-cache figure.
import type { ComponentChildren } from "preact";
import {
  DECODER_TRAITS,
  decoderProgram,
  passOver,
  type DecoderState,
} from "../controls/decoder.tsx";
import { Switch } from "../controls/choice.tsx";
import { Slider } from "../controls/slider.tsx";
import { isBoolean, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { decoderOf, nextPass, type ForwardPass } from "../maths/decoder.ts";
import { largest, range, sum, transpose, type Tensor, type Vector } from "../maths/tensor.ts";
import "../styles/decoder.css";

interface State extends DecoderState {
  step: number; // number of tokens read; the last of them is the newest
  cached: boolean;
}

interface Stages {
  computed: Tensor; // (1, N, 6), like the next: of each token at this step
  kept: Tensor;
  multiplications: Tensor; // (1, 2, 6), with and without a cache
  totals: Tensor; // (1, 2, 2), at this step and at all so far
  probabilities: Tensor; // (1, 2, V), of the next word
}

type At = Readonly<State & Stages>;
type Own = Figure<State, Stages>;

const COMPUTED = ["query", "key", "value", "attention", "feed_forward", "next_word"];
const NAMES = ["query", "key", "value", "decoderAttention", "decoderNetwork", "nextWord"];
const KEPT = ["key", "value"];

const cells = (at: At, is: (place: number, part: string) => boolean): Tensor => [
  range(at.tokens.length).map((place) => COMPUTED.map((part) => Number(is(place, part)))),
];

export default declare<State, Stages>({
  name: "decoder_cache",
  state: {
    step: oneOf(({ tokens }: State) => range(tokens.length).map((n) => n + 1)),
    cached: isBoolean,
  },
  fixed: [...DECODER_TRAITS, "tokens"],
  localised: [...DECODER_TRAITS, "tokens"],
  stages: {
    computed: (at) =>
      cells(at, (place) => place === at.step - 1 || (!at.cached && place < at.step)),
    kept: (at) =>
      cells(at, (place, part) => at.cached && place < at.step - 1 && KEPT.includes(part)),
    multiplications: (at) => [counts(at, at.step)],
    totals: (at) => {
      const steps = range(at.step).map((n) => counts(at, n + 1).map(sum));
      return [transpose([steps[at.step - 1], transpose(steps).map(sum)])];
    },
    probabilities: (at) => [[fromCache(at), fromAll(at)]],
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      at.cached ? "model(written[:, [" : "model(written[:, :",
      {
        name: "code.step",
        value: at.cached ? at.step - 1 : at.step,
        low: at.cached ? 0 : 1,
        high: at.cached ? at.tokens.length - 1 : at.tokens.length,
        change: (n) => ({ step: at.cached ? n + 1 : n }),
      },
      at.cached ? "]], caches)[0, -1].argmax()" : "])[0, -1].argmax()",
    ],
    output: `tensor(${next(at, 0)})`,
  }),
  program: (at, t) =>
    decoderProgram(
      at,
      at.tokens,
      t,
      [
        `step, cached = ${at.step}, ${at.cached ? "True" : "False"}`,
        "place = torch.arange(len(written))[:, None]",
        "earlier, newest = place < step - 1, place == step - 1",
        "kept = torch.tensor([False, True, True, False, False, False])",
        "kept = (earlier & kept & torch.tensor(cached)).double()[None]",
        "computed = newest | (earlier & torch.tensor([not cached] * 6))",
        "computed = computed.double()[None]",
        "",
        "words, size = model.embedding.weight.shape",
        'hidden = len(model.state_dict()["blocks.0.feed_forward.0.weight"])',
        "steps = torch.arange(1, step + 1)[:, None].double()",
        "newest = torch.tensor([size * size] * 4 + [2 * size * hidden, size * words])",
        "newest = newest + 2 * size * steps * torch.tensor([0, 0, 0, 1, 0, 0])",
        "counts = torch.stack([newest, steps * newest], dim=1)",
        "multiplications = counts[-1:]",
        "totals = torch.stack([counts[-1].sum(-1), counts.sum((0, 2))], dim=-1)[None]",
        "",
        "parameters, past = model.state_dict(), None",
        "for token in written[:step]:",
        "    past = forward_pass(parameters, [token], model.num_heads, past=past)",
        "every = forward_pass(parameters, written[:step], model.num_heads)",
        'probabilities = [past["probabilities"], every["probabilities"][:, -1:]]',
        "probabilities = torch.cat(probabilities, dim=1)",
      ],
      { printed: "totals" },
    ),
});

/** The multiplications of each part at a step, with and without a cache. */
function counts({ parameters, num_heads }: At, step: number): Vector[] {
  const own = decoderOf(parameters, num_heads).parameters;
  const embedding = own["embedding.weight"];
  const [words, size] = [embedding.length, embedding[0].length];
  const hidden = own["blocks.0.feed_forward.0.weight"].length;
  const square = size * size;
  const read = 2 * step * size; // scores, and sums of the values
  const newest = [square, square, square, read + square, 2 * size * hidden, size * words];
  return [newest, newest.map((count) => step * count)];
}

/** The probabilities of the next word, from the keys and values that are kept. */
function fromCache({ parameters, num_heads, tokens, step }: At): Vector {
  let past: ForwardPass | undefined;
  for (const token of tokens.slice(0, step))
    past = nextPass(decoderOf(parameters, num_heads), token, past);
  return past!.probabilities[0];
}

const fromAll = (at: At): Vector =>
  passOver(at, at.tokens.slice(0, at.step)).probabilities[at.step - 1];

/** The most probable next word, with a cache or without. */
const next = ({ probabilities: [rows] }: At, way: number) => largest(rows[way]);

const grouped = (count: number) => count.toLocaleString("en");

function sentence(at: At, t: Translate): string {
  const [[cached], [all]] = at.totals[0];
  const say =
    at.step === 1 ? "decoderCacheFirst" : at.cached ? "decoderCacheKeeps" : "decoderCacheForgets";
  return t(say, {
    word: at.vocabulary[at.tokens[at.step - 1]],
    step: at.step,
    cached: grouped(cached),
    all: grouped(all),
  });
}

function View({ figure, figure: { at, t } }: { figure: Own }) {
  return (
    <div class="decoder">
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="step"
            label={t("decoderSteps")}
            value={at.step}
            min={1}
            max={at.tokens.length}
            change={(step) => figure.set({ step })}
          />
        </span>
        <Switch
          name="cached"
          label={t("decoderKeep")}
          value={at.cached}
          change={(cached) => figure.set({ cached })}
        />
      </div>
      <div class="decoder-cache">
        <Parts figure={figure} />
        <Ways figure={figure} />
      </div>
    </div>
  );
}

/** For each token, which parts are computed at this step, and which are kept. */
function Parts({ figure, figure: { at, t } }: { figure: Own }) {
  return (
    <div class="parts-of-words">
      <span class="role">{t("decoderTokens")}</span>
      {NAMES.map((name) => (
        <span key={name} class="part-name">
          {t(name)}
        </span>
      ))}
      {at.tokens.map((token, place) => (
        <>
          <span class="part-word" data-is={isOf(at, place)}>
            {place < at.step ? at.vocabulary[token] : "…"}
          </span>
          {COMPUTED.map((part, j) => (
            <Part key={part} figure={figure} place={place} part={j} />
          ))}
        </>
      ))}
    </div>
  );
}

const isOf = ({ step }: At, place: number) =>
  place < step - 1 ? "earlier" : place < step ? "newest" : "later";

function Part(props: { figure: Own; place: number; part: number }) {
  const { figure, place, part } = props;
  const { at, t, revealed } = figure;
  const is = at.computed[0][place][part] ? "new" : at.kept[0][place][part] ? "kept" : "none";
  const text = {
    new: t(place < at.step - 1 ? "decoderIsAgain" : "decoderIsNew"),
    kept: t("decoderIsKept"),
    none: place < at.step ? "—" : "",
  }[is];
  return (
    <span class="part-cell" data-part={COMPUTED[part]} data-is={revealed.value ? is : undefined}>
      <span data-tells>{revealed.value ? text : place < at.step ? "?" : ""}</span>
    </span>
  );
}

/** The multiplications with a cache and without, and the next word with its probability. */
function Ways({ figure, figure: { at, t } }: { figure: Own }) {
  const shown = figure.revealed.value;
  const most = mostOf(at);
  return (
    <div class="ways">
      {[t("decoderThisStep"), t("decoderAllSteps", { step: at.step })].map((when, column) => (
        <Way key={column} figure={figure} title={t("decoderMultiplications", { when })}>
          {(row) => {
            const count = at.totals[0][row][column];
            const share = shown ? count / most[column] : 0;
            return (
              <span class="row-track">
                <span class="way-bar" data-length={share} style={{ width: `${100 * share}%` }} />
                <output data-tells>{shown ? grouped(count) : "?"}</output>
              </span>
            );
          }}
        </Way>
      ))}
      <Way figure={figure} title={t("nextWord")}>
        {(row) => (
          <span class="row-track">
            <output data-tells>{shown ? nextText(at, row) : "?"}</output>
          </span>
        )}
      </Way>
    </div>
  );
}

/** Something of the two ways, below each other. */
function Way(props: { figure: Own; title: string; children: (row: number) => ComponentChildren }) {
  const { t } = props.figure;
  return (
    <div class="way">
      <span class="role">{props.title}</span>
      {[t("decoderCached"), t("decoderUncached")].map((name, row) => (
        <>
          <span class="way-name">{name}</span>
          {props.children(row)}
        </>
      ))}
    </div>
  );
}

function nextText(at: At, way: number): string {
  const token = next(at, way);
  return `${at.vocabulary[token]} ${at.probabilities[0][way][token].toFixed(3)}`;
}

/** What is multiplied without a cache at the last step, and at all steps. */
function mostOf(at: At): [number, number] {
  const all = range(at.tokens.length).map((n) => sum(counts(at, n + 1)[1]));
  return [all[all.length - 1], sum(all)];
}
