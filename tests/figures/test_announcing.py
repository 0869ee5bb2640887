"""Check that a screen reader announces changed weights once the reader pauses."""

import pytest
import torch
from figure_examples import EXAMPLES, steps
from figure_host import changed_from_elsewhere
from figure_page import Open, control, grip, open_with_clock
from playwright.sync_api import Page, expect

from attention_figures import MaskedSoftmaxFigure

STATUS = "[data-announced]"


@pytest.mark.own_page
def test_all_weights_are_announced_half_a_second_after_the_last_change(
    open_figure: Open, page: Page
) -> None:
    figure = steps()
    open_with_clock(open_figure, page, figure)
    status = page.locator(STATUS)
    page.clock.run_for(5000)
    expect(status).to_have_text("")
    for length in ("1", "3", "1"):
        control(page, "valid_lens[0]").fill(length)
        page.clock.run_for(400)
        expect(status).to_have_text("")
    page.clock.run_for(100)
    figure.valid_lens = [1, 3]
    b1 = ["0.36, 0.24, 0.40, 0", "0.41, 0.37, 0.22, 0"]
    expect(status).to_have_text(
        f"Weights: example 0, query 0: 1.00, 0, 0, 0; example 0, query 1: 1.00, 0, 0, 0; "
        f"example 1, query 0: {b1[0]}; example 1, query 1: {b1[1]}."
    )
    announced = [f"{x:.2f}" if x else "0" for x in figure.attention_weights[1].flatten().tolist()]
    assert ", ".join(announced) == ", ".join(b1)


@pytest.mark.own_page
def test_only_weights_that_are_new_and_visible_are_announced(open_figure: Open, page: Page) -> None:
    open_with_clock(open_figure, page, steps(step=3))
    status = page.locator(STATUS)

    def announced() -> str:
        page.clock.run_for(500)
        return status.inner_text()

    page.locator(".sentence").click()
    control(page, "valid_lens[0]").fill("0")
    assert announced() == ""  # the weights come at a later step
    control(page, "next").click()
    control(page, "next").click()
    assert "example 0, query 1: 0, 0, 0, 0" in announced()
    page.evaluate(
        "status => { window.changes = new MutationObserver(() => {});"
        "window.changes.observe(status, { childList: true }); }",
        status.element_handle(),
    )
    page.locator(".sentence").click()
    control(page, "scores[0][0][0]").fill("5")  # padding
    page.clock.run_for(5000)
    assert page.evaluate("window.changes.takeRecords().length") == 0
    control(page, "hide").click()
    assert announced() == "The weights are hidden."
    control(page, "valid_lens[0]").fill("1")
    assert announced() == "The weights are hidden."
    control(page, "hide").click()
    assert "example 0, query 1: 1.00, 0, 0, 0" in announced()
    control(page, "reset").click()
    assert announced() == ""


@pytest.mark.own_page
def test_of_many_weights_the_largest_of_the_first_rows_are_announced(
    open_figure: Open, page: Page
) -> None:
    torch.manual_seed(1)
    figure = MaskedSoftmaxFigure(torch.randn(1, 6, 5), [5], lang="zh", step=5)
    open_with_clock(open_figure, page, figure)
    control(page, "per_query").check()
    control(page, "valid_lens[0][1]").fill("0")
    page.clock.run_for(500)
    figure.valid_lens = [[5, 0, 5, 5, 5, 5]]
    rows = [
        f"查询 {q}：键 {int(row.argmax())} 的权重最大，为 {row.max():.2f}"
        if row.sum()
        else f"查询 {q}：全为 0"
        for q, row in enumerate(figure.attention_weights[0][:4])
    ]
    expect(page.locator(STATUS)).to_have_text(f"权重：{'；'.join(rows)}。")


@pytest.mark.own_page
def test_a_drag_is_announced_when_it_ends(open_figure: Open, page: Page) -> None:
    open_with_clock(open_figure, page, EXAMPLES["look_up"]("en"))
    box = grip(page, "keys[0][0]").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"] + 60, steps=4)
    page.clock.run_for(2000)
    expect(page.locator(STATUS)).to_have_text("")
    page.mouse.up()
    page.clock.run_for(500)
    expect(page.locator(STATUS)).to_contain_text("q0 reads ")
    expect(page.locator(STATUS)).to_have_text(page.locator("[data-sentence]").inner_text())


# test_keyboard.py tests that each kind announces changes of one control.
@pytest.mark.exhaustive
@pytest.mark.own_page
@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_every_kind_of_figure_announces_changes(open_figure: Open, page: Page, kind: str) -> None:
    open_with_clock(open_figure, page, EXAMPLES[kind]("en"))
    for control_ in page.locator("[data-control]:not(.toolbar *):visible").all()[:6]:
        if control_.get_attribute("type") == "range" or control_.get_attribute("role") == "slider":
            control_.press("ArrowRight")
        elif control_.get_attribute("type") == "number":
            control_.fill("-3")
        elif control_.evaluate("node => node.tagName") == "SELECT":
            control_.select_option(index=1)
        elif (control_.get_attribute("data-control") or "").startswith(("swap", "visible")):
            control_.click()
        page.clock.run_for(500)
    if not page.locator(STATUS).inner_text():  # the control was already at its end
        page.locator("input[type=range]:visible").first.press("ArrowLeft")
        page.clock.run_for(500)
    sentence = page.locator("[data-sentence]")
    said = sentence.inner_text() if sentence.count() else "Weights: "
    expect(page.locator(STATUS)).to_contain_text(said)
    assert "undefined" not in page.locator(STATUS).inner_text()


def test_external_changes_are_not_announced(page: Page, module_url: str) -> None:
    script = """
      model.set("valid_lens", [1, 1]);
      return new Promise((done) => setTimeout(
        () => done(document.querySelector("[data-announced]").textContent), 700));
    """
    assert changed_from_elsewhere(page, module_url, steps(), script) == ""
