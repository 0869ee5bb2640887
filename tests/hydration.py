"""Make every part of a page live as soon as it is parsed, for tests that look at all parts."""

# Without it, parts become live as they come near; the Tab key makes all live (test_weight.py).
HYDRATE_ALL = """addEventListener("DOMContentLoaded", () =>
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" })))"""
