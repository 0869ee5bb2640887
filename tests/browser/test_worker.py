"""Test that a page opened from disk asks the judge, stops endless code, and can try again."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from benchmarks.judge import page_folder

pytestmark = pytest.mark.xdist_group("judging worker")  # one page is enough
SLUG = "masked-softmax"
ASK = """async ([slug, source]) => {
  try {
    return await judgeInBrowser(slug, source, "f", "en");
  } catch (error) {
    return String(error);
  }
}"""
WRONG = "def f(X, valid_lens):\n    return torch.softmax(X, dim=-1)\n"
BOTH = """async (source) => {
  const asked = ["en", "zh"].map((lang) => judgeInBrowser("masked-softmax", source, "f", lang));
  return (await Promise.all(asked)).map((one) => one.html);
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judge")
    page_folder(folder, SLUG)
    script = folder / f"exercises/{SLUG}.js"
    script.write_text(script.read_text("utf-8").replace('"seconds":5', '"seconds":0.5'), "utf-8")
    return folder


@pytest.fixture(scope="module")
def page(folder: Path, browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    logged: list[str] = []
    page.on("pageerror", lambda error: logged.append(str(error)))
    page.on("console", lambda message: logged.append(message.text))
    page.goto((folder / "index.html").as_uri())
    yield page
    page.close()
    assert not [one for one in logged if "ERR_FILE_NOT_FOUND" not in one]


def ask(page: Page, source: str, slug: str = SLUG) -> Any:
    return page.evaluate(ASK, [slug, source])


def test_data_that_do_not_load_can_be_asked_for_again(page: Page, folder: Path) -> None:
    own, away = folder / f"exercises/{SLUG}.js", folder / "away.js"
    own.rename(away)
    assert re.search("did not load", ask(page, WRONG))
    away.rename(own)
    assert "The padding is kept" in ask(page, WRONG)["html"]


def test_code_that_does_not_end_is_stopped_and_the_next_is_judged(page: Page) -> None:
    endless = ask(page, "def f(X, valid_lens):\n    while True: pass")
    assert "With X (2, 3, 5), valid_lens [2, 4]: your code was stopped" in endless["html"]
    assert "before the function could be called" in ask(page, "while True: pass")["html"]
    full = ask(page, "def f(X, valid_lens):\n    return f(X, valid_lens)")
    assert (full["passed"], full["unchecked"]) == (False, ["your code"])
    assert "The padding is kept" in ask(page, WRONG)["html"]


def test_each_answer_gets_a_fresh_interpreter(page: Page) -> None:
    spoilt = "torch.softmax = None\ndef f(X, valid_lens):\n    return X"
    assert not ask(page, spoilt)["passed"]
    assert "The padding is kept" in ask(page, WRONG)["html"]


def test_answers_that_are_given_at_once_wait_for_each_other(page: Page) -> None:
    english, chinese = page.evaluate(BOTH, WRONG)
    assert "The padding is kept" in english
    assert "没有掩蔽填充" in chinese
