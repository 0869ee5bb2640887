"""Test a lecture with a lecturer and three phones in Chromium, in both languages."""

import csv
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from lecture import Lecture, lecture
from playwright.sync_api import Browser, expect
from room_pages import Screens, begin, counts, guess, is_in, screens, show, verdict

from tests.axe import violations

MASKS, TOWNS, SCALED, STAND = (
    f"book/{name}.html"
    for name in (
        *("en/04-masked-softmax", "en/01-queries-keys-values", "zh/06-scaled-dot-product"),
        "zh/stand",
    )
)
# From now on, what a phone sends is lost.
LOSE = "WebSocket.prototype.send = () => {}"
# The colours of a bar and of the page behind it.
BAR = """() => {
  const bar = document.querySelector(".room-bar:not([data-count='0']) > i");
  const panel = bar.closest(".room-panel");
  return [getComputedStyle(bar).backgroundColor, getComputedStyle(panel).backgroundColor]; }"""


@pytest.fixture(scope="module")
def running_book(site: Path) -> Iterator[Lecture]:
    with lecture(site) as running:
        yield running


@pytest.fixture
def class_room(running_book: Lecture, browser: Browser) -> Iterator[Screens]:
    """Open pages of a lecture in which nothing has been asked."""
    with screens(browser, running_book) as opened:
        yield opened
    running_book.leave()


def test_a_question_goes_from_its_opening_to_the_own_verdict_of_each_phone(
    class_room: Screens,
) -> None:
    lecturer = class_room.lecturer(MASKS)
    join = lecturer.locator(".room-join")  # on the first screen
    expect(join).to_contain_text(class_room.lecture.room.removeprefix("http://"))
    expect(join.locator("img")).to_have_js_property("complete", True)
    expect(join.locator("[data-room-joined]")).to_contain_text("joined: 0")
    phones = [class_room.phone(language) for language in ("en", "zh", "zh")]
    expect(join.locator("[data-room-joined]")).to_contain_text("joined: 3")
    figure = show(lecturer, "sentence")
    count = lecturer.locator("[data-room-count]")

    lecturer.keyboard.press("v")
    for phone in phones:
        is_in(phone, "open")
        own = phone.locator("[data-figure=sentence]")
        expect(own).to_have_attribute("data-hidden", "")
        assert own.evaluate("(figure) => figure.inert")
        assert phone.locator("[data-figure]:visible").count() == 1
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    expect(phones[1].locator(".room-question")).to_contain_text("填充")
    phones[1].emulate_media(color_scheme="dark")
    phones[1].reload()
    is_in(phones[1], "open")
    assert violations(phones[1]) == [[]]
    expect(count).to_contain_text("0 of 3")
    guess(phones[0], 0)
    guess(phones[1], 1)
    expect(count).to_contain_text("2 of 3")
    assert lecturer.locator(".room-bar").count() == 0
    expect(lecturer.locator("[data-room-asks]")).to_have_text(
        "How much of the weight goes to padding?"
    )

    # On other screens, V and R say where the vote is, and a button leads there.
    number = lecturer.locator(".lecture-count").inner_text().split()[0]
    there, said_so = lecturer.locator("[data-room=go]"), lecturer.locator(".room-message")
    lecturer.keyboard.press("PageDown")
    expect(lecturer.locator(".room-panel")).to_have_count(0)
    expect(there).to_have_text(f"Vote open on screen {number}: 2 of 3")
    for key in ("v", "r"):
        lecturer.keyboard.press(key)
        expect(said_so).to_contain_text(f"The open vote belongs to screen {number}")
        lecturer.keyboard.press("PageDown")
        expect(said_so).to_have_count(0)
    lecturer.keyboard.press("Home")
    expect(join.locator("img")).to_be_visible()
    there.click()
    expect(count).to_contain_text("2 of 3")
    expect(there).to_have_count(0)
    assert lecturer.locator(".lecture-count").inner_text().split()[0] == number
    guess(phones[1], 0)  # a guess can be changed
    guess(phones[2], 1)
    expect(count).to_contain_text("3 of 3")

    lecturer.keyboard.press("r")  # the answer must wait for the vote
    expect(lecturer.locator(".room-message")).to_be_visible()
    lecturer.keyboard.press("v")
    assert counts(lecturer, 3) == [2, 1, 0]
    full, *_ = lecturer.locator(".room-bar > i").evaluate_all(
        "(all) => all.map((i) => i.style.width)"
    )
    assert full.startswith("66.6")  # a whole bar is all of the room
    expect(lecturer.locator("[data-room-says]")).to_have_count(0)
    lecturer.locator("[data-room=meanings]").click()
    expect(lecturer.locator("[data-room-says]").first).to_contain_text("nothing is masked")
    for phone in phones:
        is_in(phone, "closed")
        assert phone.locator("[data-verdict]:visible").count() == 0
    expect(figure).to_have_attribute("data-hidden", "")

    lecturer.keyboard.press("v")
    for phone in phones:
        is_in(phone, "open", round_=2)
    guess(phones[0], 2)
    guess(phones[1], 2)
    guess(phones[2], 1)
    expect(count).to_contain_text("3 of 3")
    phones[2].evaluate(LOSE)
    phones[2].locator("[data-room-guess='0']").check()
    expect(phones[2].locator("[data-room-status]")).to_contain_text("正在提交")
    lecturer.keyboard.press("v")
    assert counts(lecturer, 6) == [2, 0, 1, 1, 0, 2]  # both votes, option by option
    expect(phones[2].locator("[data-room-late]")).to_contain_text("计入统计的是之前的答案")
    expect(is_in(phones[1], "closed", round_=2)).to_contain_text("投票已结束。你的答案")
    lecturer.keyboard.press("v")  # which must throw nothing away
    expect(said_so).to_have_text("Both votes are closed. R reveals the answer.")
    assert counts(lecturer, 6) == [2, 0, 1, 1, 0, 2]
    lecturer.emulate_media(forced_colors="active")
    bar, ground = lecturer.evaluate(BAR)
    assert bar != ground
    lecturer.emulate_media(forced_colors="none")

    lecturer.keyboard.press("r")
    expect(lecturer.locator("[data-room-right]")).to_contain_text("0% → 67%")
    expect(lecturer.locator("[data-answer]")).to_contain_text("more than 2/7")
    assert counts(lecturer, 6) == [2, 0, 1, 1, 0, 2]
    lecturer.keyboard.press("v")
    expect(said_so).to_contain_text("The answer is shown.")
    lecturer.locator("[data-room=anew]").click()
    expect(lecturer.locator("[data-room=anew-start]")).to_be_visible()
    lecturer.locator("[data-room=anew-cancel]").click()
    assert counts(lecturer, 6) == [2, 0, 1, 1, 0, 2]
    expect(figure).not_to_have_attribute("data-hidden", "")
    said = [verdict(phone) for phone in phones]
    assert said[0].startswith("You said more than 2/7. You are right.")
    assert said[1].startswith("你猜的是“超过 1/7”。")
    assert said[2].startswith("你猜的是“一点也没有”。")
    expect(phones[2].locator("[data-room-late]")).to_contain_text("计入统计的是之前的答案")
    assert phones[0].locator("[data-room-late]").count() == 0
    slider = phones[0].locator("[data-figure=sentence] [role=slider]").first
    assert violations(phones[0], lecturer) == [[], []]
    before = phones[0].locator("[data-sentence]:visible").inner_text()
    slider.press("ArrowLeft")  # now the figure may be moved
    expect(phones[0].locator("[data-sentence]:visible")).not_to_have_text(before)

    lecturer.locator("[data-room=anew]").click()
    lecturer.locator("[data-room=anew-start]").click()
    expect(count).to_contain_text("0 of 3")
    is_in(phones[0], "open")
    lecturer.keyboard.press("v")
    is_in(phones[0], "closed")
    lecturer.keyboard.press("r")
    said[2] = verdict(phones[2])
    lecturer.locator("[data-room=end]").click()
    expect(lecturer.locator(".room-panel")).to_have_count(0)
    assert phones[2].locator("[data-verdict]:visible").inner_text() == said[2]


def test_numbers_places_observations_and_hands_are_counted_and_stored_in_one_file(
    class_room: Screens,
) -> None:
    lecturer = class_room.lecturer(SCALED)
    phones = [class_room.phone(language) for language in ("en", "zh", "en")]
    count = lecturer.locator("[data-room-count]")

    show(lecturer, "dinner")
    with lecturer.expect_popup() as popup:
        lecturer.keyboard.press("s")
    vote = popup.value.locator("[data-part=vote]")
    expect(vote).to_be_empty()
    lecturer.keyboard.press("v")
    expect(vote).to_have_text("正在投票：0 / 3")
    for phone, keys in zip(phones, (["Home"], ["End"], ["Home", "ArrowRight"]), strict=True):
        expect(phone.locator("[data-room-guess]")).to_have_value("0")  # never right: question.py
        for key in keys:
            phone.locator("[data-room-guess]").press(key)
    expect(count).to_contain_text("3 / 3")
    lecturer.locator(".room-hands summary").click()
    lecturer.locator("[data-room-hands]").fill("66：5、33: 2")
    lecturer.locator("[data-room=hands]").click()
    lecturer.keyboard.press("Tab")
    lecturer.locator("[data-room=close]").click()
    expect(count).to_contain_text("10")
    expect(vote).to_have_text("投票已结束：3 / 3，按 R 公布答案。")
    assert counts(lecturer, 10) == [2, 0, 0, 2, 0, 0, 5, 0, 0, 1]  # a histogram
    lecturer.locator("[data-room=reveal]").click()
    expect(lecturer.locator("[data-answer]")).to_contain_text("0% – 10%")
    expect(vote).to_have_text("答案已公布。")
    popup.value.close()
    expect(lecturer.locator("[data-room-says]")).to_have_count(2)  # on 33% and on 66%
    assert "100%" in verdict(phones[1])

    class_room.enter(lecturer, TOWNS)  # another page, which the phones follow
    show(lecturer, "mia")
    expect(lecturer.locator("[data-room=go]")).to_have_text("Vote on another page")
    lecturer.keyboard.press("v")
    is_in(phones[1], "open")
    place = phones[1].locator("[data-room-covered] [data-place='2']").first
    box = place.bounding_box()
    assert box
    phones[1].touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(phones[1].locator("[data-room-guess='2']")).to_be_checked()
    expect(count).to_contain_text("1 of 3")
    lecturer.keyboard.press("v")
    assert counts(lecturer, 4) == [0, 0, 0, 1]  # the key is the last word in English
    lecturer.keyboard.press("r")
    assert "You said" not in verdict(phones[0])  # it has not guessed

    show(lecturer, "temperature")
    lecturer.keyboard.press("v")
    is_in(phones[0], "open")
    lecturer.keyboard.press("v")
    lecturer.locator("[data-room=reveal]").click()
    lecturer.locator("[data-room=ask-seen]").click()
    expect(is_in(phones[0], "open").locator("h2")).to_have_text("What did you see?")
    asked = phones[0].locator("[data-figure=temperature]")
    before = asked.locator("[data-sentence]:visible").inner_text()
    asked.locator("[data-control=temperature]").first.press("ArrowRight")  # to see it
    expect(asked.locator("[data-sentence]:visible")).not_to_have_text(before)
    assert asked.locator("[data-observation]:visible").count() == 0
    guess(phones[0], 2)
    guess(phones[2], 0)
    is_in(phones[1], "open")
    phones[1].evaluate(LOSE)
    phones[1].locator("[data-room-guess='1']").check()
    lecturer.keyboard.press("v")
    assert counts(lecturer, 3) == [1, 0, 1]
    expect(phones[1].locator("[data-room-late]")).to_contain_text("没有计入统计")
    asked.locator("[data-control=temperature]").first.press("ArrowLeft")
    phones[1].reload()
    expect(phones[1].locator("[data-room-late]")).to_contain_text("没有计入统计")
    lecturer.keyboard.press("r")
    expect(lecturer.locator(".room-panel")).to_contain_text("The answer is smaller than before")
    assert "You are right" in verdict(phones[0])
    assert "when the temperature falls" in verdict(phones[2])

    class_room.enter(lecturer, STAND)
    item = lecturer.locator("[data-item=one-value-grows]")
    place = int((item.get_attribute("id") or "").removeprefix("stand-")) + 2  # after two screens
    lecturer.keyboard.press("g")
    listed = lecturer.locator(f"[data-screen-number='{place}']")
    expect(listed).to_have_text(re.compile(rf"^{place - 2}\."))
    listed.click()
    expect(lecturer.locator(".lecture-count")).to_have_text(f"{place} / 23")
    expect(item).to_be_visible()
    assert lecturer.locator("[data-item]:visible").count() == 1
    lecturer.keyboard.press("v")
    question = is_in(phones[0], "open").locator(".room-question")
    expect(question).to_contain_text("A query reads three keys")
    phones[0].keyboard.press("Tab")  # from the heading to the options
    phones[0].keyboard.press("Space")
    guess(phones[1], 2)
    expect(count).to_contain_text("2 / 3")
    lecturer.keyboard.press("v")
    assert counts(lecturer, 5) == [1, 0, 1, 0, 0]  # four options, and "I do not know"
    lecturer.locator("[data-room=meanings]").click()
    expect(lecturer.locator("[data-room-says]")).to_contain_text("把值当成了权重")
    for phone in phones:
        is_in(phone, "closed")
        assert phone.locator("[data-told], [data-item]:visible").count() == 0
    lecturer.keyboard.press("v")
    for phone, option in zip(phones, (4, 2, 0), strict=True):
        is_in(phone, "open", round_=2)
        guess(phone, option)
    lecturer.keyboard.press("v")
    assert counts(lecturer, 10) == [1, 1, 0, 0, 1, 1, 0, 0, 0, 1]
    assert item.locator("[data-told]").count() == 0
    lecturer.keyboard.press("r")
    expect(item.locator("[data-told]")).to_contain_text("正确答案是")
    expect(lecturer.locator("[data-room-right]")).to_contain_text("50% → 33%")
    assert verdict(phones[0]).startswith("You said that you do not know.")
    assert verdict(phones[1]).startswith("你选的是")
    assert "Source: common misreadings" in verdict(phones[2])
    of_phone, of_lecturer = violations(phones[2], lecturer)
    assert of_phone == []
    assert [rule for rule, *_ in of_lecturer] == ["page-has-heading-one"]  # it shows one section

    lecturer.keyboard.press("q")
    with lecturer.expect_download() as download:
        lecturer.locator("[data-room=csv]").click()
    text = download.value.path().read_text("utf-8-sig")
    rows = list(csv.reader(text.splitlines()))
    assert rows[0][:4] == ["question", "option", "round", "count"]
    assert [row[1:5] + row[6:] for row in rows[1:6]] == [  # phones, hands, right
        *(["0", "1", "1", "1", "1", "0", "0"], ["1", "1", "1", "1", "1", "0", "0"]),
        *(["33", "1", "2", "1", "0", "2", "0"], ["66", "1", "5", "1", "0", "5", "0"]),
        ["100", "1", "1", "1", "1", "0", "0"],
    ]
    seen = [row for row in rows if row[0].startswith("01-queries-keys-values#temperature (obs")]
    assert (seen[-1][1:4], seen[-1][8]) == (["smaller than before", "1", "1"], "1")
    assert rows[-1][0].startswith("stand#one-value-grows (item): 一个查询读取三个键")
    assert (rows[-1][1:4], rows[-1][8]) == (["不知道", "2", "1"], "0")
    assert rows[-1][5] >= rows[1][5] > "2026"  # when they were closed


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_reloads_lost_networks_and_a_restart_lose_nothing(site: Path, browser: Browser) -> None:
    ports = [f"--port={free_port()}", f"--room-port={free_port()}"]
    with lecture(site, *ports) as first, screens(browser, first) as opened:
        lecturer = opened.lecturer(MASKS)
        one, two = opened.phone("en"), opened.phone("zh")
        count = lecturer.locator("[data-room-count]")
        show(lecturer, "sentence")
        lecturer.keyboard.press("v")
        guess(one, 0)
        guess(two, 1)
        one.reload()
        expect(one.locator("[data-room-guess='0']")).to_be_checked()
        tab = one.context.new_page()  # has the same guess, and changes it
        tab.goto(first.room)
        expect(tab.locator("[data-room-guess='0']")).to_be_checked()
        guess(tab, 2)
        expect(one.locator("[data-room-guess='2']")).to_be_checked()
        late = opened.phone("zh")
        is_in(late, "open")
        late.locator("[data-room-language]").click()
        late.wait_for_url("**/book/en/**")
        guess(late, 1)
        expect(count).to_contain_text("3 of 3")
        two.context.set_offline(True)
        lecturer.reload()
        waits = lecturer.locator(".room-waits")
        expect(waits).to_have_text("A vote is open. Alt+L returns to it.")
        begin(lecturer)
        expect(waits).to_have_count(0)
        expect(lecturer.locator("[data-figure=sentence]")).to_be_visible()
        expect(count).to_contain_text("3 of 3")
        lecturer.keyboard.press("v")
        assert counts(lecturer, 3) == [0, 2, 1]
        two.context.set_offline(False)
        is_in(two, "closed")
        lecturer.keyboard.press("v")
        is_in(one, "open", round_=2)
        guess(one, 2)

        first.served.process.kill()
        first.served.process.wait()
        expect(lecturer.locator(".room-message")).to_be_visible()
        expect(two.locator("[data-room-link=down]")).to_be_visible()
        two.locator("[data-room-guess='0']").check()
        expect(two.locator("[data-room-status]")).to_contain_text("正在提交")
        with lecture(site, *ports) as second:
            opened.lecture = second
            opened.enter(lecturer, MASKS)
            expect(count).to_contain_text("2 of 3")  # they have guessed again by themselves
            expect(two.locator("[data-room-status]")).to_contain_text("已提交")
            lecturer.keyboard.press("v")
            assert counts(lecturer, 6) == [0, 1, 2, 0, 1, 1]
            lecturer.keyboard.press("r")
            assert re.match("You said more than 2/7. You are right", verdict(one))
            assert verdict(two).startswith("你猜的是“一点也没有”。")
            two.reload()
            assert verdict(two).startswith("你猜的是“一点也没有”。")
            lecturer.reload()
            begin(lecturer)
            assert counts(lecturer, 6) == [0, 1, 2, 0, 1, 1]


def test_a_room_whose_script_does_not_load_says_so(class_room: Screens) -> None:
    room = class_room.lecture.room
    phone = class_room.phone("zh")
    phone.route("**/room_phone.js", lambda route: route.abort())
    for path, place in (("room", "body"), (f"{MASKS}?room", ".not-loaded")):
        phone.goto(f"{room}/{path}")
        expect(phone.locator(place).first).to_contain_text(re.compile("reload|Reload"))
    lecturer = class_room.page(viewport={"width": 1280, "height": 720})
    lecturer.route("**/room_lecturer.js", lambda route: route.abort())
    served = class_room.lecture.served
    lecturer.goto(f"{served.origin}/{SCALED}?token={served.token}")
    expect(lecturer.locator(".not-loaded")).to_have_text("课堂问答未能加载，请刷新页面。")
