"""Lecture mode: a page in screens, by keys or buttons, and afterwards as if nothing had been."""

from itertools import pairwise

import pytest
from book_pages import Visit
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

PAGE, CHINESE = "book/en/04-masked-softmax.html", "book/zh/09-decomposable-attention.html"
PROJECTOR: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
SCREEN = """() => {
  const stage = document.querySelector("article");
  const { top, bottom, right } = stage.getBoundingClientRect();
  const seen = (block) => block.getClientRects().length > 0;
  const blocks = [...stage.querySelectorAll(
    "section :is(p, li, pre, table, img, summary, div.math, [data-figure])"
  )].filter((block) => !block.closest("details > :not(summary), summary *, [data-figure] *"));
  const cut = (block) => block.getBoundingClientRect().bottom > bottom + 1;
  return {
    says: document.querySelector(".lecture-bar [role=status]").textContent,
    headings: [...stage.querySelectorAll("h1, h2, h3")].filter(seen).length,
    shown: blocks.flatMap((block, i) => (seen(block) ? [i] : [])),
    cut: blocks.filter((block) => seen(block) && cut(block)).map((block) => block.textContent),
    blocks: blocks.length,
    scrolls: stage.scrollHeight > stage.clientHeight + 1,
    wide: stage.scrollWidth > stage.clientWidth + 1,
    letters: parseFloat(getComputedStyle(stage.querySelector("p")).fontSize),
  };
}"""
# All but the theme's way back to the top, which comes and goes as one scrolls.
PAGE_STATE = """() => [
  document.documentElement.cloneNode().outerHTML,
  document.querySelector("article").outerHTML,
  [...document.querySelectorAll("body > :not(#pst-back-to-top)")].map(
    (child) => child.cloneNode().outerHTML),
  document.activeElement.className,
  location.href,
]"""
NO_FULL_SCREEN = "delete Element.prototype.requestFullscreen;"  # and so another size is possible
TAKEN = """["PageDown", "ArrowRight", "h", "Escape"].filter((key) => !document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""


def _begin(page: Page) -> None:
    page.keyboard.press("Alt+l")
    expect(page.locator(".lecture-bar")).to_be_visible()


def _says(page: Page) -> str:
    return page.locator(".lecture-bar [role=status]").inner_text()


def _go_to_the_figure(page: Page) -> Locator:
    for _ in range(9):
        if page.locator("html").get_attribute("data-lecture") == "figure":
            break
        page.keyboard.press("PageDown")
    return page.locator("[data-figure]:visible")


@pytest.mark.parametrize(("name", "size"), [(PAGE, PROJECTOR), (CHINESE, PHONE)])
def test_a_lecture_shows_each_block_of_the_page_in_its_turn(
    name: str, size: ViewportSize, visit: Visit
) -> None:
    opened = visit(name, viewport=size, from_disk=size == PHONE)
    _begin(opened)
    screens = [opened.evaluate(SCREEN)]
    while len(screens) < 2 or screens[-1]["says"] != screens[-2]["says"]:
        opened.keyboard.press("PageDown")
        screens.append(opened.evaluate(SCREEN))
    screens.pop()
    assert {number for screen in screens for number in screen["shown"]} == set(
        range(screens[0]["blocks"])
    )
    for before, after in pairwise(screens):
        assert after["scrolls"] or min(after["shown"], default=0) >= max(before["shown"], default=0)
    for screen in screens:
        assert screen["headings"] == 1
        assert screen["scrolls"] or screen["cut"] == []
        assert not screen["wide"]
    assert size == PHONE or all(s["letters"] >= 24 for s in screens if not _has_a_long_block(s))
    opened.keyboard.press("PageUp")
    assert opened.evaluate(SCREEN) == screens[-2]
    opened.keyboard.press("Home")
    assert opened.evaluate(SCREEN) == screens[0]


def _has_a_long_block(screen: dict[str, list[int]]) -> bool:
    """Tell whether a block stands alone: smaller, as it would be too long for the screen."""
    return len(screen["shown"]) <= 1


def test_a_figure_fills_the_screen_and_stays_alive(visit: Visit) -> None:
    opened = visit(f"{PAGE}#figure-pipeline", viewport=PROJECTOR)
    _begin(opened)
    figure = _go_to_the_figure(opened)
    box, stage = figure.bounding_box(), opened.locator("article").bounding_box()
    assert box
    assert stage
    assert 0.95 * stage["width"] < box["width"] <= stage["width"]
    assert 0.7 * stage["height"] < box["height"] < stage["height"]
    assert box["y"] + box["height"] <= stage["height"]
    said, weights = _says(opened), figure.locator("td[data-at]").all_inner_texts()
    opened.keyboard.press("f")
    expect(figure.locator('[data-control="valid_lens[0]"]')).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "End"):
        opened.keyboard.press(key)
    assert figure.locator("td[data-at]").all_inner_texts() != weights
    opened.keyboard.press("2")
    expect(figure.locator('[data-control="valid_lens[1]"]')).to_be_focused()
    assert _says(opened) == said
    opened.keyboard.press("PageUp")
    assert _says(opened) != said


@pytest.mark.parametrize(
    ("size", "least"), [(PROJECTOR, 18), ({"width": 1920, "height": 1080}, 27), (PHONE, 16)]
)
def test_the_type_of_a_figure_is_large_and_on_a_phone_as_on_its_page(
    size: ViewportSize, least: float, visit: Visit
) -> None:
    opened = visit(f"{CHINESE}#figure-alignment", viewport=size)
    _begin(opened)
    figure = _go_to_the_figure(opened)
    letters = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    assert opened.evaluate(letters) >= least
    if size == PHONE:  # and what is below can be reached
        said = _says(opened)
        opened.keyboard.press("PageDown")
        assert _says(opened) != said
        expect(figure).to_be_visible()


def test_escape_puts_the_tip_of_a_term_away_before_it_ends_the_lecture(visit: Visit) -> None:
    opened = visit(PAGE, viewport=PROJECTOR)
    _begin(opened)
    term = opened.locator(".term:visible").first
    term.locator("[tabindex]").focus()
    expect(term.get_by_role("tooltip")).to_be_visible()
    opened.keyboard.press("Escape")
    expect(term.get_by_role("tooltip")).to_be_hidden()
    expect(opened.locator(".lecture-bar")).to_be_visible()
    opened.keyboard.press("Escape")
    expect(opened.locator(".lecture-bar")).to_have_count(0)


def test_a_class_guesses_before_weights_and_answers_are_shown(visit: Visit) -> None:
    opened = visit(f"{PAGE}#en-steps", viewport=PROJECTOR)
    _begin(opened)
    answers = opened.locator("article details:not(.share):visible")
    expect(answers.first).not_to_have_attribute("open", "")
    opened.keyboard.press("r")
    expect(answers.first).to_have_attribute("open", "")
    figure = _go_to_the_figure(opened)
    opened.keyboard.press("h")
    expect(figure).to_have_attribute("data-hidden", "")
    opened.keyboard.press("r")
    expect(figure).not_to_have_attribute("data-hidden", "")


def test_leaving_leaves_no_trace_but_the_place(visit: Visit) -> None:
    opened = visit(f"{PAGE}#en-by-hand", viewport=PROJECTOR)
    opened.locator(".lecture-button").focus()
    before, scroll = opened.evaluate(PAGE_STATE), opened.evaluate("scrollY")
    _begin(opened)
    assert opened.evaluate(TAKEN) == ["PageDown", "ArrowRight", "h", "Escape"]
    expect(opened.locator(".lecture-bar")).to_have_count(0)
    assert opened.evaluate(PAGE_STATE) == before
    _begin(opened)
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
    assert box["y"] < 360 < box["y"] + box["height"]
    assert opened.evaluate(TAKEN) == []


def test_a_control_keeps_its_keys_but_those_of_a_clicker(visit: Visit) -> None:
    opened = visit(f"{CHINESE}#figure-alignment", viewport=PROJECTOR)
    _begin(opened)
    field = _go_to_the_figure(opened).locator('[data-control="premise"]')
    field.fill("")
    said = _says(opened)
    for key in ("h", "t", " ", "?", "ArrowLeft", "Home"):
        opened.keyboard.press(key)
    expect(field).to_have_value("ht ?")
    assert _says(opened) == said
    opened.keyboard.press("PageDown")
    assert _says(opened) != said
    opened.keyboard.press("ArrowLeft")
    assert _says(opened) == said


def test_buttons_and_the_list_of_keys_speak_the_language_of_the_page(visit: Visit) -> None:
    opened = visit(CHINESE, viewport=PHONE, has_touch=True)
    opened.locator(".lecture-button").tap()
    expect(opened.locator(".lecture-bar")).to_be_visible()
    buttons = opened.locator(".lecture-bar > button:visible")
    assert [name.strip() for name in buttons.all_text_contents()] == ["?按键一览", "下一屏", "退出"]
    for button in buttons.all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    assert _says(opened).startswith("第 1 节")
    opened.locator("[data-act=next]").tap()
    assert "第 2 屏" in _says(opened)
    opened.keyboard.press("?")
    expect(opened.get_by_role("dialog")).to_contain_text("退出讲课模式")
    opened.keyboard.press("Escape")
    expect(opened.get_by_role("dialog")).to_have_count(0)
    theme = opened.locator("html").get_attribute("data-theme")
    opened.keyboard.press("t")
    assert opened.locator("html").get_attribute("data-theme") != theme
    opened.locator("[data-act=leave]").tap()
    expect(opened.locator(".lecture-bar")).to_have_count(0)


@pytest.mark.parametrize("twins", ["one", "page"])
def test_another_window_or_language_is_cut_anew(twins: str, visit: Visit) -> None:
    chosen = f"localStorage.setItem('twins', '{twins}');"
    opened = visit(PAGE, viewport=PROJECTOR, before=chosen + NO_FULL_SCREEN)
    opened.locator(".counterpart, .counterpart-place").first.wait_for(state="attached")
    _begin(opened)
    for key in ("PageDown", "PageDown", "PageDown"):
        opened.keyboard.press(key)
        screen = opened.evaluate(SCREEN)
        assert screen["scrolls"] or screen["cut"] == []
        assert not screen["wide"]
        pairs = opened.locator("article p:has(+ div.counterpart)")
        assert all(pair.is_visible() == _next(pair).is_visible() for pair in pairs.all()[:8])
    first = opened.locator("article :is(p, li, pre):visible").first.inner_text()
    opened.set_viewport_size({"width": 900, "height": 500})
    expect(opened.locator("article :is(p, li, pre):visible").first).to_have_text(first)
    screen = opened.evaluate(SCREEN)
    assert screen["scrolls"] or screen["cut"] == []


def _next(block: Locator) -> Locator:
    return block.locator("xpath=following-sibling::*[1]")


@pytest.mark.parametrize("allowed", [True, False])
def test_the_whole_screen_is_taken_if_allowed_and_given_back(allowed: bool, visit: Visit) -> None:
    answer = "Promise.resolve()" if allowed else "Promise.reject(new TypeError('no'))"
    opened = visit(
        PAGE,
        before=f"""Element.prototype.requestFullscreen = function () {{
          Object.defineProperty(document, "fullscreenElement",
            {{ value: {"this" if allowed else "null"}, configurable: true }});
          document.dispatchEvent(new Event("fullscreenchange"));
          return {answer};
        }};
        document.exitFullscreen = async () => {{ window.givenBack = true; }};""",
    )
    _begin(opened)
    opened.keyboard.press("PageDown")
    if allowed:  # what a browser does when Escape is pressed
        opened.evaluate("Object.defineProperty(document, 'fullscreenElement', { value: null })")
        opened.evaluate("document.dispatchEvent(new Event('fullscreenchange'))")
    else:
        opened.keyboard.press("Escape")
    expect(opened.locator(".lecture-bar")).to_have_count(0)


def test_a_lecture_that_does_not_load_says_so(browser: Browser, address: str) -> None:
    opened = browser.new_page()
    opened.route("**/lecture_mode.js", lambda route: route.abort())
    opened.goto(address + CHINESE)
    opened.locator(".lecture-button").click()
    expect(opened.locator("article > .not-loaded")).to_have_text("讲课模式未能加载，请刷新页面。")
    expect(opened.locator(".lecture-button")).to_be_hidden()
    opened.close()
