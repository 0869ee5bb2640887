// Lets a trained decoder write sentences at a temperature: the temperature figure.
import {
  DECODER_TRAITS,
  decoderProgram,
  passOver,
  type DecoderState,
} from "../controls/decoder.tsx";
import { Slider } from "../controls/slider.tsx";
import { between } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { draws as drawsText, pythonFloat } from "../export/python.ts";
import { decoderOf, nextPass, type ForwardPass } from "../maths/decoder.ts";
import { temperedSoftmax } from "../maths/softmax.ts";
import {
  cumulativeSums,
  range,
  sum,
  type Matrix,
  type Tensor,
  type Vector,
} from "../maths/tensor.ts";
import { ShareRow } from "../views/share_row.tsx";

/** S sentences of N words, P places. */
interface State extends DecoderState {
  draws: Matrix; // (S, N)
  temperature: number;
  places: Vector; // (P), after which the next word is shown
  rules: Rule[]; // (N)
}

/** For each token at the source, those that are right after it. */
interface Rule {
  source: number;
  right: Record<string, Vector>;
}

interface Stages {
  distributions: Tensor; // (1, P, V)
  written: Tensor; // (1, S, N)
}

type At = Readonly<State & Stages>;
type Own = Figure<State, Stages>;
const SHOWN = 6; // next words

const LOWEST = 0.5;
const HIGHEST = 4; // of the slider
const STEP = 0.25;

export default declare<State, Stages>({
  name: "temperature",
  state: { temperature: between(0.1, 5) },
  fixed: [...DECODER_TRAITS, "tokens", "draws", "places", "rules"],
  localised: [...DECODER_TRAITS, "tokens", "draws", "places", "rules"],
  stages: {
    distributions: (at) => temperedSoftmax([logitsAt(at)], at.temperature),
    written: (at) => [at.draws.map((draws) => written(at, draws))],
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      `torch.softmax(logits[0, [${at.places.join(", ")}]] / `,
      {
        name: "code.temperature",
        value: at.temperature,
        low: LOWEST,
        high: HIGHEST,
        step: STEP,
        change: (temperature) => ({ temperature }),
      },
      ", dim=-1).amax(dim=-1)",
    ],
    output: torchText(at.distributions[0].map((row) => Math.max(...row))),
  }),
  program: (at, t) =>
    decoderProgram(
      at,
      at.tokens,
      t,
      [
        `temperature = ${pythonFloat(at.temperature)}`,
        ...drawsText([at.draws]),
        "",
        'logits = forward_pass(model.state_dict(), written, model.num_heads)["logits"]',
        `distributions = torch.softmax(logits[:, [${at.places.join(", ")}]] / temperature, dim=-1)`,
        `written = torch.full((${at.draws.length}, 1), written[0])`,
        "for draw in draws[0].split(1, dim=1):",
        "    shares = torch.softmax(model(written)[:, -1] / temperature, dim=-1)",
        "    words = (shares.cumsum(dim=-1) > draw).int().argmax(dim=-1, keepdim=True)",
        "    written = torch.cat([written, words], dim=1)",
        "written = written[None, :, 1:]",
      ],
      { printed: "distributions" },
    ),
});

const logitsAt = (at: At): Matrix => {
  const { logits } = passOver(at, at.tokens);
  return at.places.map((place) => logits[place]);
};

/** Writes a sentence: at each place the first word at which the sum of probabilities exceeds the draw. */
function written({ parameters, num_heads, tokens, temperature }: At, draws: Vector): Vector {
  let past: ForwardPass | undefined;
  let token = tokens[0];
  return draws.map((draw) => {
    past = nextPass(decoderOf(parameters, num_heads), token, past);
    const [[shares]] = temperedSoftmax([past.logits], temperature);
    return (token = cumulativeSums(shares).findIndex((all) => all > draw));
  });
}

/** Which words are wrong. After a wrong source, any word is right that ever stands there. */
const mistakes = ({ tokens, rules }: At, words: Vector): boolean[] => {
  const all = [tokens[0], ...words];
  return rules.map(({ source, right }, i) => {
    const allowed = right[all[source]] ?? Object.values(right).flat();
    return !allowed.includes(words[i]);
  });
};

/** The most probable words of a row, the best first: at every temperature the same. */
const best = (logits: Vector): Vector =>
  range(logits.length)
    .sort((a, b) => logits[b] - logits[a])
    .slice(0, SHOWN);

/** Says what the best two words get at each place, and how many written words are wrong. */
function sentence(at: At, t: Translate): string {
  const after = logitsAt(at).map((logits, i) => {
    const [first, second] = best(logits);
    const shares = at.distributions[0][i];
    return t("temperatureAfter", {
      word: at.vocabulary[at.tokens[at.places[i]]],
      best: at.vocabulary[first],
      share: percent(shares[first]),
      second: at.vocabulary[second],
      other: percent(shares[second]),
    });
  });
  const wrong = at.written[0].flatMap((words) => mistakes(at, words));
  const count = { wrong: wrong.filter(Boolean).length, all: wrong.length };
  return [...after, t("temperatureWrong", count)].join(t("space"));
}

function View({ figure, figure: { at, t } }: { figure: Own }) {
  return (
    <div class="decoder">
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="temperature"
            label={t("temperatureName")}
            value={at.temperature}
            min={LOWEST}
            max={HIGHEST}
            step={STEP}
            change={(temperature) => figure.set({ temperature })}
          />
        </span>
      </div>
      <div class="next-places">
        {logitsAt(at).map((logits, i) => (
          <NextWords key={i} figure={figure} shown={best(logits)} i={i} />
        ))}
      </div>
      <div class="role">{t("drawnSentences")}</div>
      <ol class="drawn-sentences">
        {at.written[0].map((words, i) => (
          <Written key={i} figure={figure} words={words} />
        ))}
      </ol>
    </div>
  );
}

/** The next words at a place with their probabilities, and what is left for all others. */
function NextWords({ figure, shown, i }: { figure: Own; shown: Vector; i: number }) {
  const { at, t } = figure;
  const shares = at.distributions[0][i];
  const others = at.vocabulary.length - shown.length;
  return (
    <div class="next-list">
      <span class="role">{t("nextAfter", { word: at.vocabulary[at.tokens[at.places[i]]] })}</span>
      {shown.map((token) => (
        <ShareRow key={token} figure={figure} word={at.vocabulary[token]} share={shares[token]} />
      ))}
      {others > 0 && (
        <ShareRow
          figure={figure}
          word={t("nextOthers", { number: others })}
          share={sum(shares.filter((_, token) => !shown.includes(token)))}
        />
      )}
    </div>
  );
}

/** A sentence, in which words that do not fit are marked. */
function Written({ figure, words }: { figure: Own; words: Vector }) {
  const { at, t, revealed } = figure;
  const wrong = mistakes(at, words);
  return (
    <li class="row-track">
      <span data-tells>
        {revealed.value
          ? words.map((token, i) => (
              <>
                <span
                  data-wrong={wrong[i] ? "" : undefined}
                  title={wrong[i] ? t("drawnWrong") : undefined}
                >
                  {at.vocabulary[token]}
                </span>
                {t("space")}
              </>
            ))
          : "?"}
      </span>
    </li>
  );
}
