"""Open every figure on a page that is translated, and in the colours of the reader's system."""

from typing import Any, Literal

import pytest
from figure_examples import EXAMPLES, SOME_KINDS, alternate
from figure_page import Open
from interaction import figure_on, move_controls
from playwright.sync_api import Page, expect

from attention_figures import NumberQuestion

SOMETHING = NumberQuestion("How much?", answer=lambda figure: 1, because="So.", tolerance=0.1)
# Chrome's translation wraps every text in two of these, also later ones, without any event.
TRANSLATE = """(root) => {
  const translate = (node) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) {
      const within = text.parentElement;
      const left = "font, script, style, textarea, [translate=no], .notranslate";
      if (!text.data.trim() || !within || within.closest(left)) continue;
      const fonts = [0, 1].map(() => document.createElement("font"));
      text.replaceWith(fonts[0]);
      fonts[0].append(fonts[1]);
      fonts[1].append(text.data);
    }
  };
  translate(root);
  new MutationObserver((changes) => changes.forEach(({ target }) =>
    translate(target.nodeType === 3 ? target.parentElement ?? root : target)))
    .observe(root, { childList: true, characterData: true, subtree: true });
}"""
# All texts, and all attributes with words and numbers.
TEXTS = """(root) => [
  ...root.querySelectorAll("*:not(font, [data-announced], script)")].map((node) => [
  node.querySelector(":scope > :not(font)") ? [...node.childNodes].map((part) =>
    part.nodeType === 3 || part.localName === "font" ? part.textContent : "|").join("")
    : node.textContent,
  node.value ?? "", node.getAttribute("aria-label"), node.getAttribute("aria-valuetext"),
].join(" "))"""
# The contrast of each part of a figure: its name, and its largest contrast with the background by
# fill, stroke, border or hatching; and the contrast of each text with its background.
STANDING = """(root) => {
  const parse = (colour) => {
    const numbers = (colour.match(/[\\d.]+(?:e-?\\d+)?/g) ?? [0, 0, 0, 0]).map(Number);
    const most = colour.startsWith("color(") ? 1 : 255;
    return [...numbers.slice(0, 3).map((x) => x / most), numbers[3] ?? 1];
  };
  const over = ([r, g, b, a], ground, opacity = 1) =>
    [r, g, b].map((x, c) => x * a * opacity + ground[c] * (1 - a * opacity));
  const light = (colour) => colour.slice(0, 3)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const probe = document.createElement("i");
  root.append(probe);
  const forced = matchMedia("(forced-colors: active)").matches;
  probe.style.color = forced ? "Canvas" : "rgb(var(--pale))";
  const ground = parse(getComputedStyle(probe).color).slice(0, 3);
  probe.remove();
  const opacity = (node) => node === root ? 1
    : Number(getComputedStyle(node).opacity) * opacity(node.parentElement);
  const behind = (node) => {
    if (node === root.parentElement) return ground;
    return over(parse(getComputedStyle(node).backgroundColor), behind(node.parentElement));
  };
  const painted = (node, which) => {
    const style = getComputedStyle(node, which);
    if (which && (style.content === "none" || style.content === "normal")) return [];
    const colours = [style.backgroundColor, ...style.backgroundImage.match(
      /(?:rgba?|color)\\([^()]*\\)/g) ?? []];
    for (const side of ["Top", "Right", "Bottom", "Left"]) {
      if (parseFloat(style[`border${side}Width`]) && style[`border${side}Style`] !== "none")
        colours.push(style[`border${side}Color`]);
    }
    return colours.map((colour) => [parse(colour), 1]);
  };
  const drawn = (node) => {
    const { fill, stroke, fillOpacity, strokeWidth } = getComputedStyle(node);
    const inside = node.matches("line") ? "none" : fill;
    return [[inside, Number(fillOpacity)], [stroke, parseFloat(strokeWidth) ? 1 : 0]]
      .filter(([colour]) => colour !== "none").map(([colour, a]) => [parse(colour), a]);
  };
  const shapes = "path, line, rect, circle, polygon, ellipse, polyline";
  return [...root.querySelectorAll("*")].filter((node) =>
    node.checkVisibility({ visibilityProperty: true }) && !node.matches(".hit, .axes *, option"))
    .map((node) => {
      const parts = node.matches(shapes) ? drawn(node)
        : node.closest("svg") ? [] : [...painted(node), ...painted(node, "::before"),
            ...painted(node, "::after")];
      const at = opacity(node);
      const out = Math.max(1, ...parts.map(([colour, a]) =>
        contrast(over(colour, ground, a * at), ground)));
      const words = !node.closest("svg, :disabled") &&
        [...node.childNodes].some((part) => part.nodeType === 3 && part.data.trim());
      const style = getComputedStyle(node);
      const back = words ? behind(node) : ground;
      const text = words ? contrast(over(parse(style.color), back, at), back)
        : node.matches("text") ? contrast(over(parse(style.fill), ground, at), ground) : 21;
      const name = `${node.localName}.${node.getAttribute("class") ?? ""}`;
      return { name, out, text, cell: node.matches("tbody td, .weight-square, canvas") };
    });
}"""
# Chromium keeps some system colours when they change under an open page.
AGAIN = """async (root) => {
  root.style.display = "none";
  await new Promise(requestAnimationFrame);
  root.style.display = "";
}"""


def answer(page: Page) -> None:
    page.locator("[data-guess]").fill("2")
    page.locator("[data-commit]").click()
    expect(page.locator("[data-verdict]")).to_contain_text("So.")


def translated(page: Page) -> None:
    """Compare a translated page with one that is not translated, after the same moves."""

    def said() -> list[Any]:
        page.locator("[data-control=reset]").click()
        answer(page)
        answered = figure_on(page).evaluate(TEXTS)
        move_controls(page, 1)
        return [answered, figure_on(page).evaluate(TEXTS)]

    page.evaluate("Math.random = () => 0.37")
    said()  # after this, no handle is highlighted any more
    before = said()
    figure_on(page).evaluate(TRANSLATE)
    assert page.locator("font > font").count() >= 3  # the question, and the text below the figure
    assert said() == before


def in_system_colours(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Return the parts that lose their contrast; cells and texts must always have contrast."""
    usual = figure_on(page).evaluate(STANDING)
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    figure_on(page).evaluate(AGAIN)
    now = figure_on(page).evaluate(STANDING)
    assert [part["name"] for part in now] == [part["name"] for part in usual]
    lost = [
        (part["name"], round(part["out"], 1))
        for part, before in zip(now, usual, strict=True)
        if part["out"] < 3 and (before["out"] >= 3 or part["cell"])
    ]
    assert lost == [], scheme
    assert [part for part in now if part["text"] < 4.5] == [], scheme
    page.emulate_media(forced_colors="none", color_scheme="null")


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_a_browser_may_translate_its_page(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en").ask(SOMETHING))
    page.emulate_media(reduced_motion="reduce")
    translated(page)


@pytest.mark.parametrize(("kind", "scheme"), alternate("light", "dark"))
def test_it_has_contrast_in_system_colours(
    open_figure: Open, kind: str, scheme: Literal["light", "dark"]
) -> None:
    page = open_figure(EXAMPLES[kind]("en").ask(SOMETHING))
    page.emulate_media(reduced_motion="reduce")
    answer(page)
    move_controls(page, 1)
    in_system_colours(page, scheme)
