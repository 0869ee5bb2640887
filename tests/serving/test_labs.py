"""Test that rich outputs of a kernel work on the page: labs, figures, verdicts."""

import re
from contextlib import closing

from notebook_page import FIRST, KERNEL, NEXT, Notebook, Session
from playwright.sync_api import expect

from attention_course.exercises import check_source

KERNELS_FORK = True


def test_a_lab_follows_its_sliders_and_python_knows(notebook: Notebook) -> None:
    lab = notebook["lab-explorer"].run()
    sliders = lab.output.locator(".noUi-handle")
    expect(sliders).to_have_count(4)
    picture = lab.output.locator("img")
    expect(picture).to_be_visible()
    before, numbers = picture.get_attribute("src"), lab.output.locator("pre").inner_text()
    sliders.nth(1).focus()
    notebook.page.keyboard.press("ArrowLeft")
    expect(lab.output.locator(".widget-readout").nth(1)).to_have_text("2")
    expect(picture).not_to_have_attribute("src", before or "")
    assert lab.output.locator("pre").inner_text() != numbers
    told = notebook[FIRST].run("print(length_1.value)\nkey_0.value = -2.5")
    expect(told.output).to_have_text("2")
    expect(lab.output.locator(".widget-readout").nth(2)).to_have_text("−2.50")


def test_the_figure_of_the_page_is_linked_with_python(notebook: Notebook) -> None:
    cell = notebook["wider-figure"]
    figure = cell.output.locator("[data-figure=wider]")
    control = figure.locator("input[data-control='valid_lens[0]']")
    control.fill("2")
    figure.evaluate("(figure) => { figure.isTheBooks = true }")
    other = notebook[NEXT].run("print(wider.valid_lens)\nwider.valid_lens = [4]")
    expect(other.output).to_have_text("[2]")
    expect(control).to_have_value("4")
    control.focus()
    notebook.page.keyboard.press("ArrowLeft")
    expect(control).to_have_value("3")
    other.run("print(wider.valid_lens, wider.scores[0][0][0])\nwider.valid_lens = 9", "failed")
    expect(other.output).to_contain_text("[3] 0.8")
    expect(control).to_have_value("3")
    assert figure.evaluate("(figure) => figure.isTheBooks")
    expect(cell.button("run")).to_be_hidden()  # its code is not shown
    other.press("restart")
    expect(other.says).not_to_be_empty()
    control.focus()
    notebook.page.keyboard.press("ArrowLeft")
    expect(control).to_have_value("2")


def test_a_figure_of_the_readers_own_takes_the_place_of_the_books(notebook: Notebook) -> None:
    cell = notebook["wider-figure"]
    anchor = notebook.page.locator("#figure-wider")
    expect(anchor).to_have_count(1)
    other = notebook[NEXT]
    notebook[FIRST].run("say.morning = [word + '!' for word in say.morning]")
    other.run("pass")
    cell.ends("done")
    figure = cell.output.locator("[data-figure=wider]")
    expect(figure).to_have_count(1)
    control = figure.locator("input[data-control='valid_lens[0]']")
    expect(control).to_have_value("4")
    expect(anchor).to_have_count(1)
    expect(cell.output).to_have_attribute("id", "figure-wider")
    other.run("wider.valid_lens = [1]")
    expect(control).to_have_value("1")
    control.focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(control).to_have_value("2")
    other.run("print(wider.valid_lens)")
    expect(other.output).to_have_text("[2]")
    cell.press("reset")
    expect(anchor).to_have_count(1)
    assert cell.output.get_attribute("id") is None
    expect(figure.locator("[data-question]")).to_be_visible()


RIGHT = """def my_masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, dim=-1)
    lens = valid_lens[:, None] if valid_lens.dim() == 1 else valid_lens
    keep = torch.arange(X.shape[-1]) < lens[:, :, None]
    return torch.softmax(X.masked_fill(~keep, -torch.inf), dim=-1).masked_fill(~keep, 0)
"""
EXERCISE = "masked-softmax"


def test_the_kernel_judges_what_a_reader_writes(notebook: Notebook) -> None:
    page = notebook.page
    exercise = page.locator(f'[data-exercise="{EXERCISE}"]')
    verdict, judge = exercise.locator("[data-code-verdict]"), exercise.locator("[data-judge]")
    exercise.locator("[data-editor]").click()
    code = exercise.locator(".cm-content")
    for source in (RIGHT.replace(", 0)", ", 1)"), "return 1", RIGHT):
        code.focus()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.insert_text(source)
        judge.click()
        expect(exercise.locator("[data-judged-by]")).to_have_attribute("data-judged-by", "kernel")
        said = check_source(EXERCISE, source, notebook.language, name="my_masked_softmax")
        assert verdict.locator("div").inner_html() == said._repr_html_()
    expect(exercise.locator(".exercise-done")).to_be_visible()
    told = notebook[FIRST].run("print(In[1:], 'my_masked_softmax' in globals())")
    expect(told.output).not_to_contain_text("check_source")
    expect(told.output).to_contain_text("False")


UNREACHABLE = {"en": "The server could not judge", "zh": "服务器没能判定"}


def test_without_its_kernel_a_page_says_so_and_judges_in_the_browser(notebook: Notebook) -> None:
    page = notebook.page
    page.evaluate("() => { window.askKernel = () => Promise.reject(new Error('gone')) }")
    exercise = page.locator(f'[data-exercise="{EXERCISE}"]')
    exercise.locator("[data-way=own]").check()
    exercise.locator("[data-judge]").click()
    by = exercise.locator("[data-judged-by]")
    expect(by).to_have_attribute("data-judged-by", "browser")
    expect(by).to_contain_text(UNREACHABLE[notebook.language])


def test_an_exercise_stays_as_it_is_while_its_cell_runs(session: Session) -> None:
    (chapter,) = session.context.pages
    address = re.sub(r"\d\d-[a-z-]+", "03-scoring-functions", chapter.url)
    with closing(session.open(address)) as page:
        notebook = Notebook(page, "")
        exercise = notebook["answer-by-hand"]
        assert not exercise.bar.is_visible()
        own = exercise.output.locator("[data-exercise]")
        own.evaluate("(own) => { own.isTheBooks = true }")
        notebook["solution-what-stays"].run()
        assert "answer-by-hand" in notebook.ran
        assert own.evaluate("(own) => own.isTheBooks")


OUTPUT_WIDGET = """from ipywidgets import IntSlider, interact
@interact(n=IntSlider(2, max=5))
def squares(n):
    print([i * i for i in range(n)])
"""
OWN = '''import anywidget, traitlets
class Counter(anywidget.AnyWidget):
    _css = "button {{ border-style: dashed }}"
    _esm = """
    const initialize = ({{ model }}) => {{
      model.set("started", model.get("started") + 1);
      model.save_changes();
    }};
    export default async () => ({{ initialize, render({{ model, el }}) {{
      const button = document.createElement("button");
      const show = () => {{ button.textContent = "{0} " + model.get("count"); }};
      button.onclick = () => {{
        model.set("count", model.get("count") + 1);
        model.save_changes();
      }};
      model.on("change:count", show);
      show();
      el.append(button);
    }} }});"""
    count = traitlets.Int(0).tag(sync=True)
    started = traitlets.Int(0).tag(sync=True)
counter = Counter()
counter'''


def test_widgets_of_the_readers_own_work(notebook: Notebook) -> None:
    cell = notebook[FIRST].run(OUTPUT_WIDGET)
    printed = cell.output.locator(".stream")
    expect(printed).to_have_text("[0, 1]")
    cell.output.locator(".noUi-handle").focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(printed).to_have_text("[0, 1, 4]")
    own = notebook[NEXT].run(OWN.format("pressed"))
    own.output.get_by_role("button").click()
    expect(own.output.get_by_role("button")).to_have_text("pressed 1")
    cell.run("counter")
    expect(cell.output.get_by_role("button")).to_have_text("pressed 1")
    expect(cell.output.get_by_role("button")).to_have_css("border-style", "dashed")
    cell.run("counter.count += 10; print(counter.count, counter.started)")
    expect(cell.output).to_have_text("11 1")
    expect(own.output.get_by_role("button")).to_have_text("pressed 11")


def test_a_widget_of_before_a_reload_can_be_shown_again(notebook: Notebook) -> None:
    imported: list[
        str
    ] = []  # the page has the figures' scripts already, and needs none from a kernel
    notebook.page.on("request", lambda request: imported.append(request.url[:5]))
    notebook[FIRST].run("from ipywidgets import IntSlider\nkept = IntSlider(3)\nkept")
    notebook.page.reload()
    cell = notebook[NEXT].run("kept.value += 1\nkept")
    expect(cell.output.locator(".widget-readout")).to_have_text("4")
    cell.output.locator(".noUi-handle").focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(cell.output.locator(".widget-readout")).to_have_text("5")
    cell.run("print(kept.value)")
    expect(cell.output).to_have_text("5")
    assert "blob:" not in imported


def test_a_lab_of_a_python_that_is_gone_rests(notebook: Notebook) -> None:
    cell = notebook[NEXT].run("from ipywidgets import IntSlider\nIntSlider()")
    slider = cell.output.locator("[data-widget]")
    expect(slider.locator(".noUi-handle")).to_be_visible()
    cell.press("restart")
    expect(slider).to_have_attribute("inert", "")
    expect(notebook.page.locator(KERNEL.format("idle"))).to_be_attached()
    cell.run()
    expect(slider).not_to_have_attribute("inert", re.compile(""))
