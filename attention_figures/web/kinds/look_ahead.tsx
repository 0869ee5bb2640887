// Compares decoders trained with and without the mask, with later words visible or not: look ahead.
import { Segments } from "../controls/choice.tsx";
import { DECODER_TRAITS, passOver, type DecoderState } from "../controls/decoder.tsx";
import { oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { program } from "../export/python.ts";
import { decoderOf, greedy } from "../maths/decoder.ts";
import type { Packed } from "../maths/packed.ts";
import { range, sum, type Tensor } from "../maths/tensor.ts";
import { Probability } from "../views/word_rows.tsx";
import "../styles/word_rows.css";

const TRAINED = ["masked", "unmasked"] as const;
const VISIBLE = ["all", "so_far"] as const;

interface State extends DecoderState {
  unmasked_parameters: Packed;
  training: (typeof TRAINED)[number];
  visible: (typeof VISIBLE)[number];
}

interface Stages {
  written: Tensor; // (1, 1, N), tokens
  probabilities: Tensor; // (1, 1, N − 1), of the word that comes next
  loss: Tensor; // (1, 1, 1)
}

type At = Readonly<State & Stages>;
type Own = Figure<State, Stages>;

/** The parameters of the decoder that is shown. */
const shownOf = (at: Readonly<State>) => ({
  num_heads: at.num_heads,
  parameters: at.training === "masked" ? at.parameters : at.unmasked_parameters,
});
const wordAt = (at: At, place: number) => at.vocabulary[at.tokens[place]];
/** With one block, the mask gives each word what it gets if the later words are not there. */
const withoutOf = ({ visible }: Readonly<State>) => (visible === "all" ? "mask" : "nothing");

export default declare<State, Stages>({
  name: "look_ahead",
  state: { training: oneOf(TRAINED), visible: oneOf(VISIBLE) },
  fixed: [...DECODER_TRAITS, "unmasked_parameters", "tokens"],
  localised: ["vocabulary", "parameters", "unmasked_parameters"],
  stages: {
    written: (at) => {
      const { parameters, num_heads } = shownOf(at);
      const given = at.tokens.map((_, place) => place === 0);
      return [[greedy(decoderOf(parameters, num_heads), at.tokens, given)]];
    },
    probabilities: (at) => {
      const rows = passOver(shownOf(at), at.tokens, withoutOf(at)).probabilities;
      return [[at.tokens.slice(1).map((token, i) => rows[i][token])]];
    },
    loss: ({ probabilities: [[row]] }) => [[[-sum(row.map(Math.log))]]],
  },
  View,
  sentence,
  code: ({ loss: [[[loss]]] }) => ({
    parts: ["-probabilities.log().sum()"],
    output: `tensor(${loss.toFixed(4)})`,
  }),
  program: (at, t) =>
    program(
      t,
      [
        "from attention_course.decoder import load_model, write",
        "from attention_figures.decoder_pass import forward_pass",
      ],
      [
        `model = load_model("${at.lang}", causal=${at.training === "masked" ? "True" : "False"})`,
        `tokens = [${at.tokens.join(", ")}]  # ${at.tokens.map((i) => at.vocabulary[i]).join(" ")}`,
        `stages = forward_pass(model.state_dict(), tokens, model.num_heads, "${withoutOf(at)}")`,
        'rows = stages["probabilities"][0]',
        "probabilities = rows[torch.arange(len(tokens) - 1), tokens[1:]][None, None]",
        "loss = -probabilities.log().sum()[None, None, None]",
        "written = write(model, torch.tensor([tokens[:1]]), len(tokens) - 1)[None]",
      ],
      "probabilities",
    ),
});

/** Describes the loss, and the word that gets the smallest probability. */
function sentence(at: At, t: Translate): string {
  const [[shares]] = at.probabilities;
  const least = shares.indexOf(Math.min(...shares));
  const said = {
    word: wordAt(at, least + 1),
    share: percent(shares[least]),
    loss: at.loss[0][0][0].toFixed(2),
  };
  if (at.training === "masked")
    return at.visible === "all" ? t("aheadConfused", said) : t("aheadLearnt", said);
  return at.visible === "all" ? t("aheadCopies", said) : t("aheadLost", said);
}

function View({ figure, figure: { at, t } }: { figure: Own }) {
  const visible = { all: t("aheadAll"), so_far: t("aheadSoFar") };
  const trained = { masked: t("aheadMasked"), unmasked: t("aheadUnmasked") };
  return (
    <>
      <div class="controls row-choices">
        <span data-handle class="held">
          <Segments
            name="visible"
            label={t("aheadVisible")}
            value={at.visible}
            choices={VISIBLE}
            format={(choice) => visible[choice]}
            change={(choice) => figure.set({ visible: choice })}
          />
        </span>
        <Segments
          name="training"
          label={t("aheadTrained")}
          value={at.training}
          choices={TRAINED}
          format={(choice) => trained[choice]}
          change={(choice) => figure.set({ training: choice })}
        />
      </div>
      <div class="word-rows ahead" data-absent={at.visible === "so_far" ? "" : undefined}>
        <span class="role">{t("aheadAfter")}</span>
        <span class="role">{t("aheadNext")}</span>
        <span class="role">{t("aheadProbability")}</span>
        {range(at.tokens.length - 1).map((i) => (
          <>
            <span class="row-word">{wordAt(at, i)}</span>
            <span class="row-word">{wordAt(at, i + 1)}</span>
            <Probability figure={figure} share={at.probabilities[0][0][i]} />
          </>
        ))}
      </div>
      <Writing at={at} t={t} />
    </>
  );
}

/** What the decoder writes by itself; a word that repeats the one before is marked. */
function Writing({ at, t }: { at: At; t: Translate }) {
  const [[written]] = at.written;
  return (
    <p class="by-itself">
      {t("aheadWrites")}{" "}
      <output data-tells translate={false}>
        {written.slice(1).map((token, i) => (
          <>
            <span data-repeated={token === written[i] ? "" : undefined}>
              {at.vocabulary[token]}
            </span>{" "}
          </>
        ))}
      </output>
    </p>
  );
}
