"""Measure the verdict on typed code in the browser, from Check to the words."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page

from attention_figures.frontend import node
from benchmarks import Row
from benchmarks.browser import chromium
from book.site.output.exercise_data import data
from book.site.output.scripts import PAGES
from tools import limits

SCRIPT = Path(__file__).with_suffix(".mjs")
SLUG = "scaled-dot-product-attention"  # the largest exercise
# A right answer is run on all cases of all stages, and twice on each.
RIGHT = """
def attention(queries, keys, values, valid_lens=None):
    X = queries @ keys.mT / math.sqrt(keys.shape[-1])
    if valid_lens is None:
        return torch.softmax(X, dim=-1) @ values
    longest = valid_lens.reshape(len(keys), -1).amax(dim=1)
    padding = torch.arange(keys.shape[1]) >= longest[:, None]
    keys, values = (x.masked_fill(padding[..., None], 0) for x in (keys, values))
    X = queries @ keys.mT / math.sqrt(keys.shape[-1])
    keep = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    weights = torch.softmax(X.masked_fill(~keep, -torch.inf), dim=-1)
    return weights.masked_fill(~keep, 0) @ values
"""
TIMED = """async ([slug, source, name]) => {
  const began = performance.now();
  const verdict = await judgeInBrowser(slug, source, name, "en");
  return { time: performance.now() - began, ...verdict };
}"""
PAGE = '<!doctype html><meta charset="utf-8"><script defer src="exercises.js"></script>'
VISITS, LATER = 3, 5


def rows() -> Iterator[Row]:
    """Yield the median time of a first verdict and of later ones."""
    with TemporaryDirectory() as folder, chromium() as browser:
        address = page_folder(Path(folder), SLUG)
        first, later = [], []
        for _ in range(VISITS):
            page = browser.new_page()  # a new context with an empty cache
            page.goto(address)
            first.append(_time(page))
            later += [_time(page) for _ in range(LATER)]
            page.close()
    what = "verdict on typed code in the browser, largest exercise"
    yield Row(f"{what}: first", "ms", median(first), limit=limits.FIRST_VERDICT)
    yield Row(f"{what}: later", "ms", median(later), limit=limits.NEXT_VERDICT)


def page_folder(folder: Path, *slugs: str) -> str:
    """Make a page that can judge exercises; return its address, a file."""
    PAGES.build()
    (folder / "exercises").mkdir()
    shutil.copy(PAGES.built / "judge.js", folder)
    for slug in slugs:
        shutil.copy(data(slug), folder / f"exercises/{slug}.js")
    subprocess.run([node(), str(SCRIPT), str(folder)], check=True)
    page = folder / "index.html"
    page.write_text(PAGE, "utf-8")
    return page.as_uri()


def _time(page: Page) -> float:
    page.wait_for_timeout(300)  # a reader needs longer to change the code
    found: dict[str, Any] = page.evaluate(TIMED, [SLUG, RIGHT, "attention"])
    assert found["passed"], found["html"]
    return float(found["time"])
