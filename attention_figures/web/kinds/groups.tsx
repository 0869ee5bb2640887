// Shows query heads that share heads of keys and values, and the size of their cache: the groups figure.
import { ListSlider } from "../controls/slider.tsx";
import { oneOf } from "../core/checks.ts";
import type { Figure } from "../core/figure.ts";
import { declare } from "../core/kind.ts";
import { range, type Tensor } from "../maths/tensor.ts";
import { program } from "../export/python.ts";
import "../styles/words.css";
import "../styles/decoding.css";
import "../styles/rows.css";

interface State {
  num_heads: number;
  kv_heads: number;
  tokens: number;
  layers: number;
  size: number;
}

interface Stages {
  reads: Tensor; // (1, 1, num_heads): for each query head, its head of keys and values
  bytes_per_token: Tensor; // (1, 1, 1), like the next
  mebibytes: Tensor;
}

type At = Readonly<State & Stages>;

const BYTES = 2; // of a number in half precision
const TOKENS = range(10).map((n) => 2 ** (n + 8));
const divisors = ({ num_heads }: Readonly<State>) =>
  range(num_heads)
    .map((n) => n + 1)
    .filter((n) => num_heads % n === 0);

export default declare<State, Stages>({
  name: "groups",
  state: { kv_heads: oneOf(divisors), tokens: oneOf(TOKENS) },
  fixed: ["num_heads", "layers", "size"],
  stages: {
    reads: ({ num_heads, kv_heads }) => [
      [range(num_heads).map((head) => Math.floor((head * kv_heads) / num_heads))],
    ],
    bytes_per_token: ({ layers, kv_heads, size }) => [[[2 * layers * kv_heads * size * BYTES]]],
    mebibytes: ({ bytes_per_token, tokens }) => [[[(bytes_per_token[0][0][0] * tokens) / 2 ** 20]]],
  },
  View,
  sentence: (at, t) =>
    t(at.kv_heads === 1 ? "groupsOne" : at.kv_heads < at.num_heads ? "groupsSay" : "groupsAll", {
      heads: at.num_heads,
      kv: at.kv_heads,
      group: at.num_heads / at.kv_heads,
      tokens: at.tokens,
      size: sizeOf(at),
    }),
  program: (at, t) =>
    program(
      t,
      [],
      [
        `num_heads, kv_heads, layers, size = ${at.num_heads}, ${at.kv_heads}, ${at.layers}, ${at.size}`,
        `tokens, bytes = ${at.tokens}, ${BYTES}`,
        "",
        "heads = torch.arange(kv_heads, dtype=torch.float64)",
        "reads = heads.repeat_interleave(num_heads // kv_heads)[None, None]",
        "per_token = torch.tensor(2 * layers * kv_heads * size * bytes, dtype=torch.float64)",
        "bytes_per_token = per_token[None, None, None]",
        "mebibytes = (per_token * tokens / 2**20)[None, None, None]",
      ],
      "mebibytes",
    ),
});

function sizeOf({ mebibytes }: At): string {
  const size = mebibytes[0][0][0];
  return size < 1024
    ? `${Number(size.toPrecision(3))} MiB`
    : `${Number((size / 1024).toPrecision(3))} GiB`;
}

function View({ figure }: { figure: Figure<State, Stages> }) {
  const { at, t, revealed } = figure;
  const group = at.num_heads / at.kv_heads;
  const most = (at.mebibytes[0][0][0] * at.num_heads) / at.kv_heads;
  const cost = revealed.value ? at.mebibytes[0][0][0] : 0;
  return (
    <>
      <div class="controls">
        <span data-handle class="held">
          <ListSlider
            name="kv_heads"
            label={t("groupsKv")}
            numbers={divisors(at)}
            value={at.kv_heads}
            change={(kv_heads) => figure.set({ kv_heads })}
          />
        </span>
        <ListSlider
          name="tokens"
          label={t("groupsTokens")}
          numbers={TOKENS}
          value={at.tokens}
          change={(tokens) => figure.set({ tokens })}
        />
      </div>
      <div class="columns heads-in-groups" style={{ "--number": at.num_heads }}>
        <span class="role" style={{ gridRow: 1 }}>
          {t("groupsQueries")}
        </span>
        {at.reads[0][0].map((_, head) => (
          <span class="query-word" style={{ gridArea: `1 / ${head + 2}` }}>
            {head}
          </span>
        ))}
        <span class="role" style={{ gridRow: 3 }}>
          {t("groupsShared")}
        </span>
        {range(at.kv_heads).map((kv) => (
          <>
            <span
              class="group-lines"
              style={{ gridArea: `2 / ${kv * group + 2} / auto / span ${group}` }}
            />
            <span
              class="key-word"
              style={{ gridArea: `3 / ${kv * group + 2} / auto / span ${group}` }}
            >
              {kv}
            </span>
          </>
        ))}
      </div>
      <div class="rows cache-size">
        <span class="row-head">{t("groupsSize", { layers: at.layers, size: at.size })}</span>
        <span class="row-track">
          <span class="row-cost" data-length={cost} style={{ width: `${(100 * cost) / most}%` }} />
          <output data-tells>{revealed.value ? sizeOf(at) : "?"}</output>
        </span>
      </div>
    </>
  );
}
