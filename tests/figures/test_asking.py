"""Test questions of figures: right and wrong guesses, skipping, hiding until then."""

import json
from typing import Any
from urllib.parse import urlparse

import pytest
import torch
from figure_examples import EXAMPLES, padding
from figure_page import Open, assert_shows, control, slide
from interaction import figure_on, fingerprint, go_to_hash, link_hash, resize
from node import call_each_in_node
from playwright.sync_api import Browser, Locator, Page, Route, expect

from attention_figures import (
    ChoiceQuestion,
    Figure,
    NumberQuestion,
    PaddingFigure,
    PlaceQuestion,
    StaircaseFigure,
)

ELSEWHERE = "The question was about other settings."
SOMETHING = NumberQuestion("How much?", answer=lambda figure: 1, because="So.", tolerance=0.1)
HIDE = """(hide) => document.dispatchEvent(new CustomEvent("attention:hide", { detail: hide }))"""


def asked(lang: str = "en") -> PaddingFigure:
    """Return a figure that starts with a mask and asks about the state without."""
    words = {"en": ["the", "train"], "zh": ["火车", "晚点"]}[lang]
    figure = PaddingFigure(words, torch.tensor([0.8, 0.2, 0.9, 0.4]), valid_len=3, lang=lang)
    return figure.ask(
        NumberQuestion(
            "What share does *the* spend on padding, with no mask?",
            answer=lambda figure: 100 * figure.stages()["padding_share"],
            because="Softmax cannot know which scores mean nothing.",
            right="Well guessed.",
            at={"valid_lens": [4]},
            tolerance=5,
            wrong=[(0, "Nobody masks them.")],
            unit="%",
            slider=(0, 100, 1),
        )
    )


def guess(page: Page, value: str) -> None:
    figure_on(page).locator("[data-guess]").fill(value)
    figure_on(page).locator("[data-commit]").click()


def height(page: Page) -> float:
    box = figure_on(page).bounding_box()
    assert box
    return box["height"]


def verdict(page: Page) -> Locator:
    return figure_on(page).locator("[data-verdict]")


def assert_covered(page: Page) -> None:
    """Assert that nothing reveals the weights: visible, read aloud, or shared."""
    figure = figure_on(page)
    expect(figure.locator("[data-at]:visible")).to_have_count(0)
    expect(verdict(page)).to_have_text("")
    expect(figure.locator("[data-sentence]")).to_contain_text("Guess first")
    expect(figure.locator("[data-code] samp")).to_have_text("tensor([[[?, ?, ?, ?]]])")
    for tells in ("0.30", "0.33", "53", "0.44"):
        assert tells not in figure.aria_snapshot()
    styles = figure.locator(".arc").evaluate_all("arcs => arcs.map((a) => a.style.cssText)")
    assert set(styles) == {""}
    for name in ("copy-program", "download-numbers"):
        expect(control(page, name)).to_be_disabled()


@pytest.mark.parametrize(
    ("entered", "says"),
    [
        ("20", "You said 20%. The answer is 53%: Softmax cannot"),
        ("53", "You said 53%. You are right. Well guessed. Softmax cannot"),
        ("0", "You said 0%. Nobody masks them. The answer is 53%: Softmax cannot"),
        (
            "50",
            "You said 50%. You are close enough. Well guessed. The answer is 53%: Softmax cannot",
        ),
    ],
)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_guess_is_answered_in_room_that_was_kept_free(
    open_figure: Open, width: int, entered: str, says: str
) -> None:
    figure = asked()
    page = open_figure(figure)
    resize(page, width, 700)
    assert_covered(page)
    before = height(page)
    guess(page, entered)
    expect(verdict(page)).to_contain_text(says)
    expect(verdict(page)).to_be_focused()
    assert height(page) == before
    figure.valid_lens = [4]
    assert_shows(page, figure)
    expect(page.locator("[data-announced]")).to_contain_text("53%")
    control(page, "reset").click()
    assert_covered(page)
    assert height(page) == before


def test_moving_the_handle_reveals_the_answer(open_figure: Open) -> None:
    figure = asked()
    page = open_figure(figure)
    before = height(page)
    slide(page, "valid_lens[0]", 2)
    figure.valid_lens = [2]
    assert_shows(page, figure)
    expect(verdict(page)).to_contain_text("The answer is 53%:")
    expect(figure_on(page)).to_have_attribute("data-asked", "skipped")
    assert height(page) == before


@pytest.mark.parametrize("way", ["guess", "move"])
def test_a_verdict_about_another_state_says_so_and_leads_back(open_figure: Open, way: str) -> None:
    figure = asked()
    page = open_figure(figure)
    before = height(page)
    if way == "guess":
        guess(page, "20")
        expect(verdict(page)).not_to_contain_text(ELSEWHERE)
    slide(page, "valid_lens[0]", 1)
    expect(verdict(page)).to_contain_text(ELSEWHERE)
    assert height(page) == before
    page.reload()
    expect(verdict(page)).to_contain_text(ELSEWHERE)
    page.locator("[data-return]").click()
    expect(verdict(page)).not_to_contain_text(ELSEWHERE)
    expect(verdict(page)).to_be_focused()
    figure.valid_lens = [4]
    assert_shows(page, figure)


def test_a_skip_reveals_the_answer_in_the_state_of_the_question(open_figure: Open) -> None:
    figure = asked()
    page = open_figure(figure)
    figure_on(page).locator("[data-skip]").click()
    figure.valid_lens = [4]
    assert_shows(page, figure)
    expect(verdict(page)).to_contain_text("The answer is 53%:")


def test_the_answer_is_torchs_and_travels_beside_the_state() -> None:
    figure = asked()
    assert figure.valid_lens == [3]
    assert figure.question["at"] == {"valid_lens": [4]}
    assert figure.question["answer"] == pytest.approx(53.409427)
    html = figure._repr_mimebundle_()[0]["text/html"]
    stored = html.split("data-ask>")[1].split("</script>")[0]
    assert json.loads(stored) == figure.question


def chosen(place: bool = False) -> StaircaseFigure:
    """Return a figure that asks for a word."""
    words = ["the", "train", "left"]
    scores = torch.tensor([[0.8, 0.2, 0.9], [0.1, 0.7, 0.3], [0.6, 0.2, 0.7]])
    kind = PlaceQuestion if place else ChoiceQuestion
    return StaircaseFigure(words, scores).ask(
        kind(
            "Which word would *the* read most?",
            answer=lambda figure: int(figure.attention_weights[0, 0].argmax()),
            because="Its score is the largest.",
            at={"valid_lens": [[3, 3, 3]]},
            options=words,
            wrong={"the": "A word need not read itself most."},
        )
    )


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("the", "You said the. A word need not read itself most. The answer is left: Its score"),
        ("train", "You said train. The answer is left: Its score"),
        ("left", "You said left. You are right. Its score"),
    ],
)
def test_a_choice_is_answered(open_figure: Open, option: str, says: str) -> None:
    page = open_figure(chosen())
    before = height(page)
    figure_on(page).locator("[data-guess]").select_option(label=option)
    figure_on(page).locator("[data-commit]").press("Enter")
    expect(verdict(page)).to_contain_text(says)
    assert height(page) == before
    expect(control(page, "valid_lens[0][0]")).to_have_value("3")


def test_what_was_seen_is_asked_after_the_figure_has_moved(open_figure: Open) -> None:
    page = open_figure(
        chosen().ask_after_moving(
            ChoiceQuestion(
                "With all three lengths at 1, what does *left* read?",
                options=["itself", "the first word"],
                answer=lambda figure: int(figure.attention_weights[0, 2, 0] == 1),
                because="No row has another key.",
                wrong={"itself": "Itself is what a length of 3 allows."},
                at={"valid_lens": [[1, 1, 1]]},
            )
        )
    )
    seen, later = (
        figure_on(page).locator(f"[data-{name}]") for name in ("observation", "observes-later")
    )
    expect(seen).to_have_count(0)
    expect(later).to_have_count(0)
    figure_on(page).locator("[data-skip]").click()
    expect(verdict(page)).to_contain_text("The answer is left:")
    expect(seen).to_have_count(0)
    expect(later).to_contain_text("Move the figure: a second question follows.")
    slide(page, "valid_lens[0][0]", 2)
    expect(later).to_have_count(0)
    expect(seen).to_contain_text("With all three lengths at 1, what does left read?")
    seen.locator("[data-observed]").select_option(label="itself")
    seen.locator("[data-observe]").press("Enter")
    told = seen.locator("[data-observation-verdict]")
    says = (
        "You said itself. Itself is what a length of 3 allows. The answer is the first word: No row"
    )
    expect(told).to_contain_text(says)
    expect(told).to_be_focused()
    expect(control(page, "valid_lens[0][0]")).to_have_value("1")
    page.reload()
    expect(told).to_contain_text(says)
    control(page, "reset").click()
    expect(seen).to_have_count(0)
    slide(page, "valid_lens[0][0]", 2)
    seen.locator("[data-unobserved]").click()
    expect(seen).to_have_count(0)


def test_a_place_is_chosen_in_the_picture(open_figure: Open) -> None:
    page = open_figure(chosen(place=True))
    page.locator("[data-place='1']").click()
    expect(figure_on(page).locator("[data-guess]")).to_have_value("1")
    expect(figure_on(page)).to_have_attribute("data-asked", "unanswered")
    page.locator("[data-place='2']").click()
    figure_on(page).locator("[data-commit]").click()
    expect(verdict(page)).to_contain_text("You said “left”. You are right.")


def test_a_slider_starts_at_its_low_end_and_without_a_guess(open_figure: Open) -> None:
    page = open_figure(asked())
    slider, commit = (figure_on(page).locator(f"[data-{name}]") for name in ("guess", "commit"))
    expect(slider).to_have_value("0")
    slider.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(slider).to_be_focused()
    expect(commit).to_be_disabled()
    chosen = figure_on(page).locator("[data-question] output")
    slider.press("Home")  # where it is already
    expect(chosen).to_have_text("0%")
    expect(commit).to_be_enabled()
    control(page, "reset").click()
    expect(chosen).to_have_text("…")
    slider.dispatch_event("pointerup")  # no click follows a touch
    expect(chosen).to_have_text("0%")


@pytest.mark.parametrize("typed", ["−7", "-7", "－７", "-7,0"])
def test_a_number_is_typed_as_it_is_printed(open_figure: Open, typed: str) -> None:
    question = NumberQuestion("How much?", answer=lambda figure: -7, because="So.", tolerance=0.5)
    page = open_figure(padding().ask(question))
    field, commit = (figure_on(page).locator(f"[data-{name}]") for name in ("guess", "commit"))
    refused = figure_on(page).locator("[data-question] [role=alert]")
    expect(commit).to_be_disabled()
    for wrong, why in ("much", "Enter a number"), ("7,125", "write decimals with a point"):
        field.fill(wrong)
        expect(commit).to_be_disabled()
        expect(refused).to_contain_text(why)
    field.fill(typed)
    expect(refused).to_be_empty()
    field.press("Enter")
    expect(verdict(page)).to_contain_text("You said −7. You are right.")


@pytest.mark.parametrize(
    ("figure", "says"),
    [
        (asked(), "Guess first, or move the handle to see."),
        (asked("zh"), "先猜一猜，也可以直接拖动手柄看结果。"),
        (EXAMPLES["curves"]("en").ask(SOMETHING), "Guess first, or move a control to see."),
        (EXAMPLES["curves"]("zh").ask(SOMETHING), "先猜一猜，也可以直接动手调一调。"),
    ],
)
def test_it_offers_the_handle_where_there_is_one(
    open_figure: Open, figure: Figure, says: str
) -> None:
    expect(open_figure(figure).locator("[data-sentence]")).to_have_text(says)


def test_an_answer_outlives_a_reload_and_reset_forgets_it(open_figure: Open) -> None:
    page = open_figure(asked())
    guess(page, "20")
    slide(page, "valid_lens[0]", 1)
    page.reload()
    expect(verdict(page)).to_contain_text("You said 20%. The answer is 53%:")
    expect(control(page, "valid_lens[0]")).to_have_value("1")
    control(page, "reset").click()
    page.reload()
    assert_covered(page)
    expect(control(page, "valid_lens[0]")).to_have_value("3")


def test_a_link_to_another_state_reveals_its_answer_and_back_hides_it_again(
    open_figure: Open,
) -> None:
    figure = asked()
    page = open_figure(figure)
    go_to_hash(page, link_hash(figure, fingerprint(page), {"valid_lens": [1]}))
    figure.valid_lens = [1]
    assert_shows(page, figure)
    page.go_back()
    expect(control(page, "valid_lens[0]")).to_have_value("3")
    assert_covered(page)


def test_one_event_hides_every_figure_and_reveals_them_again(open_figure: Open) -> None:
    figure = padding()
    page = open_figure(figure)
    page.evaluate(HIDE, True)
    expect(page.locator("[data-at]:visible")).to_have_count(0)
    page.evaluate(HIDE, False)
    assert_shows(page, figure)


@pytest.mark.parametrize("way", ["guess", "show"])
def test_an_answer_or_a_skip_also_reveals_what_the_menu_has_hidden(
    way: str, open_figure: Open
) -> None:
    page = open_figure(asked())
    page.evaluate(HIDE, True)
    if way == "guess":
        guess(page, "20")
    else:
        control(page, "hide").click()
    expect(page.locator("[data-figure]")).not_to_have_attribute("data-hidden", "")


def test_without_javascript_the_question_is_text_and_its_answer_folded(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(asked("zh").to_html())
    expect(page.locator(".question em")).to_have_text("the")
    answer = page.locator("details.answer")
    expect(answer.locator("b")).to_be_hidden()
    answer.locator("summary").click()
    expect(answer.locator("b")).to_have_text("53%")
    expect(answer).to_contain_text("53%：")
    context.close()


@pytest.mark.own_page
def test_a_strict_policy_lets_it_live(page: Page) -> None:
    html = asked().to_html()
    start, _, script = html.rpartition("<script>")
    files = {"/": f'{start}<script src="/figure.js"></script></html>', "/figure.js": script[:-16]}
    policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:"

    def answer(route: Route) -> None:
        path = urlparse(route.request.url).path
        kind = "text/javascript" if path.endswith(".js") else "text/html"
        headers = {"Content-Security-Policy": policy}
        body = files.get(path, "")
        route.fulfill(body=body, content_type=f"{kind}; charset=utf-8", headers=headers)

    page.route("http://figures.test/**", answer)
    page.goto("http://figures.test/")
    guess(page, "20")
    expect(verdict(page)).to_contain_text("You said 20%. The answer is 53%:")


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"tolerance": 0}, ValueError, "tolerance must be more than 0; got 0"),
        ({"answer": lambda figure: torch.nan}, ValueError, "answer must be finite; got nan"),
        ({"answer": lambda figure: "much"}, ValueError, "answer must be one number; got 'much'"),
        ({"wrong": [(6, "no")]}, ValueError, "wrong must not be right; got 6.0 for 7.0"),
        (  # 9 is within 2 of the 7 shown
            {"answer": lambda figure: 6.8, "wrong": [(9, "no")]},
            ValueError,
            "wrong must not be right; got 9.0 for 6.8",
        ),
        ({"slider": (0, 5, 1)}, ValueError, r"slider must span the answer, 7.0; got \(0, 5, 1\)"),
        (
            {"slider": (5, 9, 1)},
            ValueError,
            r"slider must not start at a right guess, 7.0; got \(5, 9, 1\)",
        ),
        ({"at": {"size": 3}}, ValueError, r"at must name traits of .* state; got \['size'\]"),
        ({"at": {"valid_lens": [5]}}, ValueError, r"valid_lens must lie in 0\.\.4"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    changes: dict[str, Any], error: type[Exception], says: str
) -> None:
    given = {"answer": lambda figure: 7, "because": "So.", "tolerance": 2, **changes}
    figure = padding()
    with pytest.raises(error, match=says):
        figure.ask(NumberQuestion("How much?", **given))
    assert figure.question == {}
    assert figure.valid_lens == [3]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        *(
            ({"tolerance": x}, says)
            for x, says in [
                (torch.inf, "tolerance must be finite; got inf"),
                (torch.nan, "tolerance must be finite; got nan"),
                (-1, "tolerance must be more than 0; got -1"),
                ("wide", "tolerance must be one number; got 'wide'"),
            ]
        ),
        *(
            ({"decimals": x}, f"decimals must be a whole number from 0 to 6; got {x}")
            for x in (101, 7, -1, 0.5)
        ),
        *(
            ({"slider": x}, says)
            for x, says in [
                ((0, torch.inf, 1), "slider must be finite; got inf"),
                ((torch.nan, 9, 1), "slider must be finite; got nan"),
                ((0, 9), "slider must be least, largest and step; got"),
                ((9, 0, 1), "slider must be least < largest and a step between them; got"),
                ((0, 9, 0), "slider must be least < largest and a step between them; got"),
                ((0, 9, 10), "slider must be least < largest and a step between them; got"),
            ]
        ),
        ({"because": None}, "because must be text; got None"),
        ({"right": 5}, "right must be text; got 5"),
        ({"unit": None}, "unit must be text; got None"),
        ({"text": " "}, "text must not be empty"),
        ({"answer": 7}, "answer must be a function of the figure; got 7"),
        ({"at": ["valid_lens"]}, "at must be a mapping; got"),
        ({"wrong": [(torch.inf, "no")]}, "wrong must be finite; got inf"),
        ({"wrong": [(1, None)]}, "what wrong says to 1 must be text; got None"),
        ({"wrong": [1]}, "wrong must be pairs of a guess and what is said to it; got 1"),
        ({"wrong": None}, "wrong must be a sequence of pairs; got None"),
    ],
)
def test_a_number_is_checked_when_it_is_made(changes: dict[str, Any], says: str) -> None:
    given = {"text": "How much?", "answer": abs, "because": "So.", "tolerance": 2, **changes}
    with pytest.raises((ValueError, TypeError), match=says):
        NumberQuestion(**given)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"options": "ab"}, "options must be several texts; got 'ab'"),
        ({"options": ["a"]}, r"options must be at least 2; got \['a'\]"),
        ({"options": ["a", "a"]}, "options must differ; got"),
        ({"options": ["a", 1]}, "options must be text; got 1"),
        ({"wrong": {2: "no"}}, r"wrong must be a place in 0\.\.1; got 2"),
        ({"wrong": {"c": "no"}}, "wrong must be one of"),
        ({"wrong": {"b": None}}, "what wrong says to 'b' must be text; got None"),
        ({"wrong": ["no"]}, "wrong must be a mapping; got"),
        ({"because": None}, "because must be text; got None"),
    ],
)
def test_a_choice_is_checked_when_it_is_made(changes: dict[str, Any], says: str) -> None:
    given = {"text": "?", "answer": abs, "because": "", "options": ["a", "b"], **changes}
    with pytest.raises((ValueError, TypeError), match=says):
        ChoiceQuestion(**given)


def test_a_place_may_have_the_name_of_another() -> None:
    given = {"text": "?", "answer": lambda _: 2, "because": "", "options": ["the", "cat", "the"]}
    assert padding().ask(PlaceQuestion(**given)).question["answer"] == 2


def test_page_and_python_find_the_same_guesses_right() -> None:
    question = NumberQuestion("How much?", answer=abs, because="", tolerance=0.02, decimals=2)
    asked = {"tolerance": question.tolerance, "decimals": question.decimals}
    pairs = [(g / 1000, x) for g in range(740, 860) for x in (0.799997, 0.8, 0.8041, 0.7963)]
    near = call_each_in_node("core/question.ts", "isNear", [(asked, *pair) for pair in pairs])
    assert near == [question.is_near(*pair) for pair in pairs]
    assert all(question.is_near(0.82, x) for x in (0.799997, 0.7963))  # shown as 0.80


def test_only_an_option_answers_a_choice() -> None:
    for answer, says in ((3, r"a place in 0\.\.1"), ("c", "answer must be one of")):
        with pytest.raises(ValueError, match=says):
            padding().ask(
                ChoiceQuestion("?", answer=lambda _, a=answer: a, because="", options=["a", "b"])
            )
    with pytest.raises(ValueError, match="wrong must not be right; got 'a'"):
        padding().ask(
            ChoiceQuestion(
                "?", answer=lambda _: 0, because="", options=["a", "b"], wrong={"a": "no"}
            )
        )
    with pytest.raises(TypeError, match="question must be a Question; got str"):
        padding().ask("How much?")  # type: ignore[arg-type]
