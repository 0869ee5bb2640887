"""Test scripts that fail to load: a message in the page's language, and no dead button."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

PAGES = {"en": "book/en/04-masked-softmax.html", "zh": "book/zh/04-masked-softmax.html"}
SAID = {
    "figures-*": {
        "en": "This figure did not load; reload the page to move it.",
        "zh": "此图未能加载，刷新页面后才能操作。",
    },
    "page": {
        "en": "Some buttons did not load. Reload the page.",
        "zh": "部分按钮未能加载，请刷新页面。",
    },
    "run": {
        "en": "The code does not run: its script did not load. Reload the page.",
        "zh": "代码无法运行：脚本未能加载，请刷新页面。",
    },
}
LECTURE = {
    "en": "Lecture mode did not load. Reload the page.",
    "zh": "讲课模式未能加载，请刷新页面。",
}
DEAD = {
    "figures-*": "[data-figure] [data-control]",
    "page": ".lecture-button, .copybtn, .dropdown-download-buttons, .theme-switch-button, "
    ".search-button__button, .primary-toggle, .secondary-toggle",
    "run": ".cell-bar button",
}
# Messages that appear on opening: the script, the selector that opens it, and the message.
OPENED = {
    "side_by_side": (
        ".side-by-side > summary",
        ".side-by-side-failed",
        {
            "en": "The Chinese text did not load. Reload the page.",
            "zh": "英文未能加载，请刷新页面。",
        },
    ),
}


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 844})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    "scripts",
    [("figures-*", "page"), ("page", "run")],
    ids=str,
)
def test_scripts_that_do_not_load_leave_a_sentence_each(
    scripts: tuple[str, str], language: str, page: Page, address: str
) -> None:
    for script in scripts:
        page.route(f"**/{script}.js*", lambda route: route.abort())
    page.goto(address + PAGES[language])
    for script in scripts:
        said = page.locator(".not-loaded").filter(has_text=SAID[script][language])
        expect(said.first).to_have_text(SAID[script][language])
        expect(said.first).to_be_visible()
        dead = page.locator(DEAD[script])
        assert not any(dead.evaluate_all("all => all.map((one) => one.checkVisibility())"))


def test_each_sentence_stands_once(page: Page, address: str) -> None:
    for script in SAID:
        page.route(f"**/{script}.js*", lambda route: route.abort())
    page.goto(address + PAGES["en"])
    said = page.locator("article > .not-loaded")
    expect(said).to_have_count(2)
    assert len(set(said.all_inner_texts())) == 2


def test_a_lecture_without_its_style_sheet_says_so(page: Page, address: str) -> None:
    page.route("**/lecture.css*", lambda route: route.abort())
    page.goto(address + PAGES["zh"])
    page.locator(".lecture-button").click()
    expect(page.locator("article > .not-loaded")).to_have_text(LECTURE["zh"])
    expect(page.locator(".lecture-bar")).to_have_count(0)


@pytest.mark.parametrize("script", OPENED)
def test_a_part_whose_script_failed_shows_a_message_when_opened(
    script: str, language: str, page: Page, address: str
) -> None:
    opener, place, sentence = OPENED[script]
    page.route(f"**/{script}.js*", lambda route: route.abort())
    page.goto(address + PAGES[language])
    said = page.locator(place)
    expect(said).to_be_hidden()
    page.locator(opener).locator("visible=true").first.click()
    expect(said).to_be_visible()
    expect(said).to_have_text(sentence[language])


def test_figures_that_do_not_load_can_still_be_read(page: Page, address: str) -> None:
    page.route("**/figures-*.js*", lambda route: route.abort())
    page.goto(address + PAGES["en"])
    figures = page.locator("[data-figure]")
    expect(figures.locator(".not-loaded")).to_have_count(figures.count())
    expect(figures.first.locator("table").first).to_be_visible()


@pytest.mark.parametrize("language", PAGES)
def test_without_javascript_everything_can_be_read(
    language: str, browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + PAGES[language])
    said = {"en": "Without JavaScript, ", "zh": "未启用 JavaScript，"}[language]
    expect(page.locator("[data-figure] > noscript .not-loaded").first).to_contain_text(said)
    page.locator("details:has(img) > summary").first.click()  # a fold opens without a script
    for content in ("[data-figure] > table", "article table", "article img", "article .katex-html"):
        expect(page.locator(content).first).to_be_visible()
    context.close()


@pytest.mark.parametrize("language", PAGES)
def test_without_javascript_the_sidebar_opens_and_no_button_is_dead(
    language: str, browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(address + PAGES[language])
    expect(page.locator(".bd-header-article button:visible")).to_have_count(0)
    chapter = page.locator(".bd-sidebar-primary a").last
    expect(chapter).not_to_be_in_viewport()
    page.locator(".primary-toggle:visible").click()
    expect(chapter).to_be_visible()
    href = str(chapter.get_attribute("href"))
    chapter.click()
    assert page.url.endswith(href)
    context.close()


@pytest.mark.parametrize("side", ["primary", "secondary"])
def test_without_javascript_the_keyboard_opens_a_sidebar_too(
    side: str, browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 640, "height": 422})
    page = context.new_page()
    page.goto(address + PAGES["en"])
    box, label = page.locator(f"#pst-{side}-sidebar-checkbox"), page.locator(f".{side}-toggle.btn")
    for _ in range({"primary": 2, "secondary": 3}[side]):  # after the skip link
        page.keyboard.press("Tab")
    expect(box).to_be_focused()
    expect(box).to_have_accessible_name(f"Toggle {side} sidebar")
    expect(label.locator("visible=true")).to_have_css("outline-style", "solid")
    page.keyboard.press("Space")
    expect(page.locator(f".bd-sidebar-{side} a").last).to_be_visible()
    context.close()
