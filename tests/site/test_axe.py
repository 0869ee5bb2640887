"""What axe, which knows the rules, says of every page in both themes."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from book_pages import DESK, PAGES, PHONE, Look

# Started in both themes before either is waited for: the browser then uses two processors. A page
# from disk may not read its own style sheets again (preload), which no rule does that is on.
# Axe takes seconds for the contrast of what has many colours: code has a test of its own here, and
# figures have theirs in test_every_figure.py and test_colours.py.
JUDGE = """() => {
  const options = { resultTypes: ["violations"], preload: false };
  const contrast = { runOnly: ["color-contrast"] };
  const colourful = { exclude: [["pre"], ["mjx-container"], [".attention-figure tbody"]] };
  // Nor do its rules have anything to say of the words that code is coloured by.
  const code = [...document.querySelectorAll("pre")].map((pre) => [pre, [...pre.childNodes]]);
  code.forEach(([pre]) => pre.replaceChildren(pre.textContent));
  window.judged = axe
    .run({ ...options, rules: { "color-contrast": { enabled: false } } })
    .then(async (all) => [all, await axe.run(colourful, { ...options, ...contrast })])
    .finally(() => code.forEach(([pre, nodes]) => pre.replaceChildren(...nodes)));
}"""
VIOLATIONS = """async () => (await window.judged).flatMap(({ violations }) => violations).map(
  ({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary])"""
# The colours of code, each with a word that has it and its contrast with what lies behind it.
CODE = """() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => channels(colour).slice(0, 3).map((x) => x / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (node) => {
    const { backgroundColor } = getComputedStyle(node);
    return (channels(backgroundColor)[3] ?? 1) ? backgroundColor : ground(node.parentElement);
  };
  const [pairs, seen] = [new Map(), new Set()];
  for (const node of document.querySelectorAll("article pre, article pre span")) {
    const text = [...node.childNodes].find((part) => part.nodeType === 3 && /\\S/.test(part.data));
    const kind = [node.className, node.parentElement.className, node.closest("div").className];
    if (!text || seen.has(String(kind)) || !node.checkVisibility()) continue;
    seen.add(String(kind));
    const [ink, paper] = [getComputedStyle(node).color, ground(node)];
    const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
    pairs.set(`${ink} on ${paper}`, [text.data.trim(), (a + 0.05) / (b + 0.05)]);
  }
  return [...pairs.values()];
}"""


@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing_in_either_theme(page: str, look: Look) -> None:
    opened = [look(page, way) for way in (DESK, PHONE)]
    for one in opened:
        one.evaluate(AXE_SCRIPT)
        one.evaluate(JUDGE)
    assert [one.evaluate(VIOLATIONS) for one in opened] == [[], []]


@pytest.mark.parametrize("page", PAGES)
def test_code_is_legible_in_either_theme(page: str, look: Look) -> None:
    for way in (DESK, PHONE):
        colours = look(page, way).evaluate(CODE)
        assert colours or "/0" not in page
        assert [colour for colour in colours if colour[1] < 4.5] == []
