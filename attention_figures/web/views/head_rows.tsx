// Renders the words of a sentence below each other, and beside them what each head reads for one of
// them. A click on a word makes it the one that asks; some words can be exchanged.
import type { ComponentChildren } from "preact";
import { Select } from "../controls/choice.tsx";
import type { Figure } from "../core/figure.ts";
import { formatNumber } from "../core/format.ts";
import { range, type Tensor } from "../maths/tensor.ts";
import { Arcs } from "./arcs.tsx";
import { useWidth } from "./use_width.ts";
import { WeightSquare } from "./weight_square.tsx";
import "../styles/words.css";
import "../styles/heads.css";

const NARROW = 560; // pixels

export interface Exchange {
  choices: readonly number[];
  value: number;
  format: (choice: number) => string;
  change: (choice: number) => void;
}

export interface Read {
  figure: Figure;
  words: readonly string[];
  query: number;
  /** Makes a word ask. None: the words are no buttons. */
  ask?: (i: number) => void;
  /** The name of the control that makes a word ask. */
  control?: (i: number) => string;
  weights: Tensor; // (h, N, N)
  /** Above the column of a head. */
  title: (head: number) => ComponentChildren;
  off?: readonly boolean[];
  exchange?: (i: number) => Exchange | null;
  /** The height of a row in pixels. */
  rows: { wide: number; narrow: number };
}

export function HeadRows(read: Read) {
  const { figure, words, query, weights, title, off } = read;
  const { t } = figure;
  const [box, width] = useWidth<HTMLDivElement>();
  const row = width.value && width.value < NARROW ? read.rows.narrow : read.rows.wide;
  return (
    <div class="heads-read" ref={box} style={{ "--heads": weights.length, "--row": `${row}px` }}>
      <span class="role">{t("headsWhoAsks")}</span>
      {words.map((_, i) => (
        <Word key={i} {...read} i={i} />
      ))}
      {weights.map((rows, head) => (
        <>
          <span class="controls head-switch" style={{ gridColumn: 3 + 2 * head }}>
            {title(head)}
          </span>
          <div
            class="head-lines"
            data-off={off?.[head] ? "" : undefined}
            style={{ gridArea: `2 / ${3 + 2 * head} / span ${words.length}` }}
          >
            <Arcs
              sideways
              arcs={range(words.length).map((k) => ({
                from: (query + 0.5) / words.length,
                to: (k + 0.5) / words.length,
                weight: rows[query][k],
                padding: off?.[head],
              }))}
              height={words.length * row}
              open={figure.revealed.value}
              label={t("headsLines", { head })}
            />
          </div>
          {range(words.length).map((k) => (
            <WeightSquare
              figure={figure}
              weight={rows[query][k]}
              at={[head, query, k]}
              masked={k > query}
              text={formatNumber(rows[query][k])}
              style={{ gridArea: `${k + 2} / ${4 + 2 * head}` }}
            />
          ))}
        </>
      ))}
    </div>
  );
}

function Word(props: Read & { i: number }) {
  const { figure, words, query, ask, control, exchange, i } = props;
  const other = exchange?.(i);
  const look = { class: "query-word", style: { gridArea: `${i + 2} / 1` }, "data-place": i };
  return (
    <>
      {ask ? (
        <button
          type="button"
          {...look}
          data-control={control?.(i)}
          aria-pressed={i === query}
          onClick={() => ask(i)}
        >
          {words[i]}
        </button>
      ) : (
        <span {...look} aria-current={i === query ? "true" : undefined}>
          {words[i]}
        </span>
      )}
      {other && (
        <span
          class="controls head-swap"
          style={{ gridArea: `${i + 2} / 2` }}
          title={figure.t("headsSwap")}
        >
          <span aria-hidden="true">⇄</span>
          <Select
            name={`tokens[${i}]`}
            label={figure.t("headsSwapWord", { word: words[i] })}
            {...other}
          />
        </span>
      )}
    </>
  );
}
