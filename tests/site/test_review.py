"""Test the review on the front page: what was missed comes back, days later, on this device."""

import gzip
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from axe import violations
from book_pages import DEVICES, OpenPage, translation
from bs4 import BeautifulSoup
from playwright.sync_api import Locator, Page, expect
from test_storage import DENIED, FULL

from tools import limits

FRONT, CHAPTER = "book/en/index.html", "book/en/04-masked-softmax.html"
SLUG = "04-masked-softmax"
NOW = datetime(2026, 3, 2, 20, 0)
LONG_AGO = 20_000
STORED = "JSON.parse(localStorage.getItem('progress'))"
Families = list[tuple[str, str, str]]


@pytest.fixture
def families(parse_html: Callable[[str], BeautifulSoup]) -> Families:
    """Chapter, key and figure of all families of questions."""
    (placeholder,) = parse_html(FRONT).select("[data-progress-of=book] script")
    return [
        (chapter["slug"], key, figure)
        for chapter in json.loads(placeholder.text)
        for key, figure, _ in chapter["review"]
    ]


def missed(families: Families) -> dict[str, Any]:
    """Return a record in which the figures of all families were answered wrongly."""
    record: dict[str, Any] = {}
    for chapter, _, figure in families:
        questions = record.setdefault(chapter, {"question": {}})["question"]
        questions[figure] = {"is": "wrong", "day": LONG_AGO}
    return record


# What a review takes, and behind it how many questions are due.
TAKES = {
    "en": ("Review 5 questions · about a minute", " ({} are due)"),
    "zh": ("复习 5 道题 · 大约一分钟", "（今天共 {} 道）"),
}


def due(page: Page) -> Locator:
    return page.locator("[data-review-due]")


def at(page: Page, moment: datetime) -> None:
    """Set the reader's clock, and load the page again."""
    page.clock.set_fixed_time(moment)
    page.reload()


def import_record(page: Page, text: str) -> None:
    with page.expect_file_chooser() as chooser:
        page.locator("[data-import]").click()
    content = {"name": "progress.json", "mimeType": "application/json", "buffer": text.encode()}
    chooser.value.set_files(content)


def answer(page: Page, right: bool) -> str:
    """Answer a question of the review rightly, or ask for the answer; return the question."""
    item = page.locator("[data-review-item]")
    text = item.inner_text()
    if right:
        _choose_right(page, item)
        item.locator("[data-check]").click()
    else:
        item.locator("[data-show]").click()
    said = "right" if right else "none"
    expect(item.locator("[data-verdict]")).to_have_attribute("data-verdict", said)
    item.locator("[data-next]").click()
    return text


def _choose_right(page: Page, item: Locator) -> None:
    """Find the right answer in the loaded script, and enter it."""
    text = item.locator(".review-place + p").inner_text()
    variants = page.evaluate("window.reviewVariants")
    plain = (
        variant
        for chapter in variants.values()
        for family in chapter.values()
        for variant in family
        if variant["text"].replace("`", "") == text
        and item.get_by_text(variant["field"]["label"].split("`")[0]).count()
    )
    field = next(plain)["field"]
    match field["kind"]:
        case "number":
            (value,) = (one["value"] for one in field["points"] if one["right"])
            item.locator("[data-choice]").fill(str(value))
        case "choice":
            (place,) = (i for i, one in enumerate(field["options"]) if one["right"])
            item.locator(f'[data-choice="review:{place}"]').check()
        case "place":
            (pattern,) = (one for one in field["patterns"] if one["right"])
            for row, column in enumerate(pattern["places"]):
                item.locator(f'[data-choice="review:{row},{column}"]').check()


def test_a_missed_question_comes_back_as_another_one_until_it_is_known(
    open_page: OpenPage, families: Families
) -> None:
    page = open_page(CHAPTER)
    page.clock.set_fixed_time(NOW)
    keys = {key: figure for chapter, key, figure in families if chapter == SLUG}
    assert len(keys) >= 2
    figures = list(dict.fromkeys(keys.values()))[:2]
    _miss(page, figures)
    assert page.evaluate(STORED)[SLUG]["question"].keys() == {*figures}

    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(page.url.replace(CHAPTER, FRONT))
    expect(due(page)).to_have_text("0")
    expect(page.locator(".review")).to_contain_text("The next one is due tomorrow.")
    at(page, NOW + timedelta(days=1))
    number = sum(figure in figures for figure in keys.values())
    expect(due(page)).to_have_text(str(number))
    assert not [url for url in requests if "review" in url.rpartition("_static/")[2]]
    other = page.context.new_page()  # a second tab, open all the while
    other.clock.set_fixed_time(NOW + timedelta(days=1))
    other.goto(page.url)
    expect(due(other)).to_have_text(str(number))

    page.locator("[data-review-begin]").click()
    expect(page.locator(".review-place")).to_be_focused()
    asked = [answer(page, right=i > 0) for i in range(number)]
    expect(page.locator("[data-review-result]")).to_contain_text(f"You knew {number - 1} of")
    expect(due(page)).to_have_text("0")
    expect(due(other)).to_have_text("0")
    other.close()
    at(page, NOW + timedelta(days=2))
    expect(due(page)).to_have_text("1")
    page.locator("[data-review-begin]").click()
    assert answer(page, right=False).partition("\n")[2] != asked[0].partition("\n")[2]
    _follow(page, page.locator("[data-review-result] a"), figures)
    page.go_back()
    expect(page.locator("[data-review-result] li")).to_have_count(1)
    at(page, NOW - timedelta(days=200))  # the clock is set back: nothing waits for ever
    expect(due(page)).to_have_text(str(number))


def _follow(page: Page, link: Locator, figures: list[str]) -> None:
    """Follow a link of the review to its figure."""
    link.click()
    page.wait_for_url("**/04-masked-softmax.html?review#figure-*")
    name = page.url.partition("#figure-")[2]
    assert name in figures
    expect(page.locator(f'[data-figure="{name}"]')).to_be_in_viewport()
    expect(page.locator(".review-back")).to_be_in_viewport(ratio=1)


def test_a_review_goes_on_after_a_look_at_the_figure(
    open_page: OpenPage, families: Families
) -> None:
    own = [one for one in families if one[0] == SLUG]
    asked = own[:5]
    page = open_page(FRONT, viewport={"width": 390, "height": 844})
    assert page.locator(".review-notice a").count() == 0
    import_record(page, json.dumps(missed(asked)))
    notice = page.locator(".review-notice a")
    assert len(asked) == 5
    expect(notice).to_have_text(TAKES["en"][0])
    notice.click()
    item = page.locator("[data-review-item]")
    expect(item.locator(".review-place")).to_be_focused()
    expect(item.locator("[data-check]")).to_be_in_viewport(ratio=1)
    answer(page, right=False)
    page.evaluate("scrollTo(0, 0)")
    notice.click()  # the review has begun
    expect(item.locator(".review-place")).to_be_focused()
    expect(item.locator(".review-place")).to_contain_text("2 of 5")
    item.locator("[data-show]").click()
    shown = item.inner_text()
    _follow(page, item.locator("a"), [figure for *_, figure in own])
    page.locator(".review-back").click()
    expect(item).to_have_text(shown, use_inner_text=True)
    expect(item.locator(".review-place")).to_be_in_viewport()
    page.go_back()
    page.go_back()
    expect(item).to_have_text(shown, use_inner_text=True)
    page.reload()
    expect(item).to_have_text(shown, use_inner_text=True)
    expect(due(page)).to_have_text(str(len(asked) - 2))
    item.locator("[data-next]").click()
    for _ in asked[2:]:
        answer(page, right=True)
    result = page.locator("[data-review-result]")
    expect(result).to_contain_text(f"You knew {len(asked) - 2} of {len(asked)}")
    first, second = result.locator("a").all_inner_texts()
    assert first != second
    assert notice.count() == 0
    _follow(page, result.locator("a").first, [figure for *_, figure in own])
    page.locator(".review-back").click()
    expect(result).to_be_in_viewport()
    page.goto(re.split("[?#]", page.url)[0].replace(FRONT, CHAPTER))
    assert page.locator(".review-back").count() == 0
    page.goto(page.url.replace(CHAPTER, FRONT))  # it is finished
    expect(due(page)).to_have_text("0")
    assert result.count() == 0


def test_the_own_question_of_a_figure_without_a_family_is_asked_again(
    open_page: OpenPage, families: Families, parse_html: Callable[[str], BeautifulSoup]
) -> None:
    figure = "pipeline"
    assert figure not in {figure for chapter, _, figure in families if chapter == SLUG}
    (stored,) = parse_html(CHAPTER).select(f'[data-figure="{figure}"] [data-ask]')
    asked = json.loads(stored.text)
    page = open_page(FRONT, from_disk=True)
    import_record(page, json.dumps(missed([(SLUG, "", figure)])))
    expect(due(page)).to_have_text("1")
    page.locator("[data-review-begin]").click()
    item = page.locator("[data-review-item]")
    expect(item.locator("legend")).to_contain_text(asked["text"].partition("*")[0])
    _follow(page, item.locator("a"), [figure])
    expect(page.locator(f'[data-figure="{figure}"] [data-commit]')).to_be_visible()
    page.locator(".review-back").click()
    wrong = (asked["answer"] + 1) % len(asked["options"])
    item.locator(f'[data-choice="review:{wrong}"]').check()
    item.locator("[data-check]").click()
    answer = asked["options"][asked["answer"]].replace("`", "")
    expect(item.locator("[data-verdict]")).to_contain_text(f"The answer is {answer}")
    expect(item.locator("[data-verdict] em").first).to_be_visible()
    expect(due(page)).to_have_text("0")
    assert page.evaluate(STORED)[SLUG]["reviews"].keys() == {f"own_{figure}"}


@pytest.mark.parametrize("name", [FRONT, translation(FRONT)])
def test_every_question_fits_a_phone(name: str, open_page: OpenPage, families: Families) -> None:
    store = f"localStorage.setItem('progress', JSON.stringify({json.dumps(missed(families))}))"
    page = open_page(name, **{**DEVICES["phone"], "before": store})
    page.locator("[data-review-begin]").click()
    expect(page.locator("[data-review-item]")).to_be_visible()
    found = page.evaluate("""() => {
      const root = document.querySelector("[data-review-item]").parentElement;
      const lang = document.documentElement.lang.slice(0, 2);
      const ask = (variant, _, variants) => {
        const isOwn = variants.length === 1;
        const item = {variant, title: "A chapter", section: "", href: "", isOwn};
        const begun = {given: [], place: 0};
        window.beginReview(root, {items: [item], lang, begun, focuses: false});
        const {width, height} = root.firstElementChild.getBoundingClientRect();
        const over = root.firstElementChild.scrollWidth - width;
        return {height, over, text: `${variant.text} ${variant.field.label}`};
      };
      return Object.values(window.reviewVariants)
        .flatMap(Object.values)
        .flatMap((variants) => variants.map(ask));
    }""")
    assert len(found) > 300
    assert [one for one in found if one["height"] > 664 or one["over"] > 1] == []


def _miss(page: Page, figures: list[str]) -> None:
    """Guess wrongly in the first figure, and ask the other for its answer."""
    first, second = (page.locator(f'[data-figure="{name}"]') for name in figures)
    first.scroll_into_view_if_needed()
    guess = first.locator("[data-guess]")
    asked = json.loads(_ask_record(page, figures[0]))
    guess.select_option(str(next(i for i in range(9) if i != asked["answer"])))
    first.locator("[data-commit]").click()
    second.scroll_into_view_if_needed()
    second.locator("[data-skip]").click()


def _ask_record(page: Page, figure: str) -> str:
    """Return the stored question of a figure, which is removed once it is live."""
    source = page.request.get(page.url).text()
    found = re.search(rf'data-figure="{figure}".*?data-ask>([^<]*)', source, re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_five_are_asked_with_the_keyboard_on_a_phone_and_axe_finds_nothing(
    lang: str, open_page: OpenPage, families: Families
) -> None:
    store = f"localStorage.setItem('progress', JSON.stringify({json.dumps(missed(families))}))"
    name = FRONT if lang == "en" else translation(FRONT)
    page = open_page(name, **{**DEVICES["phone"], "before": store})
    expect(due(page)).to_have_text(str(len(families)))
    takes, of_due = TAKES[lang]
    expect(page.locator("[data-review-begin]")).to_have_text(takes)
    notice = page.locator(".review-notice a")
    expect(notice).to_have_text(takes + of_due.format(len(families)))
    page.locator("[data-review-begin]").press("Enter")
    number = min(5, len(families))
    for i in range(number):
        item = page.locator("[data-review-item]")
        expect(item).to_have_count(1)
        expect(page.locator(".review-place")).to_be_focused()
        box = item.bounding_box()
        assert box
        assert box["height"] <= 664, item.inner_text()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.choice") is not None
        item.locator("[data-check]").press("Enter")  # nothing chosen
        expect(item.locator('[data-verdict="none"]')).not_to_be_empty()
        item.locator("[data-show]").press("Enter")
        expect(item.locator(".review-verdict")).to_be_focused()
        after = item.bounding_box()
        assert after
        assert after["height"] == box["height"]  # the verdict moves nothing
        assert item.locator("[data-verdict]").inner_text()[:5] in ("The a", "正确答案是")
        if i == 0:
            assert violations(page) == [[]]
        page.keyboard.press("Tab")
        expect(item.locator("[data-next]")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("[data-review-result] li")).to_have_count(number)
    assert not re.search(r"[*`]", page.locator("[data-review-result]").inner_text())
    table = page.locator(".progress-scroll")
    assert table.evaluate("(table) => table.scrollWidth <= table.clientWidth")
    expect(due(page)).to_have_text(str(len(families) - number))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("before", [DENIED, FULL], ids=["denied", "full"])
def test_without_a_storage_a_review_works_and_says_that_nothing_is_kept(
    before: str, open_page: OpenPage, families: Families
) -> None:
    page = open_page(FRONT, from_disk=True, before=before)
    expect(due(page)).to_have_text("0")
    import_record(page, json.dumps(missed(families)))
    expect(due(page)).to_have_text(str(len(families)))
    expect(page.locator(".review")).to_contain_text("This browser keeps nothing")
    page.locator("[data-review-begin]").click()
    answer(page, right=True)
    expect(due(page)).to_have_text(str(len(families) - 1))


def test_an_import_is_merged_or_refused_and_keeps_what_this_book_does_not_know(
    open_page: OpenPage, families: Families, tmp_path: Path
) -> None:
    page = open_page(FRONT)
    status = page.locator("[data-progress-of] [role=status]").last
    for damaged in ('{"04-masked-softmax": {"question": {"wid', '{"a": 1}', "", '{"04-x": 3}'):
        import_record(page, damaged)
        expect(status).to_have_text(re.compile("it is damaged. Nothing has changed"))
    assert page.evaluate("localStorage.getItem('progress')") is None
    many = {
        f"{i}-chapter": {"figure": [f"f{i}-{'x' * 70}" for i in range(200)]} for i in range(10, 30)
    }
    import_record(page, json.dumps(many))
    expect(status).to_have_text(re.compile("more than one reader’s progress"))
    # from a later edition, with another chapter and another family
    later = {"box": 2, "due": LONG_AGO, "last": 7}
    unknown = {"17-agents": {"figure": ["tools"], "reviews": {"calls": later}}}
    record = missed(families) | unknown
    record[SLUG]["reviews"] = {"not-here-yet": later}
    record[SLUG]["exercise"] = {"masked-by-hand": {"is": "right", "day": LONG_AGO}}
    import_record(page, json.dumps(record))
    expect(status).to_have_text("The progress is added to what is here.")
    expect(due(page)).to_have_text(str(len(families)))
    expect(page.locator(f'[data-progress="{SLUG}:exercise"]')).to_have_text(re.compile("^1 of"))
    older = {SLUG: {"figure": ["sentence"]}}  # of an edition with one chapter, without reviews
    import_record(page, json.dumps(older))
    with page.expect_download() as download:
        page.locator("[data-export]").click()
    download.value.save_as(tmp_path / "progress.json")
    exported = json.loads((tmp_path / "progress.json").read_text("utf-8"))
    record[SLUG]["figure"] = ["sentence"]
    assert exported == record
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("[data-clear]").click()
    expect(due(page)).to_have_text("0")
    expect(page.locator(".review")).to_contain_text("Answer the questions of the figures")


def test_questions_that_do_not_load_are_reported_and_can_be_tried_again(
    open_page: OpenPage, families: Families
) -> None:
    page = open_page(FRONT, from_disk=True)
    import_record(page, json.dumps(missed(families)))
    source = page.locator("[data-progress-of]").get_attribute("data-scripts")
    assert source
    page.evaluate("""() => {
      window.append = HTMLHeadElement.prototype.append;
      document.head.append = (script) => script.dispatchEvent(new Event("error"));
    }""")
    page.locator("[data-review-begin]").click()
    expect(page.locator(".review [role=status]").last).to_contain_text("did not load")
    page.evaluate("delete document.head.append")
    page.locator("[data-review-begin]").click()
    expect(page.locator("[data-review-item]")).to_be_visible()


def test_a_page_that_does_not_review_loads_little_for_it(site: Path, families: Families) -> None:
    parts = (site / "_static/front.js").read_bytes(), json.dumps(families).encode()
    assert sum(len(gzip.compress(part)) for part in parts) <= 1000 * limits.FRONT


def test_a_page_of_a_chapter_shows_and_holds_no_question_for_review(
    parse_html: Callable[[str], BeautifulSoup], site: Path
) -> None:
    for page in (CHAPTER, translation(CHAPTER)):
        html = parse_html(page)
        assert html.select("[data-figure]")
        assert "review" not in str(html.select_one("article"))
    for lang in ("en", "zh"):
        stored = (site / f"_static/review/{lang}.js").read_text("utf-8")
        assert stored.startswith("window.reviewVariants = {")
