"""Test the keys and buttons of lecture mode, and that leaving it restores the page."""

import pytest
from book_pages import OpenPage
from lecturing import (
    ALIGNMENT,
    PAGE,
    PAINTED,
    PHONE,
    PROJECTOR,
    WITHOUT_SLIDES,
    begin,
    go_on_until,
    go_to_the_figure,
    says,
)
from playwright.sync_api import expect

from tests.variants import redundant

# The whole page except two elements of the theme: the button back to the top, which depends on
# scrolling, and the banner's container, which opens a moment after loading.
PAGE_STATE = """() => [
  document.documentElement.cloneNode().outerHTML,
  // but for which figures have been seen, which a lecture shows
  document.querySelector("article").outerHTML.replaceAll(' data-seen=""', ""),
  [...document.querySelectorAll("body > :not(#pst-back-to-top, .pst-async-banner-revealer)")].map(
    (child) => child.cloneNode().outerHTML),
  document.activeElement.className,
  location.href,
]"""
TAKEN = """["PageDown", "ArrowRight", "h", "Escape"].filter((key) => !document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""


def test_escape_puts_the_tip_of_a_term_away_before_it_ends_the_lecture(open_page: OpenPage) -> None:
    opened = open_page(PAGE, viewport=PROJECTOR)
    begin(opened)
    term = opened.locator(".term:visible").first
    term.locator("[tabindex]").focus()
    expect(term.get_by_role("tooltip")).to_be_visible()
    opened.keyboard.press("Escape")
    expect(term.get_by_role("tooltip")).to_be_hidden()
    expect(opened.locator(".lecture-bar")).to_be_visible()
    opened.keyboard.press("Escape")
    expect(opened.locator(".lecture-bar")).to_have_count(0)


def test_a_class_guesses_before_weights_and_answers_are_shown(open_page: OpenPage) -> None:
    opened = open_page(PAGE, viewport=PROJECTOR, before=WITHOUT_SLIDES)
    begin(opened)
    answers = opened.locator("article details:not(.share, .hide):visible")
    go_on_until(opened, lambda: answers.count() > 0)
    expect(answers.first).not_to_have_attribute("open", "")
    opened.keyboard.press("r")
    expect(answers.first).to_have_attribute("open", "")
    opened.evaluate(PAINTED)  # the page is cut into screens again
    opened.keyboard.press("Home")  # the first answers are below all figures
    figure = go_to_the_figure(opened)
    expect(figure).to_have_attribute("data-hidden", "")  # until its question is answered
    figure.locator("[data-skip]").click()
    expect(figure).not_to_have_attribute("data-hidden", "")
    opened.keyboard.press("h")
    expect(figure).to_have_attribute("data-hidden", "")
    opened.keyboard.press("Shift+R")  # as with Caps Lock, and as in the list of keys
    expect(figure).not_to_have_attribute("data-hidden", "")


@pytest.mark.parametrize("page", [PAGE, redundant(PAGE.replace("/en/", "/zh/"))])
def test_a_fold_that_opens_stays_on_the_screen(page: str, open_page: OpenPage) -> None:
    opened = open_page(page, viewport=PROJECTOR, before=WITHOUT_SLIDES)
    stage = opened.locator("article").bounding_box()
    assert stage
    begin(opened)
    opened.keyboard.press("Home")
    closed = opened.locator("article details:not([open], .share, .side-by-side):visible")
    folds, before = 0, ""
    while says(opened) != before:
        before = says(opened)
        while closed.count():
            fold = closed.first.element_handle()
            opened.keyboard.press("r")
            opened.wait_for_function("(fold) => fold.open", arg=fold)
            opened.evaluate(PAINTED)  # the page is cut into screens again
            box = fold.query_selector("summary").bounding_box()  # type: ignore[union-attr]
            assert box, says(opened)
            assert 0 <= box["y"] < stage["height"]
            folds += 1
            before = says(opened)
        opened.keyboard.press("PageDown")
    assert folds > 9


def test_one_key_hides_all_figures_and_reveals_those_without_an_open_question(
    open_page: OpenPage,
) -> None:
    opened = open_page(PAGE, viewport=PROJECTOR)
    opened.locator("[data-figure] [data-skip]").first.click()  # all figures of a chapter ask
    figures = opened.locator("[data-figure]").count()
    covered, asking = (
        opened.locator(f"[data-figure]{state}")
        for state in ("[data-hidden]", "[data-asked=unanswered]")
    )
    questions = asking.count()
    assert 0 < questions < figures
    begin(opened)
    note, button = opened.locator(".lecture-note"), opened.locator("[data-act=hideAll]")
    opened.keyboard.press("a")
    expect(covered).to_have_count(figures)
    expect(note).to_have_text("The weights of all figures are hidden.")
    button.click()
    expect(covered).to_have_count(questions)
    expect(note).to_have_text("Weights stay hidden where a question waits for its answer.")
    button.click()
    opened.evaluate("document.querySelectorAll('[data-skip]').forEach((skip) => skip.click())")
    expect(covered).to_have_count(figures - questions)
    opened.keyboard.press("a")
    expect(covered).to_have_count(figures)
    opened.keyboard.press("a")
    expect(covered).to_have_count(0)
    expect(note).to_have_text("The weights of all figures are shown.")
    opened.keyboard.press("PageDown")
    expect(note).to_be_empty()


def test_leaving_leaves_no_trace_but_the_place(open_page: OpenPage) -> None:
    opened = open_page(f"{PAGE}#en-by-hand", viewport=PROJECTOR)
    opened.locator(".lecture-button").focus()
    before, scroll = opened.evaluate(PAGE_STATE), opened.evaluate("scrollY")
    begin(opened)
    assert opened.evaluate(TAKEN) == ["PageDown", "ArrowRight", "h", "Escape"]
    expect(opened.locator(".lecture-bar")).to_have_count(0)
    assert opened.evaluate(PAGE_STATE) == before
    begin(opened)
    opened.keyboard.press("Alt+l")
    assert opened.evaluate(PAGE_STATE) == before
    assert opened.evaluate(TAKEN) == []
    opened.locator(".lecture-button").click()
    for key in [*["PageDown"] * 12, "r", *["PageDown"] * 3, "f", "PageDown"]:
        opened.keyboard.press(key)
    shown = "article section:has(> :is(h1, h2, h3)[data-on-screen])"
    last = opened.locator(shown).last.get_attribute("id")
    opened.keyboard.press("Escape")
    assert opened.evaluate(PAGE_STATE) == before
    assert opened.evaluate("scrollY") > scroll
    box = opened.locator(f'[id="{last}"]').bounding_box()
    assert box
    assert (
        box["y"] < 180 < box["y"] + box["height"]
    )  # a quarter down the window, where reading starts
    assert opened.evaluate(TAKEN) == []


def test_a_control_keeps_its_keys_but_those_of_a_clicker(open_page: OpenPage) -> None:
    opened = open_page(ALIGNMENT, viewport=PROJECTOR)
    begin(opened)
    field = go_to_the_figure(opened).locator('[data-control="premise"]')
    field.fill("")
    said = says(opened)
    for key in ("h", "t", " ", "?", "ArrowLeft", "Home"):
        opened.keyboard.press(key)
    expect(field).to_have_value("ht ?")
    assert says(opened) == said
    opened.keyboard.press("PageDown")
    assert says(opened) != said
    opened.keyboard.press("ArrowLeft")
    assert says(opened) == said


def test_a_button_that_has_done_its_work_leaves_the_keys_to_the_figure(open_page: OpenPage) -> None:
    opened = open_page(f"{PAGE}#figure-steps", viewport=PROJECTOR)
    begin(opened)
    figure, said = go_to_the_figure(opened), says(opened)
    figure.locator("[data-control=next]").focus()
    for _ in range(8):  # more than there are steps
        opened.keyboard.press("Space")
    expect(figure.locator("[data-control=step]")).to_be_focused()
    assert says(opened) == said
    opened.locator("[data-act=next]").focus()
    opened.keyboard.press("End")
    expect(opened.locator(".lecture-bar")).to_be_focused()


def test_buttons_and_the_list_of_keys_speak_the_language_of_the_page(open_page: OpenPage) -> None:
    opened = open_page(
        PAGE.replace("/en/", "/zh/"), viewport=PHONE, has_touch=True, before=WITHOUT_SLIDES
    )
    opened.locator(".lecture-button").tap()
    expect(opened.locator(".lecture-bar")).to_be_visible()
    opened.keyboard.press("Home")
    buttons = opened.locator(".lecture-bar > button:visible")
    place, *names = (name.strip() for name in buttons.all_text_contents())
    assert place.startswith("1 / ")
    assert names == ["全部图", "?按键一览", "下一屏", "退出"]
    for button in buttons.all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    assert says(opened).startswith("第 1 节")
    opened.locator("[data-act=next]").tap()
    assert "第 2 屏" in says(opened)
    opened.keyboard.press("?")
    expect(opened.get_by_role("dialog")).to_contain_text("退出讲课模式")
    opened.keyboard.press("Escape")
    expect(opened.get_by_role("dialog")).to_have_count(0)
    theme = opened.locator("html").get_attribute("data-theme")
    opened.keyboard.press("t")
    assert opened.locator("html").get_attribute("data-theme") != theme
    opened.locator("[data-act=leave]").tap()
    expect(opened.locator(".lecture-bar")).to_have_count(0)


def test_a_blank_screen_comes_back_with_any_key_and_nothing_moves(open_page: OpenPage) -> None:
    opened = open_page(PAGE, viewport=PROJECTOR)
    begin(opened)
    said = says(opened)
    colour = "getComputedStyle(document.documentElement, '::after').backgroundColor"
    black, white, none = "rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"
    blanks = {"b": black, ".": black, "w": white}
    # V, Q, X and digits have no meaning here, or one that must wait.
    for i, key in enumerate(("PageDown", "Escape", "w", "b", *"vqxsph1g?", "Enter", "Tab")):
        blank = [*blanks][i % 3]
        opened.keyboard.press(blank)
        assert opened.evaluate(colour) == blanks[blank]
        opened.keyboard.press("Shift")
        assert opened.evaluate(colour) == blanks[blank]
        opened.keyboard.press(key)
        assert opened.evaluate(colour) == none, key
        assert says(opened) == said
        assert opened.get_by_role("dialog").count() == 0
    opened.keyboard.press("b")
    opened.mouse.click(300, 300)
    assert opened.evaluate(colour) == "rgba(0, 0, 0, 0)"


def test_a_screen_is_found_by_its_number_or_in_the_list(open_page: OpenPage) -> None:
    opened = open_page(PAGE, viewport=PROJECTOR)
    begin(opened)
    for key in ("g", "1", "3", "Enter"):
        opened.keyboard.press(key)
    assert says(opened).startswith("Screen 13 of ")
    for key in ("g", "9", "9", "Enter"):
        opened.keyboard.press(key)
    none = opened.get_by_role("dialog").get_by_role("status")
    expect(none).to_have_text("There is no screen 99. Type another number.")
    assert says(opened).startswith("Screen 13 of ")
    for key in ("7", "Enter"):
        opened.keyboard.press(key)
    assert says(opened).startswith("Screen 7 of ")
    for key in ("g", "1", "3", "Enter"):  # the list does not remember what was typed before
        opened.keyboard.press(key)
    assert says(opened).startswith("Screen 13 of ")
    opened.locator(".lecture-count").click()
    screens = opened.get_by_role("dialog").get_by_role("listitem")
    expect(screens).to_have_count(int(says(opened).split(" of ")[1].split(".")[0]))
    screens.first.get_by_role("button").click()
    assert says(opened).startswith("Screen 1 of ")
    expect(opened.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("allowed", [True, False])
def test_the_whole_screen_is_taken_if_allowed_and_given_back(
    allowed: bool, open_page: OpenPage
) -> None:
    answer = "Promise.resolve()" if allowed else "Promise.reject(new TypeError('no'))"
    opened = open_page(
        PAGE,
        before=f"""Element.prototype.requestFullscreen = function () {{
          Object.defineProperty(document, "fullscreenElement",
            {{ value: {"this" if allowed else "null"}, configurable: true }});
          document.dispatchEvent(new Event("fullscreenchange"));
          return {answer};
        }};
        document.exitFullscreen = async () => {{ window.givenBack = true; }};""",
    )
    begin(opened)
    opened.keyboard.press("PageDown")
    if allowed:  # what a browser does when Escape is pressed
        opened.evaluate("Object.defineProperty(document, 'fullscreenElement', { value: null })")
        opened.evaluate("document.dispatchEvent(new Event('fullscreenchange'))")
    else:
        opened.keyboard.press("Escape")
    expect(opened.locator(".lecture-bar")).to_have_count(0)
