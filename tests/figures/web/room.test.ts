import assert from "node:assert/strict";
import test, { mock } from "node:test";
import type { ChoiceQuestion, NumberQuestion } from "web/core/question.ts";
import { forgetKept, keep, restoring } from "../../../book/web/room/kept.ts";
import type { Asked, Asking, LecturerState, Round } from "../../../book/web/room/messages.ts";
import {
  countsIn,
  lastSentence,
  pairsIn,
  rightShares,
  rowsOf,
  sizeOf,
  totalOf,
} from "../../../book/web/room/tally.ts";

const ASKED: Asked = {
  page: "04-masked-softmax",
  figure: "sentence",
  part: "question",
  kind: "choice",
  options: 3,
  range: null,
  lang: "en",
  labels: ["none", "two", "more"],
};
const CHOICE: ChoiceQuestion = {
  type: "choice",
  text: "How much?",
  at: {},
  because: "",
  options: ["none at all", "two of seven", "more"],
  answer: 2,
  right: "Quite so.",
  wrong: ["Nothing is masked.", "", ""],
};
const NUMBER: NumberQuestion = {
  type: "number",
  text: "How many?",
  at: {},
  because: "",
  answer: 5,
  tolerance: 0.5,
  right: "",
  wrong: [{ answer: 50, says: "Ten times as many." }],
  unit: "",
  decimals: 0,
};
const WORDS = { more: (x: string) => `> ${x}`, less: (x: string) => `< ${x}` };
const numbers = (range: [number, number] | null): Asked => ({
  ...ASKED,
  kind: "number",
  options: 0,
  range,
  labels: [],
});
const guessed = (counts: Round["counts"], hands: Round["hands"] = []): Round => ({ counts, hands });
/** A round with one guess of each number. */
const each = (...guesses: number[]) => guessed(guesses.map((x) => [x, 1] as [number, number]));
const shown = (asked: Asked, rounds: Round[]) =>
  rowsOf(asked, NUMBER, rounds, WORDS).map(({ label, counts }) => [label, ...counts]);

test("a show of hands is added to the guesses", () => {
  assert.deepEqual([...totalOf(guessed([1, 0, 2], [0, 4, 0]))], [[0, 1], [1, 4], [2, 2]]); // prettier-ignore
  const total = totalOf(guessed([[0.5, 2]], [[0.5, 1], [-3, 7]])); // prettier-ignore
  assert.deepEqual([...total], [[0.5, 3], [-3, 7]]); // prettier-ignore
  assert.equal(sizeOf(total), 10);
});

test("a choice has a row for each option, with both votes, the answer and what a wrong one means", () => {
  const rows = rowsOf(ASKED, CHOICE, [guessed([2, 1, 0]), guessed([0, 1, 2])], WORDS);
  assert.deepEqual(rows, [
    {
      label: "none at all",
      counts: [2, 0],
      isAnswer: false,
      says: ["Nothing is masked."],
    },
    { label: "two of seven", counts: [1, 1], isAnswer: false, says: [] },
    { label: "more", counts: [0, 2], isAnswer: true, says: [] },
  ]);
});

test("on another page than the question's the rows have the stored labels and no answer", () => {
  const rows = rowsOf(ASKED, null, [guessed([2, 1, 0])], WORDS);
  assert.deepEqual(
    rows.map(({ label }) => label),
    ASKED.labels,
  );
  assert.ok(rows.every(({ isAnswer, says }) => !isAnswer && says.length === 0));
});

test("options that only the other language has are counted in one more row", () => {
  const asked = { ...ASKED, options: 4, labels: [...ASKED.labels!, "another place"] };
  const rows = rowsOf(asked, CHOICE, [guessed([0, 0, 1, 6])], WORDS);
  assert.deepEqual([rows[3]!.label, rows[3]!.counts], ["another place", [6]]);
});

test("a few different numbers have a row each, in ascending order", () => {
  const [row, ...others] = rowsOf(numbers(null), NUMBER, [each(50, 5), each(-2, 5)], WORDS);
  assert.deepEqual([row!.label, row!.counts, row!.isAnswer], ["−2", [0, 1], false]);
  assert.deepEqual(
    others.map(({ label, isAnswer, says }) => [label, isAnswer, says]),
    [
      ["5", true, []],
      ["50", false, ["Ten times as many."]],
    ],
  );
});

test("a slider has a histogram of its whole range, whose last bar includes the end", () => {
  const rows = shown(numbers([0, 100]), [each(0, 9.9, 10, 100)]);
  assert.deepEqual(
    rows.map(([, count]) => count),
    [2, 1, 0, 0, 0, 0, 0, 0, 0, 1],
  );
  assert.deepEqual([rows[0]![0], rows[9]![0]], ["0 – 10", "90 – 100"]);
});

test("many numbers are counted in bars with round ends, and a far guess has a row of its own", () => {
  const close = Array.from({ length: 39 }, (_, i) => i / 4); // 0 to 9.5
  const rows = shown(numbers(null), [each(-1000, ...close, 1e6)]);
  assert.deepEqual(rows[0], ["< 0", 1]);
  assert.deepEqual(rows.at(-1), ["> 10", 1]);
  assert.equal(sizeOf(new Map(rows.map(([, count], i) => [i, count as number]))), 41);
  assert.deepEqual(
    rows.slice(1, -1).map(([label]) => label),
    Array.from({ length: 10 }, (_, i) => `${i} – ${i + 1}`),
  );
});

test("the share of right guesses is in whole percent, and none without guesses", () => {
  const rounds = [guessed([1, 1, 1]), guessed([0, 0, 0]), guessed([0, 0, 0], [0, 0, 2])];
  assert.deepEqual(rightShares(CHOICE, rounds), [33, null, 100]);
  assert.deepEqual(rightShares(NUMBER, [each(5.4, 5.6, 50, 4.5)]), [50]);
});

test("counts of a show of hands are read as they are typed", () => {
  assert.deepEqual(countsIn(["3", " １２ ", ""]), [3, 12, 0]);
  for (const text of ["x", "-1", "1.5", "10001"]) assert.equal(countsIn(["1", text]), null, text);
  assert.deepEqual(pairsIn("50: 3, −33.5：10、0:1;"), [[50, 3], [-33.5, 10], [0, 1]]); // prettier-ignore
  assert.deepEqual(pairsIn(" "), []);
  for (const text of ["50", "50:", "x: 1", "50: -1", "50: 1.5"])
    assert.equal(pairsIn(text), null, text);
});

test("the panel names a question by its last sentence", () => {
  assert.equal(lastSentence("`p` is 0.1, and *her* reads *all*. How much is left at 0.5?"), "How much is left at 0.5?"); // prettier-ignore
  assert.equal(lastSentence("*小雨*丢了钥匙。权重是 0.5 还是 1？"), "权重是 0.5 还是 1？");
  assert.equal(lastSentence("*One. Two?* and"), "*One. Two?* and");
  assert.equal(lastSentence("What now?"), "What now?");
});

const stored = new Map<string, string>();
globalThis.localStorage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => void stored.set(key, text),
  removeItem: (key: string) => void stored.delete(key),
} as Storage;

const asking = (id: string, counts: number[]): Asking => ({
  id,
  question: ASKED,
  rounds: [guessed(counts)],
});
const says = (change: Partial<LecturerState>): LecturerState => ({
  type: "state",
  run: "first",
  phase: "idle",
  vote: null,
  round: 0,
  asking: null,
  guessed: 0,
  present: 0,
  known: [],
  address: "",
  ...change,
});
const RESTARTED = says({ run: "second" });

test("a server that has restarted gets back what it does not know, and another one nothing", () => {
  stored.clear();
  assert.equal(restoring(RESTARTED), null);
  keep(says({ phase: "open", asking: asking("a", []) }));
  keep(says({ phase: "closed", asking: asking("a", [1, 2, 0]) }));
  keep(says({ phase: "open", asking: asking("b", []) }));
  assert.equal(restoring(says({})), null); // the same server
  assert.deepEqual(restoring(RESTARTED), {
    type: "restore",
    askings: [asking("a", [1, 2, 0]), asking("b", [])],
    current: "b",
    phase: "open",
  });
  assert.equal(restoring({ ...RESTARTED, known: ["b", "c", "a"] }), null);
  assert.notEqual(restoring({ ...RESTARTED, known: ["b"] }), null);
});

test("when nothing is asked any more, nothing is taken up again", () => {
  stored.clear();
  keep(says({ phase: "revealed", asking: asking("a", [1, 2, 0]) }));
  keep(says({}));
  const given = {
    type: "restore",
    askings: [asking("a", [1, 2, 0])],
    current: null,
    phase: "idle",
  };
  assert.deepEqual(restoring(RESTARTED), given);
  forgetKept();
  assert.equal(restoring(RESTARTED), null);
});

test("what is damaged, or of another day, is not given back", () => {
  for (const text of ["{", "null", "3", '{"at": 9e15}', '{"at": 9e15, "askings": "a"}']) {
    stored.set("room-lecture", text);
    assert.equal(restoring(RESTARTED), null, text);
  }
  mock.timers.enable({ apis: ["Date"], now: 1e12 });
  keep(says({ phase: "closed", asking: asking("a", [1, 2, 0]) }));
  mock.timers.tick(11 * 3600 * 1000);
  assert.notEqual(restoring(RESTARTED), null);
  mock.timers.tick(2 * 3600 * 1000);
  assert.equal(restoring(RESTARTED), null);
  keep(says({ phase: "closed", asking: asking("b", [1, 2, 0]) }));
  assert.deepEqual((restoring(RESTARTED) as { askings: Asking[] }).askings, [asking("b", [1, 2, 0])]); // prettier-ignore
  mock.timers.reset();
});
