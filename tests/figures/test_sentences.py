"""Test typed sentences: repainted live, never rewritten."""

from alignment_examples import alignment
from figure_host import in_views
from figure_page import Open, assert_shows, control
from playwright.sync_api import Page, expect


def test_typing_repaints_with_each_letter_and_the_caret_stays(open_figure: Open) -> None:
    figure = alignment()
    page = open_figure(figure)
    field = control(page, "premise")
    field.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    for typed in ["A d", "A da", "A da "]:  # between "A" and " dog is running."
        page.keyboard.type(typed[-1] if len(typed) > 3 else typed[1:])
        figure.premise = f"{typed} dog is running."
        assert_shows(page, figure)
        assert field.evaluate("input => [input.selectionStart, input.selectionEnd]") == [
            len(typed),
            len(typed),
        ]
    page.keyboard.press("Backspace")
    page.keyboard.type("B")
    assert field.input_value() == "A daB dog is running."


def test_what_an_input_method_composes_is_left_alone_until_it_is_done(
    page: Page, module_url: str
) -> None:
    figure = alignment("zh", premise="一只在跑")
    in_views(page, module_url, figure, "view")
    field = control(page, "premise")
    field.focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    keyboard = page.context.new_cdp_session(page)
    for letters in ("g", "go", "gou"):
        composed = {"text": letters, "selectionStart": len(letters), "selectionEnd": len(letters)}
        keyboard.send("Input.imeSetComposition", composed)
        page.evaluate("model.set('hypothesis', model.get('hypothesis') + '狗')")  # a repaint
        assert field.input_value() == f"一只{letters}在跑"
        assert page.evaluate("model.get('premise')") == "一只在跑"
        expect(page.locator(".notice")).to_have_text("")
    keyboard.send("Input.insertText", {"text": "狗"})
    assert field.input_value() == "一只狗在跑"
    assert page.evaluate("model.get('premise')") == "一只狗在跑"
    assert field.evaluate("input => input.selectionStart") == 3
    figure.premise = "一只狗在跑"
    figure.hypothesis += "狗狗狗"
    assert_shows(page, figure)


def test_a_field_follows_python_even_while_it_has_the_focus(page: Page, module_url: str) -> None:
    in_views(page, module_url, alignment(), "view")
    control(page, "premise").fill("a cat")
    page.evaluate("model.set('premise', 'a dog')")
    assert control(page, "premise").input_value() == "a dog"
    control(page, "premise").fill("a cat")
    page.evaluate("model.set('premise', 'two\\nlines')")
    assert control(page, "premise").input_value() == "a cat"


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = alignment()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # the next pair is the first with the same label
    figure.premise, figure.hypothesis = "The cat sleeps in the park.", "A cat sleeps."
    assert_shows(page, figure)
    page.keyboard.press("Tab")
    page.keyboard.type("a dog")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.type(" a dog")
    figure.premise, figure.hypothesis = "a dog", "A cat sleeps. a dog"
    assert_shows(page, figure)
    for side in ("premise", "hypothesis"):
        assert page.get_by_label(side, exact=True).get_attribute("data-control") == side
