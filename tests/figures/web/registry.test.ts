import assert from "node:assert/strict";
import test from "node:test";
import { kinds, register } from "web/core/registry.ts";

test("a kind is found by its name", () => {
  const kind = { name: "one", mount: () => () => {} };
  register(kind);
  assert.equal(kinds.get("one"), kind);
});
