"""Test a chapter in a real JupyterLab: page and kernel see each other's changes."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from lab_page import Notebook, served_book
from playwright.sync_api import Browser, Locator, expect

from tools import limits

SAVE = ["@jupyter-widgets/jupyterlab-manager:saveWidgetState", "docmanager:save"]
STORED = """async () => {
  const { path } = window.jupyterapp.shell.currentWidget.context;
  const settings = window.jupyterapp.serviceManager.serverSettings;
  const file = await fetch(`${settings.baseUrl}api/contents/${path}?type=file&format=text`);
  return (await file.json()).content;
}"""
WEIGHTS = "print(pipeline.attention_weights.tolist())"


@pytest.fixture(scope="module")
def requested() -> set[str]:
    """Collect the URLs that the page requests."""
    return set()


@pytest.fixture(scope="module")
def errors() -> list[str]:
    """Collect the errors of the page."""
    return []


@pytest.fixture(scope="module")
def chapter(
    browser: Browser,
    tmp_path_factory: pytest.TempPathFactory,
    requested: set[str],
    errors: list[str],
) -> Iterator[Notebook]:
    """Open the chapter and run it from top to bottom, once for all tests."""
    with served_book(tmp_path_factory.mktemp("lab")) as address:
        requested.clear()  # of a first try
        errors.clear()
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requested.add(request.url))
        notebook = Notebook(page, address.format("en/04-masked-softmax.ipynb"))
        assert notebook.run_all() == []
        yield notebook
        page.close()
        assert errors == []


@pytest.fixture
def pipeline(chapter: Notebook) -> Locator:
    return chapter.cell("pipeline-figure").locator('[data-figure="pipeline"][data-live]')


@pytest.fixture
def steps(chapter: Notebook) -> Locator:
    return chapter.cell("steps-figure").locator('[data-figure="steps"][data-live]')


def control(figure: Locator, name: str) -> Locator:
    return figure.locator(f'[data-control="{name}"]')


def expect_python(chapter: Notebook, expression: str, value: Any) -> None:
    """Wait until the kernel has this value; changes arrive asynchronously."""
    for _ in range(100):
        said = chapter.python(f"print({expression})")
        if said == str(value):
            return
        chapter.page.wait_for_timeout(100)
    assert said == str(value)


def expect_weights(chapter: Notebook, figure: Locator) -> None:
    """Wait until every weight in the page is that of the kernel's torch."""
    for b, example in enumerate(json.loads(chapter.python(WEIGHTS))):
        for q, row in enumerate(example):
            for k, weight in enumerate(row):
                text = f"{weight:.2f}" if weight else "0"
                expect(figure.locator(f'[data-at="{b},{q},{k}"]')).to_have_text(text)


def strip_pre(html: str) -> str:
    return html.removeprefix("<pre>").removesuffix("</pre>")


def test_what_the_page_changes_python_sees(chapter: Notebook, pipeline: Locator) -> None:
    control(pipeline, "valid_lens[0]").fill("1")
    control(pipeline, "valid_lens[1]").fill("4")
    expect_python(chapter, "pipeline.valid_lens", [1, 4])
    expect_weights(chapter, pipeline)


def test_keys_move_a_slider_and_still_run_the_next_cell(
    chapter: Notebook, pipeline: Locator
) -> None:
    slider = control(pipeline, "valid_lens[0]")
    slider.fill("1")
    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "End"):
        slider.press(key)
    expect_python(chapter, "pipeline.valid_lens[0]", 4)
    slider.press("ArrowLeft")
    expect(slider).to_have_value("3")
    expect(slider).to_be_focused()
    active = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    chapter.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1")
    slider.press("Shift+Enter")
    chapter.page.wait_for_function(f"{active} === 2")


def test_what_python_sets_the_page_shows(chapter: Notebook, pipeline: Locator) -> None:
    chapter.python("pipeline.valid_lens = torch.tensor([3, 2])")
    expect(control(pipeline, "valid_lens[0]")).to_have_value("3")
    expect(control(pipeline, "valid_lens[1]")).to_have_value("2")
    expect_weights(chapter, pipeline)
    chapter.python("pipeline.valid_lens = [[1, 4], [2, 3]]")
    expect(control(pipeline, "valid_lens[0][1]")).to_have_value("4")
    expect_weights(chapter, pipeline)
    assert "valid_lens must have shape" in chapter.python("pipeline.valid_lens = [1, 2, 3]")
    expect_python(chapter, "pipeline.valid_lens", [[1, 4], [2, 3]])
    chapter.python("pipeline.valid_lens = [3, 2]")


def test_a_slider_is_linked_in_the_browser(chapter: Notebook, steps: Locator) -> None:
    slider = chapter.cell("jslink-step")
    slider.locator(".noUi-handle").press("ArrowRight")
    slider.locator(".noUi-handle").press("ArrowRight")
    expect_python(chapter, "steps.step, slider.value", "2 2")
    chapter.cell("steps-figure")
    control(steps, "next").click()
    expect_python(chapter, "steps.step, slider.value", "3 3")
    expect(chapter.cell("jslink-step").locator(".widget-readout")).to_have_text("3")


def test_a_choice_is_linked_in_python(chapter: Notebook, pipeline: Locator) -> None:
    chapter.python("choice.value = 4")
    expect(control(pipeline, "num_hiddens")).to_have_value("4")
    expect_weights(chapter, pipeline)
    control(pipeline, "num_hiddens").select_option("1")
    expect_python(chapter, "choice.value, pipeline.num_hiddens", "1 1")
    expect_weights(chapter, pipeline)


def test_an_observer_hears_a_list_that_the_page_changed(
    chapter: Notebook, pipeline: Locator
) -> None:
    control(pipeline, "valid_lens[0]").fill("2")
    expect_python(chapter, "largest.value[:6]", "[2, 2]")
    control(pipeline, "valid_lens[0]").fill("4")
    expect_python(chapter, "largest.value[:6]", "[4, 2]")


def test_the_lab_stays_as_its_cells_left_it(chapter: Notebook) -> None:
    """Rendering a control must not send a value to the kernel."""
    printed = chapter.cell("lab-move-a-key").locator(".jp-OutputArea-output pre").first
    expect(printed).to_contain_text(re.compile(r"(0\.\d{3} ?){4}"))
    last = (printed.text_content() or "").strip()
    explorer = chapter.cell("lab-explorer")
    expect(explorer.locator(".noUi-handle")).to_have_count(4)
    expect(explorer.locator(".widget-html pre")).to_have_text(last)
    expect_python(chapter, "numbers.value", f"<pre>{last}</pre>")


def test_the_lab_follows_its_controls(chapter: Notebook) -> None:
    explorer = chapter.cell("lab-explorer")
    picture, numbers = explorer.locator("img"), explorer.locator(".widget-html pre")
    for handle in range(4):
        before = picture.get_attribute("src"), numbers.inner_text()
        explorer.locator(".noUi-handle").nth(handle).press("ArrowLeft")
        expect(picture).not_to_have_attribute("src", before[0] or "")
        expect(numbers).not_to_have_text(before[1])
    explorer.locator("select").select_option("4")
    expect_python(chapter, "hiddens.value", 4)
    expect(numbers).to_have_text(strip_pre(chapter.python("print(numbers.value)")))


def test_a_citation_opens_the_bibliography_at_its_work(chapter: Notebook) -> None:
    chapter.cell("sources").get_by_role("link", name="Bridle (1990)").click()
    work = chapter.page.locator(".jp-MarkdownViewer p", has_text="Bridle (1990).")
    expect(work).to_be_in_viewport()
    expect(work).to_contain_text("Uses the name softmax at an early date.")
    chapter.page.evaluate("window.jupyterapp.shell.currentWidget.close()")


def test_the_page_asks_no_one_else(chapter: Notebook, requested: set[str]) -> None:
    own = chapter.page.url.split("/lab")[0]
    assert {url for url in requested if not url.startswith((own, "data:", "blob:"))} == set()


def test_a_saved_chapter_shows_figures_with_its_kernel_and_tables_without(
    chapter: Notebook, errors: list[str]
) -> None:
    page = chapter.page
    for command in SAVE:
        page.evaluate("(name) => window.jupyterapp.commands.execute(name)", command)
    stored = page.evaluate(STORED)
    assert "widget-view" in stored
    assert len(stored) <= 1000 * limits.SAVED_CHAPTER
    say = page.get_by_text("run all cells again")
    chapter.reload()
    alive = page.locator("[data-figure=sentence][data-live]")
    lost = page.get_by_text("model not found").first
    expect(alive.or_(lost)).to_be_visible(timeout=120_000)  # the kernel sends all widgets again
    if not alive.is_visible():  # JupyterLab does not wait for the kernel of a busy machine
        errors.clear()
        chapter.reload()
    expect(alive).to_be_visible(timeout=120_000)
    expect(say).to_have_count(0)
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    chapter.reload()
    expect(page.locator("[data-figure=sentence] table").first).to_be_visible()
    expect(say).to_have_count(18)
    expect(page.get_by_text("model not found")).to_have_count(0)
    page.evaluate("(name) => window.jupyterapp.commands.execute(name)", SAVE[1])
    assert "run all cells again" not in page.evaluate(STORED)
