// Recalls a growing list of words from one state of fixed size, or by attention: the recall figure.
import { Select } from "../controls/choice.tsx";
import { Slider } from "../controls/slider.tsx";
import { indexBelow, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { gaussian } from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import { pool, product, range, sum, transpose, type Matrix, type Tensor } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import "../styles/rows.css";

interface State {
  words: string[]; // V, of which the first are the list
  vectors: Tensor; // (1, V, d)
  places: Tensor; // (1, N, d)
  length: number;
  asked: number;
}

interface Stages {
  state: Tensor; // (1, 1, d)
  recalled: Tensor; // (1, 1, length), which word
  attention_weights: Tensor; // (1, 1, length), of the position that is asked for
  selected: Tensor; // (1, 1, length), which word
}

type At = Readonly<State & Stages>;

const numPlaces = ({ places }: Readonly<State>) => places[0].length;
const askedOf = ({ asked, length }: Readonly<State>) => Math.min(asked, length - 1);
const isRight = (word: number, n: number) => word === n;

/** Returns the word with the largest product for each vector. */
const nearest = (read: Matrix, vocabulary: Matrix) =>
  read.map((vector) => {
    const products = vocabulary.map((word) => product(word, vector));
    return products.indexOf(Math.max(...products));
  });

const allWeights = ({ places, length }: At): Tensor => {
  const there = [places[0].slice(0, length)];
  return softmax(gaussian(there, there));
};

export default declare<State, Stages>({
  name: "recall",
  state: {
    length: oneOf((state: State) => range(numPlaces(state)).map((n) => n + 1)),
    asked: indexBelow(numPlaces),
  },
  fixed: ["words", "vectors", "places"],
  localised: ["words"],
  stages: {
    state: ({ places, vectors, length }) => {
      const signed = range(length).map((n) => vectors[0][n].map((x, i) => x * places[0][n][i]));
      return [[transpose(signed).map(sum)]];
    },
    recalled: ({ places, vectors, length, state }) => {
      const read = range(length).map((n) => state[0][0].map((x, i) => x * places[0][n][i]));
      return [[nearest(read, vectors[0])]];
    },
    attention_weights: (at) => [[allWeights(at)[0][askedOf(at)]]],
    selected: (at) => {
      const values = [at.vectors[0].slice(0, at.length)];
      return [[nearest(pool(allWeights(at), values)[0], at.vectors[0])]];
    },
  },
  View,
  sentence: (at, t) =>
    t("recallSays", {
      size: at.state[0][0].length,
      all: at.length * at.state[0][0].length,
      length: at.length,
      recalled: at.recalled[0][0].filter(isRight).length,
      selected: at.selected[0][0].filter(isRight).length,
    }),
  code: (at) => ({
    parts: [
      "((places * state)[:, :",
      {
        name: "code.length",
        value: at.length,
        low: 1,
        high: numPlaces(at),
        change: (length) => ({ length }),
      },
      "] @ vectors.mT).argmax(-1)",
    ],
    output: `tensor([[${at.recalled[0][0].join(", ")}]])`,
  }),
  program: (at, t) =>
    program(
      t,
      ["from attention_lib.scores import gaussian"],
      [
        floats("vectors", at.vectors),
        floats("places", [at.places[0].slice(0, at.length)]),
        "",
        `words = vectors[:, :${at.length}]`,
        "state = (places * words).sum(1, keepdim=True)",
        "recalled = (places * state @ vectors.mT).argmax(-1)[:, None]",
        "weights = torch.softmax(gaussian(places, places), dim=-1)",
        `attention_weights = weights[:, ${askedOf(at)} : ${askedOf(at) + 1}]`,
        "selected = (weights @ words @ vectors.mT).argmax(-1)[:, None]",
      ],
    ),
});

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const asked = (n: number) => (n === askedOf(at) ? "" : undefined);
  const wrong = (n: number) =>
    revealed.value && n < at.length && !isRight(at.recalled[0][0][n], n) ? "" : undefined;
  const later = (n: number) => (n >= at.length ? "" : undefined);
  return (
    <>
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="length"
            label={t("listLength")}
            min={1}
            max={numPlaces(at)}
            value={at.length}
            change={(length) => figure.set({ length })}
          />
        </span>
        <Select
          name="asked"
          label={t("askedFor")}
          value={askedOf(at)}
          choices={range(at.length)}
          format={(n) => t("place", { n })}
          change={(n) => figure.set({ asked: n })}
        />
      </div>
      <div class="rows recalled">
        <span class="row-head" style={{ gridColumn: "1 / 3" }}>
          {t("theList")}
        </span>
        <span class="row-head">{t("fromState")}</span>
        <span class="row-head">{t("selected")}</span>
        <span class="row-head" data-end>
          {t("weight")}
        </span>
        {range(numPlaces(at)).map((n) => (
          <>
            <span data-end data-asked={asked(n)} data-later={later(n)}>
              {n}
            </span>
            <span class="row-name" data-asked={asked(n)} data-later={later(n)}>
              {at.words[n]}
            </span>
            <output data-asked={asked(n)} data-tells data-wrong={wrong(n)}>
              {n < at.length && (revealed.value ? at.words[at.recalled[0][0][n]] : "?")}
            </output>
            <output data-asked={asked(n)} data-tells>
              {n < at.length && (revealed.value ? at.words[at.selected[0][0][n]] : "?")}
            </output>
            {n < at.length ? (
              <output data-end data-asked={asked(n)} data-tells data-at={`0,0,${n}`}>
                {revealed.value ? formatNumber(at.attention_weights[0][0][n]) : "?"}
              </output>
            ) : (
              <span />
            )}
          </>
        ))}
      </div>
    </>
  );
}
