import assert from "node:assert/strict";
import test from "node:test";
import { judged, type Question } from "web/core/question.ts";

test("Chinese options stand between marks within a sentence, numbers and names do not", () => {
  const question: Question = {
    ...{ type: "choice", text: "", at: {}, because: "", right: "", answer: 1 },
    ...{ options: ["也是 0", "dot", "，", "0.5"], wrong: [] },
  };
  const said = question.options.map((_, i) => judged(question, i));
  assert.deepEqual(
    said.map(({ guess }) => guess),
    ["“也是 0”", "dot", "“，”", "0.5"],
  );
  assert.equal(said[0].answer, "dot");
});
