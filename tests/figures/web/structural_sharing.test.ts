import assert from "node:assert/strict";
import test from "node:test";
import { createFigure } from "web/core/figure.ts";
import { declare } from "web/core/kind.ts";
import { localModel } from "web/core/model.ts";
import { shareUnchanged } from "web/core/structural_sharing.ts";

test("arrays that hold the same stay the same arrays", () => {
  const before = [[[1, 2], [3, 4]], [[5, NaN]]]; // prettier-ignore
  const now = shareUnchanged([[[1, 2], [3, 9]], [[5, NaN]]], before); // prettier-ignore
  assert.deepEqual(now, [[[1, 2], [3, 9]], [[5, NaN]]]); // prettier-ignore
  assert.notEqual(now[0], before[0]);
  assert.equal(now[0][0], before[0][0]);
  assert.equal(now[1], before[1]);
  assert.equal(shareUnchanged(structuredClone(before), before), before);
});

test("what differs in anything is new: a sign, a length, a depth", () => {
  assert.ok(Object.is(shareUnchanged([[-0]], [[0]])[0][0], -0));
  assert.deepEqual(shareUnchanged([[1]], [[1], [2]]), [[1]]);
  assert.deepEqual(shareUnchanged([[1], [2]], [[1]]), [[1], [2]]);
  assert.deepEqual(shareUnchanged([1], [[1]]), [1]);
  assert.deepEqual(shareUnchanged([], [[1]]), []);
  assert.deepEqual(shareUnchanged([[1]], undefined), [[1]]);
  assert.equal(shareUnchanged("word", ["word"]), "word");
});

test("an example of a stage stays the same while another changes", () => {
  const kind = declare<{ x: number[][] }, { twice: number[][] }>({
    name: "twice",
    state: { x: () => null },
    fixed: [],
    stages: { twice: (at) => at.x.map((row) => row.map((one) => 2 * one)) },
    View: () => null,
    program: () => "",
  });
  const { at, set } = createFigure(kind, localModel({ name: "twice", x: [[1, 2], [3]] }), String);
  const [first, second] = at.twice;
  set({ x: [[1, 2], [4]] });
  assert.equal(at.twice[0], first);
  assert.deepEqual([second, at.twice[1]], [[6], [8]]);
  const all = at.twice;
  set({ x: [[1, 2], [4]] });
  assert.equal(at.twice, all);
});
