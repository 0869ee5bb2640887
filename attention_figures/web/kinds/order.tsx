// Shows that without positions a word keeps its output in any order: the order figure.
import { Switch } from "../controls/choice.tsx";
import { isBoolean } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { formatNumber, torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import type { Translate } from "../core/strings.ts";
import { sinusoidalPositions } from "../maths/positions.ts";
import { scaledDot } from "../maths/scores.ts";
import { softmax } from "../maths/softmax.ts";
import { pool, range, type Matrix, type Tensor } from "../maths/tensor.ts";
import { program, tensors } from "../export/python.ts";
import { WeightSquare } from "../views/weight_square.tsx";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";
import "../styles/self_attention.css";

interface State {
  words: string[];
  x: Tensor; // (1, N, d), in the order of the words
  order: number[];
  positioned: boolean;
}

interface Stages {
  attention_weights: Tensor; // (1, N, N), in the order of the positions, like the rest
  output: Tensor; // (1, N, d)
  moved: Tensor; // (1, 1, N)
}

type At = Readonly<State & Stages>;

/** Sums in another order may differ beyond these decimals. */
const same = (x: number) => Math.round(x * 1e12) / 1e12;

function attend({ x, positioned }: Readonly<State>, order: readonly number[]) {
  const rows: Matrix = order.map((i) => x[0][i]);
  const places = sinusoidalPositions(rows.length, rows[0].length);
  const seen = [positioned ? rows.map((row, p) => row.map((y, i) => y + places[p][i])) : rows];
  const weights = softmax(scaledDot(seen, seen));
  return { weights, output: pool(weights, seen) };
}

const isOrder = (got: unknown, words: string[]) =>
  Array.isArray(got) && String([...got].sort((a, b) => a - b)) === String(range(words.length));

export default declare<State, Stages>({
  name: "order",
  state: {
    order: (got, { state }) => (isOrder(got, state.words) ? null : ["refusedForm"]),
    positioned: isBoolean,
  },
  fixed: ["words", "x"],
  localised: ["words"],
  stages: {
    attention_weights: (at) => attend(at, at.order).weights,
    output: (at) => attend(at, at.order).output,
    moved: (at) => {
      const before = attend(at, range(at.words.length)).output[0];
      const far = (row: number[], q: number) =>
        Math.max(...row.map((y, i) => Math.abs(y - before[at.order[q]][i])));
      return [[at.output[0].map(far).map(same)]];
    },
  },
  View,
  sentence,
  code: (at) => ({
    parts: [
      at.positioned ? "x = x[order] + sinusoidal_positions(*x.shape)\n" : "x = x[order]\n",
      "torch.softmax(x @ x.T / x.shape[1] ** 0.5, dim=-1) @ x",
    ],
    output: torchText(at.output[0]),
  }),
  program: (at, t) =>
    program(
      t,
      ["from attention_lib import sinusoidal_positions"],
      [
        ...tensors(at, ["x"]),
        `order = [${at.order.join(", ")}]`,
        "",
        "",
        "def attend(x):",
        ...(at.positioned ? ["    x = x + sinusoidal_positions(*x.shape[1:], dtype=x.dtype)"] : []),
        "    weights = torch.softmax(x @ x.mT / x.shape[-1] ** 0.5, dim=-1)",
        "    return weights, weights @ x",
        "",
        "",
        "attention_weights, output = attend(x[:, order])",
        "before = attend(x)[1][:, order]",
        "moved = (output - before).abs().amax(-1)[:, None]",
      ],
    ),
  columns: ({ words }) => ({ keys: words.length, columns: words.length }),
});

/** Describes the sentence, and the words whose output differs from the initial order's. */
function sentence({ order, words, moved }: At, t: Translate): string {
  const text = order.map((i) => words[i]).join(t("orderGap"));
  const others = order.filter((_, q) => moved[0][0][q] > 0).map((i) => words[i]);
  if (others.length === 0) return t("orderSame", { text });
  const list = others.map((word) => t("quoted", { word })).join(t("comma"));
  return t("orderOther", { text, list });
}

function View({ figure, figure: { at, t } }: { figure: Figure<State, Stages> }) {
  const names = at.order.map((i) => at.words[i]);
  const size = names.length;
  const unlessHidden = (text: string) => (figure.revealed.value ? text : "?");
  const swapped = (p: number) => at.order.with(p, at.order[p + 1]).with(p + 1, at.order[p]);
  return (
    <>
      <div class="controls">
        {range(size - 1).map((p) => (
          <span key={p} data-handle={p ? undefined : ""} class="held">
            <button
              type="button"
              data-control={`swap[${p}]`}
              onClick={() => figure.set({ order: swapped(p) })}
            >
              {names[p]} ⇄ {names[p + 1]}
            </button>
          </span>
        ))}
        <Switch
          name="positioned"
          label={t("orderAdd")}
          value={at.positioned}
          change={(positioned) => figure.set({ positioned })}
        />
      </div>
      <div
        class="columns stairs ordered"
        data-many={dataMany(size)}
        style={{ "--number": size, "--size": at.x[0][0].length }}
      >
        <span class="role" style={{ gridRow: 1 }}>
          {t("queryByKey")}
        </span>
        {names.map((word, k) => (
          <div class="key-word" data-place={k} style={{ gridArea: `1 / ${k + 2}` }}>
            {word}
          </div>
        ))}
        <span class="role head" style={{ gridArea: `1 / ${size + 2}` }}>
          {t("output")}
        </span>
        <span class="role head" style={{ gridArea: `1 / ${size + 3}` }}>
          {t("orderChange")}
        </span>
        {names.map((word, q) => (
          <>
            <div class="query-word" style={{ gridArea: `${q + 2} / 1` }}>
              {word}
            </div>
            {at.attention_weights[0][q].map((weight, k) => (
              <WeightSquare
                figure={figure}
                weight={weight}
                at={[0, q, k]}
                masked={false}
                text={formatNumber(weight)}
                style={{ gridArea: `${q + 2} / ${k + 2}` }}
              />
            ))}
            <output
              class="number-cell wide value"
              data-tells
              style={{ gridArea: `${q + 2} / ${size + 2}` }}
            >
              {unlessHidden(at.output[0][q].map(formatNumber).join(" "))}
            </output>
            <output
              class="number-cell wide"
              data-tells
              data-moved={figure.revealed.value && at.moved[0][0][q] > 0 ? "" : undefined}
              style={{ gridArea: `${q + 2} / ${size + 3}` }}
            >
              {unlessHidden(formatNumber(at.moved[0][0][q]))}
            </output>
          </>
        ))}
      </div>
    </>
  );
}
