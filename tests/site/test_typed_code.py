"""Test exercises that are answered with code: three ways in, and a verdict in the browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe import violations
from book_pages import CHAPTERS, DEVICES, PHONE, OpenPage, translation
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Locator, Page, expect
from test_storage import DENIED

from attention_course.exercises import EXERCISES, check_source, puzzle
from attention_course.exercises.engine.puzzle import fill, options
from book.site.source.stubs import with_blanks
from tests.hydration import HYDRATE_ALL

FIRST = next(page for page in CHAPTERS if "en/01" in page)
MASKED = next(page for page in CHAPTERS if "en/04" in page)
LAST = next(page for page in CHAPTERS if "en/13" in page)
RIGHT = """def soft_lookup(query, keys, values, temperature):
    scores = -(keys - query).square().sum(dim=1) / 2
    return torch.softmax(scores / temperature, dim=0) @ values
"""
ENDLESS = """def soft_lookup(query, keys, values, temperature):
    while True:
        pass
"""
SAMPLE = """def my_sample(logits, temperature, u):
    p = torch.softmax(logits / temperature, dim=-1)
    return (p.cumsum(dim=-1) <= u[:, None]).sum(dim=-1)
"""
WRONG = {
    "a slip": RIGHT.replace("-(", "("),
    "a missing name": RIGHT.replace("values\n", "valeus\n"),
    "another name": RIGHT.replace("soft_lookup", "look_up"),
    "no Python": RIGHT.replace(":", ""),
    "no loop's end": ENDLESS,
}


def exercise(page: Page, slug: str) -> Locator:
    return page.locator(f'[data-exercise="{slug}"]')


def write(root: Locator, code: str) -> None:
    """Replace the code of the exercise in the editor, which is opened if need be."""
    if root.locator(".cm-content").count() == 0:
        root.locator("[data-editor]").click()
    root.locator(".cm-content").focus()
    root.page.keyboard.press("ControlOrMeta+a")
    root.page.keyboard.insert_text(code)


RAISED = (
    "You have solved an exercise, so this one starts with a harder way. "
    "You can choose another way above."
)


def judged(root: Locator) -> Locator:
    """Have the code judged, and return the verdict."""
    root.locator("[data-judge]").click()
    expect(root.locator("[data-judge]")).to_have_attribute("aria-busy", "false")
    expect(root.locator("[data-judged-by]")).to_have_attribute("data-judged-by", "browser")
    return root.locator("[data-code-verdict]")


def way(root: Locator, name: str) -> Locator:
    return root.locator(f"[data-way={name}]")


def test_what_a_reader_writes_is_judged_as_check_does(open_page: OpenPage) -> None:
    page = open_page(FIRST)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    root = exercise(page, "soft-lookup")
    expect(way(root, "lines")).to_be_checked()
    assert not loaded  # the editor and what judges come when they are needed
    for code in WRONG.values():
        write(root, code)
        said = judged(root)
        expected = check_source("soft-lookup", code, "en", name="soft_lookup")
        assert said.locator("div").inner_html() == expected._repr_html_()
        expect(said).to_have_attribute("data-code-verdict", "wrong")
        expect(root.locator(".exercise-done")).not_to_be_visible()
    write(root, RIGHT)
    expect(judged(root)).to_have_attribute("data-code-verdict", "right")
    expect(root.locator("[data-code-verdict]")).to_contain_text(
        "once a server has checked the rest"
    )
    by = "Judged in this browser. Not checked here: gradients."
    expect(root.locator("[data-judged-by]")).to_have_text(by)
    expect(root.locator(".exercise-done")).not_to_be_visible()
    expect(page.locator("[data-progress-of]")).to_contain_text("exercises (code) solved 0 of 1")
    assert violations(page) == [[]]
    write(root, RIGHT.replace("/ 2", "/ 1"))
    page.keyboard.press("Shift+Enter")
    expect(root.locator("[data-code-verdict]")).to_have_attribute("data-code-verdict", "wrong")
    assert page.locator("body").get_attribute("data-kernel") == "none"

    page.reload()
    expect(way(root, "own")).to_be_checked()
    expect(root.locator("[data-editor] pre")).to_contain_text("/ 1")
    root.locator("[data-start-over]").click()
    expect(root.locator("[data-editor] pre")).to_contain_text("# your code")
    page.goto(page.url.replace(FIRST, MASKED))
    expect(way(exercise(page, "masked-softmax"), "own")).to_be_checked()


def test_a_success_makes_the_next_exercises_start_one_way_harder(open_page: OpenPage) -> None:
    page = open_page(LAST)
    first, second, third = (
        exercise(page, slug) for slug in ("cached-step", "temperature", "split-heads")
    )
    way(third, "lines").focus()
    third.locator("[data-choice]").first.check()  # has begun
    right = next(at for at, one in puzzle("cached-step").said.items() if one.right)
    for gap, place in enumerate(right):
        first.locator(f'[data-choice="cached-step-{gap}:{place}"]').check()
    first.locator("[data-check]").click()
    expect(way(first, "lines")).to_be_checked()
    expect(way(third, "lines")).to_be_checked()
    expect(way(second, "blanks")).to_be_checked()
    expect(second.locator("[data-raised]")).to_have_text(RAISED)
    expect(second.locator(".blank")).to_have_count(4)
    second.locator("[data-judge]").click()
    expect(second.locator("[data-code-verdict]")).to_contain_text("4 blanks are still empty")
    write(second, SAMPLE)
    expect(judged(second)).to_have_attribute("data-code-verdict", "right")
    expect(second.locator(".exercise-done")).to_have_text("✓ answered right")  # all is checked
    expect(page.locator("[data-progress-of]")).to_contain_text("exercises (code) solved 2 of 4")
    way(second, "lines").check()
    expect(second.locator("[data-check]")).to_be_visible()
    way(second, "blanks").check()
    expect(second.locator(".blank, [data-judge]").first).to_be_visible()
    expect(second.locator("[data-raised]")).to_have_count(0)  # the reader has chosen it
    way(second, "lines").check()
    page.reload()
    expect(way(second, "lines")).to_be_checked()
    expect(way(exercise(page, "decoder-block"), "own")).to_be_checked()
    expect(exercise(page, "decoder-block").locator("[data-raised]")).to_have_text(RAISED)


def test_after_two_failed_checks_a_wrong_line_disappears(open_page: OpenPage) -> None:
    slug = "masked-softmax"
    root = exercise(open_page(MASKED), slug)
    said = puzzle(slug).said
    right = {places for places, one in said.items() if one.right}
    for gap in range(3):
        root.locator(f'[data-choice="{slug}-{gap}:0"]').check()
    told = root.locator(".line-gone")
    for failed in range(1, 9):
        root.locator("[data-check]").click()
        left = [
            fieldset.locator(":enabled").count() for fieldset in root.locator(".gap-lines").all()
        ]
        assert sum(left) == max(10 - failed // 2, 6)
        if failed in (2, 4, 6, 8):
            expect(told).to_contain_text(f"After {failed} wrong tries, a wrong line of Gap")
        else:
            expect(told).to_be_empty()
    for places in right:
        for gap, place in enumerate(places):
            expect(root.locator(f'[data-choice="{slug}-{gap}:{place}"]')).to_be_enabled()


def test_on_a_phone_from_disk_blanks_are_filled_judged_and_printed(open_page: OpenPage) -> None:
    slug = "masked-softmax"
    page = open_page(translation(MASKED), **DEVICES[PHONE])
    root = exercise(page, slug)
    way(root, "blanks").check()
    expect(root.locator(".cm-content")).to_be_visible()
    expect(root.locator("[data-judge]")).to_be_in_viewport()
    own, said = EXERCISES[slug], puzzle(slug).said
    several = options(own, slug)
    places = next(places for places, one in said.items() if one.right)
    lines = {
        gap: one[place].source for (gap, one), place in zip(several.items(), places, strict=True)
    }
    assert own.puzzle
    program = fill(own.puzzle, lines)
    root.locator("[data-judge]").tap()
    expect(root.locator("[data-code-verdict]")).to_contain_text("还有 3 个空没有填")
    write(root, program)
    verdict = judged(root)
    expect(verdict).to_have_attribute("data-code-verdict", "right")
    expect(verdict).to_contain_text("其余部分要由服务器检查")
    expect(root.locator("[data-judged-by]")).to_contain_text("这里没有检查")
    expect(root.locator(".exercise-done")).not_to_be_visible()  # a kernel has to check the rest
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    sizes = root.evaluate(SIZES)
    assert min(sizes) >= 12
    assert violations(page) == [[]]
    page.emulate_media(media="print")
    expect(root.locator("[data-editor] pre")).to_contain_text(lines["before"])
    expect(root.locator(":is(button, input, .cm-editor):visible")).to_have_count(0)


SIZES = """(root) => [...root.querySelectorAll("*")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize))"""


def test_the_keyboard_leaves_the_editor(open_page: OpenPage) -> None:
    page = open_page(FIRST)
    root = exercise(page, "soft-lookup")
    way(root, "lines").focus()
    page.keyboard.press("ArrowRight")
    expect(way(root, "blanks")).to_be_focused()
    expect(root.locator(".cm-content")).to_be_visible()
    page.keyboard.press("Tab")
    expect(root.locator(".cm-content")).to_be_focused()
    expect(root.locator(".cm-content")).to_have_attribute(
        "aria-label", re.compile("Escape, then Tab")
    )
    page.keyboard.press("Tab")
    expect(root.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(root.locator("[data-judge]")).to_be_focused()
    way(root, "own").click()  # those who use a pointer can type at once
    expect(root.locator(".cm-content")).to_be_focused()
    page.keyboard.type("return values[0]")
    expect(root.locator(".cm-content")).to_contain_text(re.compile(r"\):\s*return values\[0\]$"))


def test_without_a_storage_the_page_says_that_code_is_lost(open_page: OpenPage) -> None:
    page = open_page(FIRST, before=DENIED)
    root = exercise(page, "soft-lookup")
    root.locator("[data-editor]").click()
    expect(root.locator("[data-forgotten]")).to_have_count(0)
    write(root, RIGHT)
    expect(root.locator("[data-forgotten]")).to_be_visible()


@pytest.mark.parametrize("name", ["code.js", "editor.js", "judge.js"])
def test_what_does_not_load_is_named_and_loaded_again(
    name: str, browser: Browser, address: str
) -> None:
    page = browser.new_page()
    page.route(f"**/{name}*", lambda route: route.abort())
    page.add_init_script(HYDRATE_ALL)
    page.goto(address + FIRST)
    root = exercise(page, "soft-lookup")
    way(root, "own").check()
    if name == "editor.js":
        expect(root.locator("textarea")).to_have_value(re.compile("^def soft_lookup"))
        page.close()
        return
    if name == "judge.js":
        root.locator("[data-judge]").click()
    expect(root.locator("[data-retry]")).to_be_visible()
    page.unroute(f"**/{name}*")
    root.locator("[data-retry]").click()
    expect(root.locator("[data-retry]")).to_have_count(0)
    expect(root.locator("[data-editor]")).to_contain_text("def soft_lookup")
    page.close()


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_stub_is_in_its_exercise_and_in_no_cell(
    page: str, parse_html: Callable[[str], BeautifulSoup], site: Path
) -> None:
    html = parse_html(page)
    cells = [cell.text for cell in html.select(".cell_input pre")]
    stubs = [text for text in cells if re.search(r"^ *\.\.\.\n+check\(", text, re.MULTILINE)]
    assert [text.split()[0] for text in stubs] == (["class"] if "/05-" in page else [])
    for one in html.select("[data-exercise]"):
        slug, state = str(one["data-exercise"]), one.select_one("script").text
        if slug in EXERCISES and slug != "additive-attention":
            assert '"code": {"name": "' in state
            assert with_blanks(slug).count("____") == len(puzzle(slug).gaps)
