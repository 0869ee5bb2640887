import assert from "node:assert/strict";
import test from "node:test";
import { isTable, maskText, readMask } from "web/maths/mask_text.ts";

const table = (text: string) => {
  const read = readMask(text, 8);
  return "table" in read ? read.table : read.refusal[0];
};
const TWO = [
  [1, 0],
  [1, 1],
];

test("a mask is read as lists, torch, numpy and plain rows write it", () => {
  for (const text of [
    "[[1, 0], [1, 1]]",
    "[[True, False], [True, True]]",
    "tensor([[1., 0.],\n        [1., 1.]], dtype=torch.float64)",
    "torch.tensor([[ True, False],\n [ True,  True]], device='cuda:0')",
    "array([[1, 0],\n       [1, 1]])",
    "np.array([[1 0]\n [1 1]], dtype=bool)",
    "[[[[1, 0], [1, 1]]]]",
    "((1, 0), (1, 1))",
    "1 0\n1 1",
    "1 0; 1 1",
    "［［１，０］，［１，１］］",
  ])
    assert.deepEqual(table(text), TWO, text);
});

test("minus infinity and the lowest numbers are read by all their names", () => {
  for (const text of [
    ..."-inf −∞ -Infinity -torch.inf -np.inf -math.inf".split(" "),
    'float("-inf")',
    "-float('inf')",
  ])
    assert.deepEqual(table(`[[0, ${text}]]`), [[0, "-inf"]], text);
  assert.deepEqual(table("[[-1e9, −0.5]]"), [[-1e9, -0.5]]);
  const lowest = table("[[torch.finfo(torch.float32).min, torch.finfo(torch.float16).min]]");
  assert.deepEqual(lowest, [[-3.4028234663852886e38, -65504]]);
});

test("one list without others around it counts for every query", () => {
  assert.deepEqual(table("[1, 0]"), [
    [1, 0],
    [1, 0],
  ]);
  assert.deepEqual(table("tensor([1, 0])"), table("1 0"));
  assert.deepEqual(table("[[1, 0]]"), [[1, 0]]);
});

test("what is no mask is refused with the reason", () => {
  for (const [text, why] of [
    ["", "maskNothing"],
    ["[[]]", "maskNothing"],
    ["[[1, x]]", "maskWord"],
    ["[[1, nan]]", "maskWord"],
    ["[[1, inf]]", "maskWord"],
    ["[[1, 1e999]]", "maskWord"],
    ["torch.ones(2, 2)", "maskWord"],
    ["[[1, 0], [1]]", "maskRagged"],
    ["[[1], [1]]", "maskTall"],
    ["1 0 1 0 1 0 1 0 1", "maskWide"],
  ])
    assert.equal(table(text), why, text);
});

test("what is written is read again", () => {
  for (const mask of [TWO, [[0, "-inf" as const]], [[-0.5, 1e-7, -3.4028234663852886e38]]])
    assert.deepEqual(table(maskText(mask)), mask);
});

test("a table has rows of one length, as many columns as rows or more", () => {
  for (const good of [TWO, [[1]], [[0, "-inf", 2]]]) assert.ok(isTable(good, 3));
  for (const bad of [null, 3, [], [[]], [1], [[1], [1]], [[1, 2], [1]], [["inf"]], [[null]]])
    assert.ok(!isTable(bad, 3), JSON.stringify(bad));
  assert.ok(!isTable([[1, 1]], 1));
});
