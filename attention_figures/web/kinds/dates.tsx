// Lets a trained model read the reader's date in a sentence with two dates: the date figure.
import { useSignalEffect } from "@preact/signals";
import { Segments } from "../controls/choice.tsx";
import { Slider } from "../controls/slider.tsx";
import { oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { percent } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { read } from "../maths/aligner.ts";
import { unpacked, type Packed } from "../maths/packed.ts";
import { largest, range, type Tensor } from "../maths/tensor.ts";
import { program } from "../export/python.ts";
import { loadModel, loadingState, trainedModel } from "../core/trained_models.ts";
import { Answer, ReadTokens } from "../views/answer.tsx";
import "../styles/reading.css";

interface Style {
  parts: [field: string, between: string][];
  digits: string;
  months: string[];
  days: string[];
}

interface Model {
  words: string[];
  parameters: Packed;
}

interface State {
  year: number;
  month: number;
  day: number;
  style: number;
  place: number;
  around: [before: string, after: string][]; // by style
  styles: Style[];
  trained: string;
  model: Model | null;
}

interface Stages {
  characters: Tensor; // (1, 1, T)
  attention_weights: Tensor; // (1, T, K)
}

const TARGET = "0123456789-";
const FIELDS = "yyyy-MM-dd"; // the field that each character of an answer belongs to
const [FIRST_YEAR, LAST_YEAR] = [1700, 2099];

const answerOf = ({ year, month, day }: State) =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

const cut = (text: string) => text.match(/[A-Za-z]+|\S/gu) ?? [];

/** The parts of the date as its style writes it, each with its field. */
function dateOf({ year, month, day }: State, { parts, digits, months, days }: Style) {
  const texts: Record<string, string> = {
    y: [...String(year)].map((digit) => digits[Number(digit)]).join(""),
    M: months[month - 1],
    d: days[day - 1],
  };
  return parts.map(([field, between]) => ({ field, text: texts[field] ?? between }));
}

/** The tokens of the sentence, each with its field of the reader's date, if any. */
function tokensOf(at: State) {
  const [before, after] = at.around[at.style];
  const own = dateOf(at, at.styles[at.style]);
  const parts = [{ field: "", text: before }, ...own, { field: "", text: after }];
  return parts.flatMap(({ field, text }) => cut(text).map((token) => ({ field, token })));
}

type Reading = ReturnType<typeof read>;
const NOTHING: Reading = { characters: [], attention_weights: [[]] };
const readings = new WeakMap<Model, (tokens: string[]) => Reading>();

/** Runs a model on a sentence; caches the last result. */
function readerOf(model: Model) {
  const parameters = unpacked(model.parameters);
  let latest = { text: "", reading: NOTHING };
  return (tokens: string[]) => {
    const text = tokens.join(" ");
    const ids = () => tokens.map((token) => model.words.indexOf(token));
    if (text !== latest.text) latest = { text, reading: read(parameters, ids()) };
    return latest.reading;
  };
}

/** Empty until the model is loaded. */
function readingOf(at: State): Reading {
  const model = at.model ?? trainedModel<Model>(at.trained);
  if (!model) return NOTHING;
  if (!readings.has(model)) readings.set(model, readerOf(model));
  return readings.get(model)!(tokensOf(at).map(({ token }) => token));
}

const writtenOf = ({ characters }: Stages) => characters[0][0].map((i) => TARGET[i]).join("");

const whole = (low: number, high: number) => oneOf(range(high - low + 1).map((i) => low + i));

export default declare<State, Stages>({
  name: "dates",
  state: {
    year: whole(FIRST_YEAR, LAST_YEAR),
    month: whole(1, 12),
    day: whole(1, 31),
    style: whole(0, 1),
    place: whole(0, FIELDS.length - 1),
  },
  fixed: ["around", "styles", "trained", "model"],
  localised: ["around", "styles", "trained"],
  defaults: { model: null },
  stages: {
    characters: (at) => [[readingOf(at).characters]],
    attention_weights: (at) => readingOf(at).attention_weights,
  },
  View,
  sentence(at, t) {
    const row = at.attention_weights[0][at.place];
    if (!row) return t(loadingState(at.trained) === "failed" ? "modelFailed" : "modelLoading");
    const [written, answer] = [writtenOf(at), answerOf(at)];
    return t("datesSays", {
      verdict: t(written === answer ? "datesRight" : "datesWrong", { written, answer }),
      place: at.place,
      character: written[at.place],
      token: tokensOf(at)[largest(row)].token,
      share: percent(Math.max(...row)),
    });
  },
  code: (at) => ({
    parts: [
      "model.attention_weights[0, ",
      {
        name: "code.place",
        value: at.place,
        low: 0,
        high: FIELDS.length - 1,
        change: (to) => ({ place: to }),
      },
      "].argmax()",
    ],
    output: at.attention_weights[0].length
      ? `tensor(${largest(at.attention_weights[0][at.place])})`
      : "tensor(?)",
  }),
  program: (at, t) =>
    program(
      t,
      ["from attention_course.dates import load_model"],
      [
        `model, tokens = load_model("${at.trained.split("/")[1]}")`,
        `words = "${tokensOf(at)
          .map(({ token }) => token)
          .join(" ")}".split()`,
        "ids = torch.tensor([[tokens.ids[word] for word in words]])",
        "with torch.no_grad():",
        "    characters = model(ids, torch.tensor([len(words)])).argmax(dim=-1)[None]",
        "attention_weights = model.attention_weights",
      ],
    ),
});

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  useSignalEffect(() => {
    if (figure.revealed.value && !figure.at.model) loadModel(figure.at.trained);
  });
  const tokens = tokensOf(at);
  const shown = at.styles[at.style];
  const sample = (style: Style) =>
    dateOf(at, style)
      .map(({ text }) => text)
      .join("");
  return (
    <div class="reading of-a-date">
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="year"
            label={t("datesYear")}
            min={FIRST_YEAR}
            max={LAST_YEAR}
            value={at.year}
            change={(year) => figure.set({ year })}
          />
        </span>
        <Slider
          name="month"
          label={t("datesMonth")}
          min={1}
          max={12}
          value={at.month}
          format={(month) => shown.months[month - 1]}
          change={(month) => figure.set({ month })}
        />
        <Slider
          name="day"
          label={t("datesDay")}
          min={1}
          max={31}
          value={at.day}
          change={(day) => figure.set({ day })}
        />
        <Segments
          name="style"
          label={t("datesStyle")}
          value={String(at.style)}
          choices={["0", "1"]}
          format={(style) => sample(at.styles[Number(style)])}
          change={(style) => figure.set({ style: Number(style) })}
        />
      </div>
      <Answer figure={figure} answer={answerOf(at)} written={writtenOf(at)} />
      <ReadTokens
        figure={figure}
        row={at.place}
        tokens={tokens.map(({ token }) => token)}
        weights={at.attention_weights[0][at.place] ?? []}
        isSource={(k) => tokens[k].field === FIELDS[at.place]}
      />
      {loadingState(at.trained) === "failed" && !at.model && (
        <button type="button" data-control="again" onClick={() => loadModel(at.trained)}>
          {t("modelAgain")}
        </button>
      )}
    </div>
  );
}
