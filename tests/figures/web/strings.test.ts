import assert from "node:assert/strict";
import test from "node:test";
import { translator } from "web/core/strings.ts";

test("〇 and rare ideographs are Chinese words too", () => {
  assert.equal(translator({ year: "到 {year} 为止。" })("year", { year: "〇𠮷" }), "到〇𠮷为止。");
});

test("a Chinese name needs no space beside Chinese words, any other name keeps it", () => {
  const t = translator({ takes: "按 *{score}*，胜出的是 *{key}*，它取 {list}。" });
  assert.equal(
    t("takes", { score: "dot", key: "东村", list: "“中村”" }),
    "按 *dot*，胜出的是*东村*，它取“中村”。",
  );
  assert.equal(
    t("takes", { score: "点积", key: "k1", list: "2 个" }),
    "按*点积*，胜出的是 *k1*，它取 2 个。",
  );
});
