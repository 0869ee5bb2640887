// Shows what a note of fixed size keeps of a board of numbers: the note figure.
import { Select } from "../controls/choice.tsx";
import { ListSlider } from "../controls/slider.tsx";
import { indexBelow, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, plainNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { mean, range, type Tensor } from "../maths/tensor.ts";
import { floats, program } from "../export/python.ts";
import "../styles/rows.css";

interface State {
  boards: Tensor; // (1, D, K)
  size: number;
  day: number;
  asked: number;
  names: string[];
  days: string[];
  unit: string;
}

interface Stages {
  board: Tensor; // (1, 1, K)
  note: Tensor; // (1, 1, size)
  attention_weights: Tensor; // (1, 1, K), of the answer for the line that is asked for
  restored: Tensor; // (1, 1, K)
  error: Tensor; // (1, 1, 1)
}

const numLines = ({ boards }: Readonly<State>) => boards[0][0].length;
/** The note sizes that divide the lines into equal groups. */
const sizes = (state: Readonly<State>) =>
  range(numLines(state) + 1).filter((n) => n > 0 && numLines(state) % n === 0);
const groupLength = (state: Readonly<State>) => numLines(state) / state.size;

export default declare<State, Stages>({
  name: "note",
  state: {
    size: oneOf(sizes),
    day: indexBelow(({ days }: State) => days.length),
    asked: indexBelow(numLines),
  },
  fixed: ["boards", "names", "days", "unit"],
  localised: ["names", "days", "unit"],
  stages: {
    board: ({ boards, day }) => [[boards[0][day]]],
    note: (at) => {
      const length = groupLength(at);
      const group = (i: number) => at.board[0][0].slice(i * length, (i + 1) * length);
      return [[range(at.size).map((i) => mean(group(i)))]];
    },
    attention_weights: (at) => {
      const length = groupLength(at);
      const groupOf = (k: number) => Math.floor(k / length);
      const isTogether = (k: number) => groupOf(k) === groupOf(at.asked);
      return [[range(numLines(at)).map((k) => (isTogether(k) ? 1 / length : 0))]];
    },
    restored: (at) => [
      [range(numLines(at)).map((k) => at.note[0][0][Math.floor(k / groupLength(at))])],
    ],
    error: ({ board, restored }) => [
      [[mean(board[0][0].map((x, k) => Math.abs(restored[0][0][k] - x)))]],
    ],
  },
  View,
  sentence: (at, t) =>
    t("noteSays", {
      size: at.size,
      error: `${formatNumber(at.error[0][0][0])}\u202f${at.unit}`,
      asked: at.names[at.asked],
      answer: formatNumber(at.restored[0][0][at.asked]),
      truth: plainNumber(at.board[0][0][at.asked]),
    }),
  code: (at) => ({
    parts: [
      "board.reshape(1, 1, ",
      {
        name: "code.size",
        value: at.size,
        low: 1,
        high: numLines(at),
        numbers: sizes(at),
        change: (size) => ({ size }),
      },
      ", -1).mean(-1)",
    ],
    output: torchText(at.note),
  }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        floats("board", at.board),
        "",
        `length = ${groupLength(at)}`,
        `note = board.reshape(1, 1, ${at.size}, length).mean(-1)`,
        "restored = note.repeat_interleave(length, dim=-1)",
        "group = torch.arange(board.shape[-1]) // length",
        `together = (group == ${at.asked} // length).expand(board.shape)`,
        "attention_weights = together.double() / length",
        "error = (restored - board).abs().mean(-1, keepdim=True)",
      ],
    ),
});

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const board = at.board[0][0];
  const largest = Math.max(...at.boards[0].flat());
  const across = (x: number) => `${(100 * x) / largest}%`;
  const unlessHidden = (x: number) => (revealed.value ? formatNumber(x) : "?");
  const asked = (k: number) => (k === at.asked ? "" : undefined);
  return (
    <>
      <div class="controls">
        <span data-handle class="held">
          <ListSlider
            name="size"
            label={t("noteSize")}
            numbers={sizes(at)}
            value={at.size}
            change={(size) => figure.set({ size })}
          />
        </span>
        {at.days.length > 1 && (
          <Select
            name="day"
            label={t("day")}
            value={at.day}
            choices={range(at.days.length)}
            format={(day) => at.days[day]}
            change={(day) => figure.set({ day })}
          />
        )}
        <Select
          name="asked"
          label={t("askedFor")}
          value={at.asked}
          choices={range(board.length)}
          format={(k) => at.names[k]}
          change={(k) => figure.set({ asked: k })}
        />
      </div>
      <div class="rows board">
        <span class="row-head" style={{ gridColumn: "1 / 3" }}>
          {t("board")}
        </span>
        <span class="row-head" data-end>
          {at.unit}
        </span>
        <span class="row-head" data-end>
          {t("fromNote")}
        </span>
        <span class="row-head" data-end>
          {t("weight")}
        </span>
        {board.map((x, k) => (
          <>
            <span class="row-name" data-asked={asked(k)}>
              {at.names[k]}
            </span>
            <div class="row-track" data-asked={asked(k)} aria-hidden="true">
              <div class="row-value" data-length={x} style={{ width: across(x) }} />
              {revealed.value && (
                <div class="row-note" style={{ left: across(at.restored[0][0][k]) }} />
              )}
            </div>
            <output data-end data-asked={asked(k)}>
              {plainNumber(x)}
            </output>
            <output data-end data-asked={asked(k)} data-tells>
              {unlessHidden(at.restored[0][0][k])}
            </output>
            <output data-end data-asked={asked(k)} data-tells data-at={`0,0,${k}`}>
              {unlessHidden(at.attention_weights[0][0][k])}
            </output>
          </>
        ))}
      </div>
    </>
  );
}
