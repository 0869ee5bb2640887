"""Test exercises on a page: verdicts, and the memory of right answers."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from book_pages import CHAPTERS, DEVICES, OpenPage, translation
from bs4 import BeautifulSoup
from playwright.sync_api import Locator, Page, expect
from test_storage import CORRUPT, DENIED, FULL

from attention_course.exercises import EXERCISES, puzzle
from attention_course.exercises.ask import NumberField, Point, Reply, is_ambiguous
from attention_course.exercises.page import strings

PAGE = next(page for page in CHAPTERS if "en/01" in page)
INDEX = "book/en/index.html"
PUZZLE, NUMBERS, CHOICE, PLACES = (
    f'[data-exercise="{slug}"]' for slug in ("soft-lookup", "village", "in-between", "word-order")
)
STORED = "JSON.parse(localStorage.getItem('progress'))"
CHAPTER = PAGE.removesuffix(".html").rpartition("/")[2]


def check(root: Locator) -> None:
    root.locator("[data-check]").click()


def _line(root: Locator, gap: int, place: int) -> Locator:
    return root.locator(f'[data-choice="soft-lookup-{gap}:{place}"]')


def choose(root: Locator, slug: str, places: tuple[int, ...]) -> None:
    for gap, place in enumerate(places):
        root.locator(f'[data-choice="{slug}-{gap}:{place}"]').check()


def solve(page: Page) -> None:
    """Choose the right lines."""
    said = puzzle("soft-lookup").said
    choose(page.locator(PUZZLE), "soft-lookup", next(at for at, one in said.items() if one.right))
    check(page.locator(PUZZLE))


@pytest.mark.parametrize("page", [PAGE, translation(PAGE)])
def test_a_puzzle_says_what_check_says_of_its_lines(page: str, open_page: OpenPage) -> None:
    root = open_page(page).locator(PUZZLE)
    verdict = root.locator("[data-verdict]")
    expect(verdict).to_be_empty()
    check(root)
    expect(verdict).to_have_text(re.compile("^Choose a line for every gap|^请先给每个空选一行"))
    sheet, program = puzzle("soft-lookup", page.split("/")[1]), root.locator(".program")
    gaps = root.locator(".gap-lines")
    expect(gaps.locator("legend")).to_have_text(sheet.labels)
    expect(program.locator("mark")).to_have_text(sheet.labels)
    checked = 0
    for places, one in list(sheet.said.items())[::5]:
        if any(_line(root, gap, place).is_disabled() for gap, place in enumerate(places)):
            continue  # a line that has disappeared after two failed checks
        checked += 1
        choose(root, "soft-lookup", places)
        chosen = zip(sheet.labels, sheet.gaps, places, strict=True)
        for label, lines, place in chosen:
            expect(program).to_contain_text(f"{label} {lines[place].strip()}")
        check(root)
        expect(verdict).to_have_attribute("data-verdict", "right" if one.right else "wrong")
        assert verdict.locator("div").inner_html() == one.words
    assert checked > 3
    root.locator('[data-choice^="soft-lookup-0"]:enabled:not(:checked)').first.check()
    expect(verdict).to_be_empty()  # the verdict is about the checked answer


def test_a_number_is_judged_on_the_page_as_in_jupyter(open_page: OpenPage) -> None:
    opened = open_page(PAGE)
    minutes = json.loads(_state(opened))["fields"][1]
    points = [Point(one["value"], Reply(one["words"], one["right"])) for one in minutes["points"]]
    field = NumberField(minutes["label"], minutes["others"], tuple(points), minutes["within"])
    root = opened.locator(NUMBERS)
    verdict = root.locator("[data-verdict]").nth(1)
    right = "47.6", "47,6", "４７．６", "４７，６", "476/10", "4760 %"
    for text in (*right, "40", "49.6", "−47.6", "", "4,760", "x"):
        root.locator('[data-choice="village-1"]').fill(text)
        check(root)
        said = field.judge(text)
        none = strings.COMMA.en if is_ambiguous(text) else minutes["none"]
        expect(verdict).to_have_text(said.words if said else none)
        assert (text in right) == (said is not None and said.right)
        called = "none" if said is None else "right" if said.right else "wrong"
        expect(verdict).to_have_attribute("data-verdict", called)


def _state(page: Page) -> str:
    """Return the stored state, which is removed once the exercise is live."""
    source = page.request.get(page.url).text()
    found = re.search(r'data-exercise="village"[^>]*><script[^>]*>([^<]*)', source)
    assert found
    return found[1]


def test_choices_and_places_answer_to_the_mistake(open_page: OpenPage) -> None:
    opened = open_page(PAGE)
    root = opened.locator(CHOICE)
    root.get_by_label("When the nearest key has the largest value").check()
    check(root)
    expect(root.locator("[data-verdict]")).to_have_text(re.compile("^The result comes close"))
    root = opened.locator(PLACES)
    for row in range(4):
        root.locator(f'[data-choice="word-order-0:{row},{row}"]').check()
    check(root)
    expect(root.locator("[data-verdict]")).to_have_text(re.compile("^The order of the words"))


def test_with_the_keyboard_alone_an_exercise_is_answered(open_page: OpenPage) -> None:
    opened = open_page(PAGE)
    opened.locator('[data-choice="village-0"]').focus()
    opened.keyboard.type("0.88")
    opened.keyboard.press("Tab")
    opened.keyboard.type("47")
    root = opened.locator(NUMBERS)
    opened.keyboard.press("Enter")
    expect(root.locator("[data-verdict]").nth(1)).to_have_attribute("data-verdict", "wrong")
    expect(opened.locator('[data-choice="village-1"]')).to_be_focused()
    opened.keyboard.type(".6")
    opened.keyboard.press("Tab")
    opened.keyboard.press("Enter")
    expect(root.locator('[data-verdict="right"]')).to_have_count(2)
    expect(root.locator("[data-verdict][role=status]")).to_have_count(2)
    expect(root.locator("[data-check]")).to_be_focused()
    opened.locator('[data-choice="in-between-0:0"]').focus()
    opened.keyboard.press("Space")
    opened.keyboard.press("ArrowDown")
    expect(opened.locator('[data-choice="in-between-0:1"]')).to_be_checked()


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_the_verdict_moves_nothing(device: str, open_page: OpenPage) -> None:
    opened = open_page(PAGE, **DEVICES[device])
    for slug in (PUZZLE, NUMBERS):
        root = opened.locator(slug)
        root.locator("[data-check]").scroll_into_view_if_needed()
        before = root.bounding_box()
        check(root)
        expect(root.locator("[data-verdict]").first).not_to_be_empty()
        assert root.bounding_box() == before
    width = opened.evaluate("document.documentElement.scrollWidth")
    assert width <= opened.viewport_size["width"]


def test_what_was_right_is_remembered_shown_exported_and_cleared(
    open_page: OpenPage, tmp_path: Path
) -> None:
    opened = open_page(PAGE)
    check(opened.locator(PUZZLE))  # nothing chosen
    solve(opened)
    expect(opened.locator(f"{PUZZLE} .exercise-done")).to_be_visible()
    done = opened.locator(f"{PUZZLE} .exercise-done")
    expect(done).to_have_text("✓ answered right")
    wrong = next(at for at, one in puzzle("soft-lookup").said.items() if not one.right)
    choose(opened.locator(PUZZLE), "soft-lookup", wrong)
    check(opened.locator(PUZZLE))
    expect(done).to_have_text("✓ answered right before")
    opened.locator("[data-figure] [data-control]").first.press("ArrowRight")
    stored = opened.evaluate(STORED)[CHAPTER]
    (figure,) = stored["figure"]
    assert stored["puzzle"] == {"soft-lookup": ["lines"]}
    assert stored["question"][figure]["is"] == "shown"  # skipped by moving the figure
    expect(opened.locator("[data-progress-of]")).to_contain_text("exercises (code) solved 1 of 1")

    opened.reload()
    expect(opened.locator(f"{PUZZLE} .exercise-done")).to_be_visible()
    expect(opened.locator(f"{NUMBERS} .exercise-done")).not_to_be_visible()
    opened.goto(opened.url.replace(PAGE, translation(INDEX)))
    expect(opened.locator(f'[data-progress="{CHAPTER}:puzzle"]')).to_have_text("1 / 1")
    opened.goto(opened.url.replace(translation(INDEX), INDEX))
    cell = opened.locator(f'[data-progress="{CHAPTER}:puzzle"]')
    expect(cell).to_have_text("1 of 1")
    with opened.expect_download() as download:
        opened.locator("[data-export]").click()
    download.value.save_as(tmp_path / "progress.json")
    exported = json.loads((tmp_path / "progress.json").read_text("utf-8"))
    assert exported == {CHAPTER: stored}

    opened.on("dialog", lambda dialog: dialog.accept())
    opened.locator("[data-clear]").click()
    expect(cell).to_have_text("0 of 1")
    assert opened.evaluate("localStorage.getItem('progress')") is None


def test_answers_skips_and_moves_are_distinguished_and_counted(open_page: OpenPage) -> None:
    page = "book/en/04-masked-softmax.html"
    opened = open_page(page)
    translated_page = opened.context.new_page()  # a second tab, open all the while
    translated_page.goto(opened.url.replace(page, translation(page)))
    count, total = (opened.locator(x).count() for x in ("[data-question]", "[data-figure]"))
    figures = opened.locator("[data-figure]:has([data-question])")
    figure = figures.first
    figure.locator("[data-guess]").select_option(index=1)  # wrong, but still an answer
    figure.locator("[data-commit]").click()
    done = f"{STORED}['04-masked-softmax']"
    results = f"Object.entries({done}.question).map(([name, {{ is }}]) => `${{name}} ${{is}}`)"
    assert opened.evaluate(results) == ["sentence wrong"]
    figure.locator("[data-handle] input").first.press("ArrowLeft")
    assert opened.evaluate(results) == ["sentence wrong"]
    assert opened.evaluate(done)["figure"] == ["sentence"]
    figures.nth(1).locator("[data-skip]").click()
    assert opened.evaluate(results) == ["sentence wrong", "wider shown"]
    progress = opened.locator("[data-progress-of]")
    told = f"figures tried 2 of {total}, questions answered 1 of {count} (1 shown)"
    expect(progress).to_contain_text(told)
    for figure in figures.all()[1:]:
        figure.locator('[data-control="reset"]').click()
        guess = figure.locator("[data-guess]")
        if guess.evaluate("node => node.localName") == "select":
            guess.select_option(index=1)
        else:
            guess.fill("1")
        figure.locator("[data-commit]").click()
    told = f"figures tried {count} of {total}, questions answered {count} of {count}"
    expect(progress).to_contain_text(told)
    told_in_chinese = f"试过的图 {count} / {total}，答过的问题 {count} / {count}"
    expect(translated_page.locator("[data-progress-of]")).to_contain_text(told_in_chinese)
    translated_page.close()
    opened.reload()
    expect(progress).to_contain_text(told)
    opened.goto(opened.url.replace(page, INDEX))
    cell = opened.locator('[data-progress="04-masked-softmax:question"]')
    expect(cell).to_have_text(f"{count} of {count}")


@pytest.mark.parametrize(
    ("before", "kept"),
    [(DENIED, False), (FULL, False), (CORRUPT, True)],
    ids=["denied", "full", "corrupt"],
)
def test_without_a_storage_only_progress_is_lost_and_the_page_says_so(
    before: str, kept: bool, open_page: OpenPage
) -> None:
    if before == CORRUPT:
        before += """localStorage.setItem("progress", '{"01-x": [1], "02-y": {"figure": 3');"""
    opened = open_page(PAGE, before=before)
    solve(opened)
    expect(opened.locator(f"{PUZZLE} .exercise-done")).to_be_visible()
    progress = opened.locator("[data-progress-of]")
    expect(progress).to_contain_text("exercises (code) solved 1 of 1")
    said = "It is kept on this device alone" if kept else "This browser does not keep it"
    expect(progress).to_contain_text(said)


def test_without_scripts_and_on_paper_the_questions_stay(open_page: OpenPage) -> None:
    plain = open_page(PAGE, **DEVICES["no script"])
    text = plain.locator(PUZZLE).inner_text()
    assert "distance = (difference**2).sum(dim=-1)" in text
    assert "turn on JavaScript" in text
    assert plain.locator("[data-exercise] :is(input, button)").count() == 0
    printed = open_page(PAGE)
    printed.emulate_media(media="print")
    root = printed.locator(PUZZLE)
    assert "distance = (difference**2).sum(dim=-1)" in root.inner_text()
    assert root.locator(":is(input, button):visible").count() == 0


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_check_of_a_chapter_is_a_puzzle_beside_it(
    page: str, parse_html: Callable[[str], BeautifulSoup]
) -> None:
    parsed = parse_html(page)
    named = set(re.findall(r'check\("([\w-]+)"', parsed.select_one("article").text))
    puzzles = {one["data-exercise"] for one in parsed.select("[data-exercise]")} & set(EXERCISES)
    assert puzzles == named
