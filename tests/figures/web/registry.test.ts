import assert from "node:assert/strict";
import test from "node:test";
import { declare } from "web/core/kind.ts";
import { kinds, register } from "web/core/registry.ts";

test("a kind is found by its name", () => {
  const nothing = { state: {}, fixed: [], stages: {}, View: () => null, program: () => "" };
  const kind = declare({ name: "one", ...nothing });
  register(kind);
  assert.equal(kinds.get("one"), kind);
});
