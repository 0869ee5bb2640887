// Shows which keys a decoder computes at each step and which it reads from the cache: the cache figure.
import { Switch } from "../controls/choice.tsx";
import { Slider } from "../controls/slider.tsx";
import { isBoolean, oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { torchText } from "../core/format.ts";
import { declare } from "../core/kind.ts";
import { range, rowSums, sum, type Tensor } from "../maths/tensor.ts";
import { program } from "../export/python.ts";
import { dataMany } from "../views/data_many.ts";
import "../styles/words.css";
import "../styles/decoding.css";

interface State {
  words: string[];
  step: number; // number of words written
  cached: boolean;
}

interface Stages {
  computed: Tensor; // (1, N, N), like the next: a row is a step, a column a key
  reused: Tensor;
  by_step: Tensor; // (1, N, 1)
  totals: Tensor; // (1, 1, 2)
}

type At = Readonly<State & Stages>;

const table = ({ words }: At, is: (step: number, key: number) => boolean): Tensor => [
  range(words.length).map((n) => range(words.length).map((k) => Number(is(n, k)))),
];

export default declare<State, Stages>({
  name: "cache",
  state: {
    step: oneOf(({ words }: State) => range(words.length).map((n) => n + 1)),
    cached: isBoolean,
  },
  fixed: ["words"],
  localised: ["words"],
  stages: {
    computed: (at) => table(at, (n, k) => n < at.step && (at.cached ? k === n : k <= n)),
    reused: (at) => table(at, (n, k) => n < at.step && at.cached && k < n),
    by_step: ({ computed }) => rowSums(computed),
    totals: ({ by_step, cached, step }) => [[[sum(by_step.flat(2)), cached ? step : 0]]],
  },
  View,
  sentence: (at, t) => {
    const [computed, kept] = at.totals[0][0];
    const about = { n: at.step, word: at.words[at.step - 1], computed, kept };
    return t(at.cached ? "cacheKeeps" : "cacheForgets", about);
  },
  code: (at) => ({
    parts: [
      at.cached ? "keys = torch.cat([keys, W_k(X[" : "keys = W_k(X[:",
      {
        name: "code.step",
        value: at.cached ? at.step - 1 : at.step,
        low: at.cached ? 0 : 1,
        high: at.cached ? at.words.length - 1 : at.words.length,
        change: (n) => ({ step: at.cached ? n + 1 : n }),
      },
      at.cached ? "][None])])" : "])",
      `\ncomputed[0, :${at.step}].sum(dim=-1)`,
    ],
    output: torchText(at.by_step[0].slice(0, at.step).flat()),
  }),
  program: ({ words: sentence, step, cached }, t) =>
    program(
      t,
      [],
      [
        `size = ${sentence.length}`,
        `done = torch.arange(size)[:, None] < ${step}`,
        "read = done & torch.ones(size, size).tril().bool()",
        `new = torch.${cached ? "eye(size)" : "ones(size, size)"}.bool()`,
        "computed = (read & new).double()[None]",
        "reused = (read & ~new).double()[None]",
        "by_step = computed.sum(dim=-1, keepdim=True)",
        `totals = torch.stack([computed.sum(), torch.tensor(${cached ? step : 0})])[None, None]`,
      ],
      "by_step",
    ),
});

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const all = range(at.words.length);
  const wordOf = (isNew: boolean, isKept: boolean) =>
    isNew ? t("cacheIsNew") : isKept ? t("cacheIsKept") : "";
  return (
    <>
      <div class="controls">
        <span data-handle class="held">
          <Slider
            name="step"
            label={t("cacheWritten")}
            value={at.step}
            min={1}
            max={all.length}
            change={(step) => figure.set({ step })}
          />
        </span>
        <Switch
          name="cached"
          label={t("cacheKeep")}
          value={at.cached}
          change={(cached) => figure.set({ cached })}
        />
      </div>
      <div
        class="columns stairs growing"
        data-many={dataMany(all.length)}
        style={{ "--number": all.length + 1 }}
      >
        <span class="role" style={{ gridRow: 1 }}>
          {t("queryByKey")}
        </span>
        {all.map((k) => (
          <div
            class="key-word"
            data-masked={k < at.step ? undefined : ""}
            style={{ gridArea: `1 / ${k + 2}` }}
          >
            {at.words[k]}
          </div>
        ))}
        <span class="grown-head" style={{ gridArea: `1 / ${all.length + 2}` }}>
          {t("cacheNew")}
        </span>
        {all.map((n) => (
          <>
            <span
              class="query-word"
              data-later={n < at.step ? undefined : ""}
              style={{ gridArea: `${n + 2} / 1` }}
            >
              {at.words[n]}
            </span>
            {all.map((k) => {
              const [isNew, isKept] = [at.computed[0][n][k] === 1, at.reused[0][n][k] === 1];
              return (
                <div
                  class="grown"
                  data-is={
                    !revealed.value ? undefined : isNew ? "new" : isKept ? "kept" : undefined
                  }
                  style={{ gridArea: `${n + 2} / ${k + 2}` }}
                >
                  <span data-tells>{revealed.value ? wordOf(isNew, isKept) : "?"}</span>
                </div>
              );
            })}
            <output data-tells style={{ gridArea: `${n + 2} / ${all.length + 2}` }}>
              {!revealed.value ? "?" : n < at.step ? at.by_step[0][n][0] : ""}
            </output>
          </>
        ))}
      </div>
    </>
  );
}
