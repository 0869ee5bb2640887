// Defines what the figures of a trained decoder share: the state, the words that a reader can exchange,
// and the choice of a part to remove.
import type { Check } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import type { Translate } from "../core/strings.ts";
import { program } from "../export/python.ts";
import { decoderOf, forwardPass, greedy, type ForwardPass } from "../maths/decoder.ts";
import type { Packed } from "../maths/packed.ts";
import { range, type Matrix, type Vector } from "../maths/tensor.ts";
import { Segments, Select } from "./choice.tsx";
import "../styles/exchanges.css";

/** N tokens, V words in the vocabulary, h heads. */
export interface DecoderState {
  lang: string;
  parameters: Packed;
  num_heads: number;
  vocabulary: string[];
  swaps: Matrix; // for each place, the tokens that may stand there
  tokens: Vector;
}

export const DECODER_TRAITS = ["parameters", "num_heads", "vocabulary", "swaps"] as const;

export const allowedTokens: Check<DecoderState> = (got, { state: { swaps } }) =>
  Array.isArray(got) && got.length === swaps.length && got.every((x, i) => swaps[i].includes(x))
    ? null
    : ["refusedForm"];

/** The tokens of the sentence: the reader's choices, and what the decoder writes. */
export const writtenAt = ({ parameters, num_heads, swaps, tokens }: DecoderState): Vector =>
  greedy(
    decoderOf(parameters, num_heads),
    tokens,
    swaps.map((allowed, place) => allowed.length > 1 || place === 0),
  );

/** Runs the figure's decoder on tokens, without a part. */
export const passOver = (
  { parameters, num_heads }: Pick<DecoderState, "parameters" | "num_heads">,
  tokens: Vector,
  without = "nothing",
): ForwardPass => forwardPass(decoderOf(parameters, num_heads), tokens, without);

/** The select that exchanges the word at a place, or null if the decoder writes it. */
export function exchangeAt<S extends DecoderState>(
  figure: Figure<S>,
  at: Readonly<DecoderState>,
  place: number,
) {
  if (at.swaps[place].length < 2) return null;
  return {
    choices: at.swaps[place],
    value: at.tokens[place],
    format: (token: number) => at.vocabulary[token],
    change: (token: number) =>
      figure.set({ tokens: at.tokens.with(place, token) } as unknown as Partial<S>),
  };
}

/** Selects that exchange the words that the reader may choose; one of them may be the handle. */
export function Exchanges<S extends DecoderState>(props: {
  figure: Figure<S>;
  at: Readonly<DecoderState>;
  handle?: number;
}) {
  const { figure, at, handle } = props;
  const { t } = figure;
  return (
    <div class="controls exchanges">
      <span class="role">{t("decoderExchange")}</span>
      {range(at.tokens.length).map((place) => {
        const exchange = exchangeAt(figure, at, place);
        const word = at.vocabulary[at.tokens[place]];
        return (
          exchange && (
            <span
              key={place}
              class={handle === place ? "held" : undefined}
              data-handle={handle === place ? "" : undefined}
            >
              <Select
                name={`tokens[${place}]`}
                label={t("headsSwapWord", { word })}
                {...exchange}
              />
            </span>
          )
        );
      })}
    </div>
  );
}

const nameOf = (part: string, t: Translate) => {
  const head = /^head-(\d+)$/.exec(part);
  if (head) return t("headsHead", { head: head[1] });
  return {
    nothing: t("decoderNothing"),
    positions: t("decoderPositions"),
    mask: t("decoderMask"),
    "first-token": t("decoderFirstToken"),
    "residual-1": t("decoderResidual1"),
    "residual-2": t("decoderResidual2"),
    "feed-forward": t("decoderFeedForward"),
  }[part]!;
};

/** The name of a part within a sentence. */
export function partInWords(part: string, t: Translate): string {
  const parts: Record<string, string> = {
    "residual-1": t("decoderResidual1InWords"),
    "residual-2": t("decoderResidual2InWords"),
    "feed-forward": t("decoderFeedForwardInWords"),
  };
  return parts[part] ?? nameOf(part, t);
}

/** Buttons that remove a part of the decoder. */
export function Without(props: {
  t: Translate;
  value: string;
  removable: readonly string[];
  change: (part: string) => void;
}) {
  const { t, value, removable, change } = props;
  return (
    <Segments
      name="without"
      label={t("decoderWithout")}
      value={value}
      choices={["nothing", ...removable]}
      format={(part) => nameOf(part, t)}
      change={change}
    />
  );
}

/** The Python program of a figure: loads the decoder, defines `written`, and computes the rest. */
export const decoderProgram = (
  at: DecoderState,
  written: Vector,
  t: Translate,
  lines: string[],
  {
    imported = "attention_figures.decoder_pass import forward_pass",
    printed = "attention_weights",
  } = {},
) =>
  program(
    t,
    ["from attention_course.decoder import load_model", `from ${imported}`],
    [
      `model = load_model("${at.lang}")`,
      `written = [${written.join(", ")}]  # ${written.map((i) => at.vocabulary[i]).join(" ")}`,
      ...lines,
    ],
    printed,
  );
