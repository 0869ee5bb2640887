"""Test "Where do I stand?": no verdict before the end, two results, and every miss with a link."""

import json
from pathlib import Path
from typing import Any

import pytest
from axe import violations
from book_pages import DESK, DEVICES, PHONE, OpenPage
from bs4 import BeautifulSoup
from playwright.sync_api import Page, expect
from test_storage import DENIED, FULL

from attention_course.stand.items import items

ITEMS = items()
RIGHT = [one.right for one in ITEMS]
PAGE = "book/en/stand.html"
CHINESE = "book/zh/stand.html"
ANSWERS_AT = "01-queries-keys-values.html#en-qkv-pooling"
DAMAGED = [
    '{"before": {"date": "yesterday", "answers": {}}, "draft": [1]}',
    '{"after": {"date": "2026-01-05", "answers": {"three-keys": 7, "__proto__": 1}}, "x": 1',
    '[null, {"before": 3}]',
]


def answer(page: Page, chosen: list[int | None]) -> None:
    """Choose an option of each item, which may stand anywhere on the page."""
    for one, option in zip(ITEMS, chosen, strict=True):
        if option is not None:
            item = page.locator(f"[data-item={one.key}]")
            item.locator(f"[data-choice='{one.key}:{option}']").check()


def order(page: Page) -> list[str]:
    """Return the items and their options in the order in which the page shows them."""
    choices: list[str] = page.locator(".stand-item input").evaluate_all(
        "inputs => inputs.map((one) => one.dataset.choice)"
    )
    return choices


def wrong(i: int) -> int:
    return (RIGHT[i] + 1) % len(ITEMS[i].options)


def test_before_and_after_the_course(open_page: OpenPage, site: Path, tmp_path: Path) -> None:
    page = open_page(PAGE, **DEVICES[DESK])
    page.clock.set_fixed_time("2026-01-05T12:00:00")
    expect(page.locator(".stand-item")).to_have_count(len(ITEMS))
    plain = order(page)
    chosen: list[int | None] = [0, None, *RIGHT[2:]]
    answer(page, chosen)
    assert not any(
        option.said.en in page.locator("article").inner_text() for option in ITEMS[0].options
    )

    page.reload()  # the answers are still there
    expect(page.locator("form [role=status]")).to_contain_text("19 of 20 answered.")
    chosen = page.locator(".answer-option:has(:checked)").first
    expect(chosen).to_have_css("border-start-start-radius", "0px")  # a bar, not a bracket
    page.locator("[data-finish]").click()
    expect(page.locator("form [role=status] a")).to_have_text("2")
    page.locator(".stand-item").nth(1).locator("input").last.check()  # I do not know
    page.locator("[data-finish]").click()

    expect(page.locator("#stand-result")).to_be_focused()
    score = page.locator('[data-score="before"]')
    expect(score).to_have_text(
        "Before the course, 5 January 2026: 18 of 20 right. 1 not known or left out."
    )
    first = page.locator(".stand-judged").first
    expect(first).to_contain_text(f"You said: {ITEMS[0].options[0].text.en}. It is not right.")
    expect(first.locator("a")).to_have_attribute("href", ANSWERS_AT)
    _check_that_answers_are_hidden(page, tmp_path)
    page.locator("[data-answers]").click()
    expect(page.get_by_role("heading", name="Question by question")).to_be_focused()
    expect(page.locator("[data-answers]")).to_have_count(0)
    expect(first).to_contain_text(ITEMS[0].options[0].said.en)
    expect(first).to_contain_text("Source: common misreadings, “The values are the weights”")
    unknown = page.locator(".stand-judged").nth(1)
    expect(unknown).to_contain_text("You said that you do not know.")
    reading = page.locator(".stand-reading a:not([href^='#'])")
    assert [lead.get_attribute("href") for lead in reading.all()] == [
        ANSWERS_AT,
        "04-masked-softmax.html#en-wrong-masks",
    ]

    page.clock.set_fixed_time("2026-03-05T12:00:00")
    page.locator("[data-again]").click()
    expect(page.locator("[data-choice='time:after']")).to_be_checked()
    shuffled = order(page)
    _check_the_order(plain, shuffled)
    answer(page, [*RIGHT[:19], wrong(19)])
    page.reload()
    expect(page.locator("form [role=status]")).to_contain_text("20 of 20 answered.")
    assert order(page) == shuffled
    page.locator("[data-finish]").click()
    expect(page.locator('[data-score="after"]')).to_contain_text("5 March 2026: 19 of 20 right.")
    expect(page.locator('[data-change="learnt"] a')).to_have_text(["1", "2"])
    expect(page.locator('[data-change="lost"] a')).to_have_text(["20"])
    last = page.locator(".stand-judged").last  # a result has the order of the book
    expect(last).to_contain_text(ITEMS[19].options[RIGHT[19]].said.en.replace("`", ""))
    assert violations(page) == [[]]
    _check_exports(page, tmp_path)
    _check_print(page)
    _check_two_tabs(page)


def _check_that_answers_are_hidden(page: Page, folder: Path) -> None:
    said = page.locator(".stand-judgement").inner_text()
    with page.expect_download() as download:
        page.locator("[data-export=text]").click()
    download.value.save_as(folder / "hidden")
    for text in (said, (folder / "hidden").read_text("utf-8")):
        assert text.count("More in chapter") == 2
        assert "The answer:" not in text
        for one in ITEMS[:2]:
            assert not any(option.said.en.replace("`", "") in text for option in one.options)


def _check_the_order(plain: list[str], shuffled: list[str]) -> None:
    assert sorted(shuffled) == sorted(plain)
    keys = [list(dict.fromkeys(c.partition(":")[0] for c in one)) for one in (plain, shuffled)]
    assert keys[0] == [one.key for one in ITEMS] != keys[1]
    moved = 0
    for one in ITEMS:
        options = [c for c in shuffled if c.startswith(f"{one.key}:")]
        assert options[-1] == f"{one.key}:-1"  # I do not know
        moved += options != sorted(options[:-1]) + options[-1:]
    assert moved > len(ITEMS) // 2


def _check_exports(page: Page, folder: Path) -> None:
    for kind in ("text", "json"):
        with page.expect_download() as download:
            page.locator(f"[data-export={kind}]").click()
        download.value.save_as(folder / kind)
    text = (folder / "text").read_text("utf-8")
    assert "19 of 20 right." in text
    assert "More in chapter 13, “Drawing the next word”." in text
    assert "**" not in text
    results = json.loads((folder / "json").read_text("utf-8"))["results"]
    assert [(one["time"], one["right"], one["of"]) for one in results] == [
        ("before", 18, 20),
        ("after", 19, 20),
    ]
    outcomes = [one["outcome"] for one in results[0]["items"]]
    assert outcomes == ["wrong", "unknown"] + ["right"] * 18


def _check_print(page: Page) -> None:
    page.emulate_media(media="print")
    for button in page.locator(".attention-stand button").all():
        expect(button).to_be_hidden()
    expect(page.locator(".stand-judged").last).to_be_visible()
    page.emulate_media(media="screen")


def _check_two_tabs(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    other.on("dialog", lambda dialog: dialog.accept())
    other.locator("[data-clear]").click()
    expect(page.locator(".stand-item")).to_have_count(len(ITEMS))
    assert other.evaluate("localStorage.getItem('stand')") is None
    expect(other.locator(".attention-stand")).to_contain_text("Your answers are deleted.")


@pytest.mark.parametrize("storage", ["denied", "full", *DAMAGED])
def test_any_storage(storage: str, open_page: OpenPage) -> None:
    scripts = {"denied": DENIED, "full": FULL}
    damage = f"localStorage.setItem('stand', {json.dumps(storage)});"
    options: dict[str, Any] = {**DEVICES[PHONE], "before": scripts.get(storage, damage)}
    page = open_page(CHINESE, **options)
    answer(page, [*RIGHT])
    page.locator("[data-finish]").click()
    expect(page.locator('[data-score="before"]')).to_contain_text("20 题中答对 20 题。")
    expect(page.locator(".attention-stand")).to_contain_text("全部答对")
    kept = "不保存作答" if storage in scripts else "只保存在这台设备上"
    expect(page.locator(".progress-kept")).to_contain_text(kept)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(page) == [[]]


def test_an_answer_is_quoted_in_chinese(open_page: OpenPage) -> None:
    page = open_page(CHINESE)
    page.locator(f"[data-choice='{ITEMS[0].key}:-1']").check()
    answer(page, [None, RIGHT[1], *[None] * 18])
    page.locator("[data-finish]").click()
    page.locator("[data-finish]").click()  # the first time it names what is open
    unknown, right = page.locator(".stand-judged").all()[:2]
    expect(unknown.locator(".stand-said")).to_have_text("你选的是“不知道”。")
    expect(right).to_contain_text(f"你选的是“{ITEMS[1].options[RIGHT[1]].text.zh}”。")


@pytest.mark.parametrize("name", [PAGE, CHINESE])
def test_without_a_script_the_items_are_there_to_read(name: str, site: Path) -> None:
    html = BeautifulSoup((site / name).read_text("utf-8"), "html.parser")
    stand = html.select_one("[data-stand]")
    assert stand
    assert len(stand.select("ol[type=A]")) == len(ITEMS)
    links = stand.select("details a")
    assert len(links) == sum(len(one.options) for one in ITEMS)
    for link in links:
        page, _, anchor = str(link["href"]).partition("#")
        assert f'id="{anchor}"' in (site / name).with_name(page).read_text("utf-8")
        assert link.text.strip()
        assert ".ipynb" not in link.text


def test_a_page_without_it_does_not_load_it(open_page: OpenPage, site: Path) -> None:
    assert "stand.js" in (site / PAGE).read_text("utf-8")
    assert "stand.js" not in (site / "book/en/index.html").read_text("utf-8")
