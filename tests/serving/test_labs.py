"""What a kernel shows besides text is alive on the page: labs, figures, verdicts on answers."""

import re

from notebook_page import KERNEL, Notebook
from playwright.sync_api import expect


def test_a_lab_follows_its_sliders_and_python_knows(notebook: Notebook) -> None:
    lab = notebook["lab-explorer"].run()
    sliders = lab.output.locator(".noUi-handle")
    expect(sliders).to_have_count(3)
    picture = lab.output.locator("img")
    expect(picture).to_be_visible()
    before, numbers = picture.get_attribute("src"), lab.output.locator("pre").inner_text()
    sliders.nth(2).focus()
    notebook.page.keyboard.press("ArrowLeft")
    expect(lab.output.locator(".widget-readout").nth(2)).to_have_text("3")
    expect(picture).not_to_have_attribute("src", before or "")
    assert lab.output.locator("pre").inner_text() != numbers
    told = notebook["board"].run("print(num_keys.value)\nnorth.value = -2.5")
    expect(told.output).to_have_text("3")
    expect(lab.output.locator(".widget-readout").first).to_have_text("−2.50")


def test_a_figure_that_ran_is_linked_with_python(notebook: Notebook) -> None:
    cell = notebook["pooling-figure"]
    anchor = notebook.page.locator("#figure-pooling")
    expect(anchor).to_have_count(1)
    cell.run()
    figure = cell.output.locator("[data-figure=pooling]")
    control = figure.locator("[data-control=temperature]")
    expect(control).to_be_visible()
    expect(cell.output).not_to_have_attribute("data-differs", "")
    expect(anchor).to_have_count(1)
    expect(cell.output).to_have_attribute("id", "figure-pooling")
    other = notebook["board"].run("pooling.temperature = 0\nprint(pooling.attention_weights[0, 0])")
    expect(control).to_have_value("0")
    control.focus()
    notebook.page.keyboard.press("ArrowRight")
    moved = control.input_value()
    assert moved != "0"
    other.run("print(pooling.temperature > 0)")
    expect(other.output).to_have_text("True")
    cell.press("reset")
    expect(anchor).to_have_count(1)
    assert cell.output.get_attribute("id") is None


RIGHT = """def soft_lookup(query, keys, values, temperature):
    scores = -(keys - query).square().sum(dim=1) / 2
    return torch.softmax(scores / temperature, dim=0) @ values
check("soft-lookup", soft_lookup, lang="{}")"""


def test_an_answer_is_written_run_and_judged(notebook: Notebook) -> None:
    book = notebook["solution-soft-lookup"].output.locator("p").first.text_content() or ""
    cell = notebook["exercise-soft-lookup"]
    wrong = RIGHT.replace("-(", "(").format(notebook.language)
    cell.run(wrong)
    verdict = cell.output.locator(".text_html p").first
    expect(verdict).not_to_be_empty()
    expect(verdict).not_to_have_text(book)
    cell.run(RIGHT.format(notebook.language))
    expect(verdict).to_have_text(book)


OUTPUT_WIDGET = """from ipywidgets import IntSlider, interact
@interact(n=IntSlider(2, max=5))
def squares(n):
    print([i * i for i in range(n)])
"""
OWN = '''import anywidget, traitlets
class Counter(anywidget.AnyWidget):
    _esm = """
    export default {{ render({{ model, el }}) {{
      const button = document.createElement("button");
      const show = () => {{ button.textContent = "{0} " + model.get("count"); }};
      button.onclick = () => {{
        model.set("count", model.get("count") + 1);
        model.save_changes();
      }};
      model.on("change:count", show);
      show();
      el.append(button);
    }} }};"""
    count = traitlets.Int(0).tag(sync=True)
counter = Counter()
counter'''


def test_widgets_of_the_readers_own_work(notebook: Notebook) -> None:
    cell = notebook["board"].run(OUTPUT_WIDGET)
    printed = cell.output.locator(".stream")
    expect(printed).to_have_text("[0, 1]")
    cell.output.locator(".noUi-handle").focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(printed).to_have_text("[0, 1, 4]")
    own = notebook["two-boards"].run(OWN.format("pressed"))
    own.output.get_by_role("button").click()
    expect(own.output.get_by_role("button")).to_have_text("pressed 1")
    cell.run("counter.count += 10; print(counter.count)")
    expect(cell.output).to_have_text("11")
    expect(own.output.get_by_role("button")).to_have_text("pressed 11")


def test_a_widget_of_before_a_reload_can_be_shown_again(notebook: Notebook) -> None:
    notebook["board"].run("from ipywidgets import IntSlider\nkept = IntSlider(3)\nkept")
    notebook.page.reload()
    cell = notebook["two-boards"].run("kept.value += 1\nkept")
    expect(cell.output.locator(".widget-readout")).to_have_text("4")
    cell.output.locator(".noUi-handle").focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(cell.output.locator(".widget-readout")).to_have_text("5")
    cell.run("print(kept.value)")
    expect(cell.output).to_have_text("5")


def test_a_lab_of_a_python_that_is_gone_rests(notebook: Notebook) -> None:
    cell = notebook["two-boards"].run("from ipywidgets import IntSlider\nIntSlider()")
    slider = cell.output.locator("[data-widget]")
    expect(slider.locator(".noUi-handle")).to_be_visible()
    cell.press("restart")
    expect(slider).to_have_attribute("inert", "")
    expect(notebook.page.locator(KERNEL.format("idle"))).to_be_attached()
    cell.run()
    expect(slider).not_to_have_attribute("inert", re.compile(""))
