import assert from "node:assert/strict";
import test from "node:test";
import type { Item } from "../../../book/web/stand/items.ts";
import { inOrder, nextDraft } from "../../../book/web/stand/order.ts";
import { count, parseRecord } from "../../../book/web/stand/record.ts";

const ITEMS: Item[] = Array.from({ length: 20 }, (_, i) => ({
  key: `item-${i}`,
  text: `Question ${i}?`,
  options: ["a", "b", "c", "d"].map((text) => ({ text, said: "" })),
  right: i % 4,
  treated: "en-place",
}));
const keys = (seed?: number) => inOrder(ITEMS, seed).map(({ item }) => item.key);
const places = (seed?: number) => inOrder(ITEMS, seed).map(({ options }) => options.join(""));
const DAY = Date.UTC(2026, 0, 5);

test("a first attempt has the page's order", () => {
  assert.deepEqual(keys(), [...ITEMS.keys()].map((i) => `item-${i}`)); // prettier-ignore
  assert.deepEqual(new Set(places()), new Set(["0123"]));
});

test("a seed always gives the same order, and each seed another one, of all items and options", () => {
  assert.deepEqual(inOrder(ITEMS, DAY), inOrder(ITEMS, DAY));
  const orders = [DAY, DAY + 1, DAY + 86_400_000].map(keys);
  for (const order of orders) assert.deepEqual([...order].sort(), [...keys()].sort());
  assert.equal(new Set([...orders, keys()].map(String)).size, 4);
  assert.ok(new Set(places(DAY)).size > 5);
  for (const shown of places(DAY)) assert.deepEqual([...shown].sort().join(""), "0123");
});

test("every option comes to every place about equally often", () => {
  const first = Array.from({ length: 100 }, (_, i) => places(DAY + 977 * i)).flat();
  for (const option of "0123") {
    const share = first.filter((shown) => shown[0] === option).length / first.length;
    assert.ok(Math.abs(share - 0.25) < 0.03, `${option}: ${share}`);
  }
});

test("a later attempt is shuffled; one that is begun goes on", () => {
  assert.deepEqual(nextDraft(undefined, DAY), { time: "after", answers: {}, seed: DAY });
  const begun = { time: "before" as const, answers: { "item-1": 2 } };
  assert.equal(nextDraft(begun, DAY), begun);
});

test("a record keeps the seed, and one from before there were seeds is still read", () => {
  const answers = { "item-0": 0, "item-1": null, "item-2": 3 };
  const old = { before: { date: "2026-01-05", answers }, draft: { time: "after", answers } };
  assert.deepEqual(parseRecord(JSON.stringify(old), ITEMS), old);
  assert.equal(count(ITEMS, answers, "right"), 1);
  const shuffled = { ...old, draft: { ...old.draft, seed: DAY } };
  assert.deepEqual(parseRecord(JSON.stringify(shuffled), ITEMS), shuffled);
  for (const seed of ["1", 0.5, null])
    assert.deepEqual(
      parseRecord(JSON.stringify({ ...old, draft: { ...old.draft, seed } }), ITEMS),
      old,
    );
});
