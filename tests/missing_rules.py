"""Find the rules of a style sheet that a page lacks although they match some of its elements."""

import re
from importlib.metadata import distribution

from playwright.sync_api import Page

_OF_THE_THEME = {
    "sphinx": ["basic.css.jinja"],
    "pydata-sphinx-theme": ["bootstrap.css", "pydata-sphinx-theme.css"],
    "sphinx-book-theme": ["sphinx-book-theme.css"],
    "myst-nb": ["mystnb.css"],
    "sphinx-copybutton": ["copybutton.css"],
}
_MISSING = r"""(whole) => {
  const split = (selectors) => {
    const parts = [""];
    let depth = 0;
    for (const letter of selectors) {
      depth += "([".includes(letter) - ")]".includes(letter);
      if (letter === "," && !depth) parts.push("");
      else parts[parts.length - 1] += letter;
    }
    return parts.map((part) => part.trim());
  };
  // Each selector, with the conditions around its rule.
  const flat = (rules, condition = "") => [...rules].flatMap((rule) =>
    rule.selectorText
      ? split(rule.selectorText).map((selector) => ({ selector, key: `${condition} ${selector}` }))
      : flat(rule.cssRules ?? [], condition + (rule.conditionText ?? "")));
  // Matches whatever a reader does, in every theme.
  const inAnyState = (selector) => selector
    .replace(/:(hover|active|focus-within|focus-visible|focus|visited|target|checked)/g, "")
    .replace(/::[\w-]+(\([^)]*\))?|\[data-(theme|mode|hidden)[^\]]*\]/g, "")
    .replace(/:not\([\s,]*\)/g, "")
    .replace(/\s*([>+~])\s*/g, "$1")
    .replace(/(^|[\s>+~])(?=$|[>+~])/g, "$1*");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(whole);
  const own = new Set(
    [...document.styleSheets].flatMap(({ cssRules }) => flat(cssRules).map(({ key }) => key)));
  return flat(sheet.cssRules)
    .filter(({ key, selector }) => !own.has(key) && document.querySelector(inAnyState(selector)))
    .map(({ selector }) => selector);
}"""


def missing_rules(page: Page, style_sheet: str) -> list[str]:
    """Return the selectors of the sheet that match elements, and that no sheet of the page has."""
    missing: list[str] = page.evaluate(_MISSING, style_sheet)
    return missing


def theme_sheet() -> str:
    """Return all rules of the theme and the extensions, but for the colours of code."""
    texts = [
        path.read_text("utf-8")
        for package, names in _OF_THE_THEME.items()
        for path in distribution(package).files or ()
        if path.name in names
    ]
    assert len(texts) == sum(map(len, _OF_THE_THEME.values()))
    return re.sub(r"\{\{.*?\}\}", "0", "\n".join(texts))  # basic.css is a template
