import assert from "node:assert/strict";
import test from "node:test";
import { formatNumber, isAmbiguous, parseNumber, percent } from "web/core/format.ts";

test("a number is read as it is printed, in any width, with any minus", () => {
  for (const text of ["-0.75", "−0.75", "－０．７５", " -,75 ", "–7.5e-1"])
    assert.equal(parseNumber(text), -0.75, text);
  assert.equal(parseNumber(formatNumber(-2)), -2);
});

test("text that is not a number is refused", () => {
  for (const text of ["", "-", "e", "1-2", "0x10", "1,5,0", "Infinity", "ten", "1 2"])
    assert.equal(parseNumber(text), null, text);
});

test("a comma is one for decimals, unless it may be one for thousands", () => {
  const said = { "0,5": 0.5, "１．５": 1.5, "１，５": 1.5, "47,5": 47.5, "0,125": 0.125, "−1": -1 };
  for (const [text, x] of Object.entries(said)) {
    assert.equal(parseNumber(text), x, text);
    assert.ok(!isAmbiguous(text), text);
  }
  for (const text of ["1,125", "−12,500", "１，０００"]) {
    assert.equal(parseNumber(text), null, text);
    assert.ok(isAmbiguous(text), text);
  }
});

test("what is more than nothing is not 0 %", () => {
  assert.equal(percent(0), "0%");
  assert.match(percent(0.001), /^<.*1/);
  assert.equal(percent(0.534), "53%");
});
