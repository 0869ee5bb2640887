import assert from "node:assert/strict";
import test from "node:test";
import { isNear, judge, type Question } from "web/core/question.ts";

test("Chinese options stand between marks within a sentence, numbers and names do not", () => {
  const question: Question = {
    ...{ type: "choice", text: "", at: {}, because: "", right: "", answer: 1 },
    ...{ options: ["也是 0", "dot", "，", "0.5"], wrong: [] },
  };
  const said = question.options.map((_, i) => judge(question, i));
  assert.deepEqual(
    said.map(({ guess }) => guess),
    ["“也是 0”", "dot", "“，”", "0.5"],
  );
  assert.equal(said[0].answer, "dot");
});

test("a guess may be within the tolerance of the answer, or of the answer as shown", () => {
  const within = (tolerance: number, decimals: number) => ({ tolerance, decimals });
  for (const [guess, answer, asked, near] of [
    [0.82, 0.799997, within(0.02, 2), true],
    [0.78, 0.800003, within(0.02, 2), true],
    [0.83, 0.799997, within(0.02, 2), false],
    [66, 57.55, within(8, 0), true], // 58 is shown
    [50, 57.55, within(8, 0), true],
    [49, 57.55, within(8, 0), false],
    [0.4286, 0.42857, within(0.001, 2), true], // more precise than shown
    [0.3, 0.1, within(0.2, 1), true], // 0.3 − 0.1 is more than 0.2
    [-7.5, -7, within(0.5, 0), true],
  ] as const)
    assert.equal(isNear(asked, guess, answer), near, `${guess} for ${answer}`);
});

test("a guess within the tolerance of the shown answer is right", () => {
  const question: Question = {
    ...{ type: "number", text: "", at: {}, because: "", right: "So it is.", answer: 0.799997 },
    ...{ tolerance: 0.02, wrong: [{ answer: 0.857, says: "" }], unit: "", decimals: 2 },
  };
  assert.deepEqual(judge(question, 0.82), {
    ...{ right: true, guess: "0.82", answer: "0.80", says: "So it is." },
  });
});
