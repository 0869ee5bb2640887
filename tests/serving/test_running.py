"""Test running cells on the page: order, edits, resets, outputs."""

import re
from pathlib import Path

from notebook_page import BEFORE, FIRST, KERNEL, NEXT, Notebook, Session
from playwright.sync_api import Route, expect

KERNELS_FORK = True
DIFFERS = {"en": "This is not the output in the book.", "zh": "与书中的输出不同。"}
FAILED_ABOVE = {"en": "A cell above failed", "zh": "上面有一个单元格出错"}
INTERRUPTED = {"en": "Interrupted.", "zh": "已中断。"}
RUNNING = {"en": re.compile(r"^running for \d+ s$"), "zh": re.compile(r"^已运行 \d+ 秒$")}
LEFT_OUT = {"en": "[earlier output left out]", "zh": "［前面的输出已略去］"}
RESTARTED = {"en": "its variables are gone", "zh": "变量都清空了"}


def test_a_cell_runs_after_those_above_it_and_says_what_the_book_says(notebook: Notebook) -> None:
    notebook["imports"].run().press("restart")
    expect(notebook["imports"].says).to_contain_text(RESTARTED[notebook.language])
    book = notebook[NEXT].output.inner_text()
    notebook[NEXT].run()
    assert notebook.ran == [*BEFORE, "wider-figure", NEXT]
    expect(notebook[NEXT].output).to_contain_text("0.3008, 0.1651, 0.3325, 0.2016")
    assert notebook[NEXT].output.inner_text().split() == book.split()  # tracebacks differ
    expect(notebook[NEXT].says).to_be_empty()
    notebook["fill-and-softmax"].run()
    assert notebook.ran == [*BEFORE, "wider-figure", NEXT, "steps-figure", "fill-and-softmax"]


def test_code_is_changed_in_place_and_its_output_is_distinguished_from_the_books(
    notebook: Notebook,
) -> None:
    cell = notebook[FIRST]
    book = cell.output.inner_text()
    cell.run("print(sum(range(10)))")
    expect(cell.output).to_have_text("45")
    expect(cell.output).to_have_attribute("data-differs", "")
    expect(cell.says).to_have_text(DIFFERS[notebook.language])
    notebook["imports"].run()
    expect(cell.says).to_have_text(DIFFERS[notebook.language])
    cell.press("reset")
    expect(cell.code).to_have_count(0)
    assert cell.output.inner_text() == book
    expect(cell.output).not_to_have_attribute("data-differs", "")
    expect(cell.says).to_be_empty()


def test_shift_enter_runs_from_the_editor_and_other_keys_write(notebook: Notebook) -> None:
    cell = notebook[FIRST]
    cell.write("x = 6\n")
    notebook.page.keyboard.type("x * 7")
    notebook.page.keyboard.press("Shift+Enter")
    cell.ends("done")
    expect(cell.output).to_have_text("42")
    expect(cell.code).to_have_text("x = 6x * 7")
    expect(cell.code).to_be_focused()
    notebook.page.keyboard.press("Escape")
    notebook.page.keyboard.press("Tab")
    expect(cell.code).not_to_be_focused()


def test_what_the_reader_wrote_is_there_after_a_reload_and_so_are_the_variables(
    notebook: Notebook,
) -> None:
    notebook[FIRST].run("kept = 'since before'")
    notebook[NEXT].write("print(kept)")
    notebook.page.reload()
    expect(notebook[NEXT].code).to_have_text("print(kept)")
    expect(notebook[FIRST].code).to_have_text("kept = 'since before'")
    notebook[NEXT].run()
    expect(notebook[NEXT].output).to_have_text("since before")
    assert notebook.ran == ["sentence-figure", "wider-figure", NEXT]  # figures: linked again


def test_what_runs_since_before_a_reload_can_be_interrupted(notebook: Notebook) -> None:
    cell = notebook[FIRST]
    cell.write("import time\nwhile True: time.sleep(0.1)")
    cell.press("run")
    expect(cell.says).to_have_text(RUNNING[notebook.language])  # and is not about to run
    notebook.page.reload()
    expect(cell.code).to_contain_text("while True")
    cell.write("print('free')")
    cell.press("run")
    cell.press("interrupt")
    cell.ends("done")
    expect(cell.output).to_have_text("free")


def test_a_traceback_is_of_the_readers_code_and_the_rest_is_folded(notebook: Notebook) -> None:
    cell = notebook[FIRST]
    cell.run("def slip(x):\n    return x / 0\nslip(1)", "failed")
    shown = cell.output.locator(".traceback > .highlight").first
    expect(shown).to_contain_text("slip(1)")
    expect(shown).to_contain_text("return x / 0")
    expect(shown).to_contain_text("ZeroDivisionError: division by zero")
    expect(shown.locator("[class*=ansi-red]").first).to_be_visible()
    expect(cell.output.locator("details")).to_have_count(0)
    expect(cell.output).not_to_have_attribute("data-differs", "")
    cell.run("import torch\ntorch.nn.Linear(2, 3)(torch.ones(4))", "failed")
    expect(shown).to_contain_text("torch.nn.Linear(2, 3)")
    expect(shown).to_contain_text("RuntimeError")
    assert "modules/linear.py" not in shown.inner_text()
    cell.output.locator("summary").click()
    expect(cell.output.locator("details")).to_contain_text("modules/linear.py")


def test_what_is_below_a_cell_that_failed_does_not_run_and_leads_there(notebook: Notebook) -> None:
    failing, below = notebook[FIRST], notebook[NEXT]
    failing.run("1 / 0", "failed")
    notebook.page.reload()
    below.press("run")
    expect(failing.place).to_have_attribute("data-state", "failed")
    expect(below.bar).to_contain_text(FAILED_ABOVE[notebook.language])
    assert below.place.get_attribute("data-state") is None
    below.press("there")
    expect(failing.button("run")).to_be_focused()


OUTPUTS = """
import sys, time
from IPython.display import HTML, clear_output, display
print("one", end="\\rtwo\\n")
print("\\x1b[31mred\\x1b[0m <b>text</b>")
print("to stderr", file=sys.stderr)
handle = display(HTML("<em>before</em>"), display_id=True)
handle.update(HTML("<em>after</em> <b>bold</b>"))
"""


def test_outputs_are_shown_as_jupyter_shows_them(notebook: Notebook) -> None:
    cell = notebook[FIRST].run(OUTPUTS)
    expect(cell.output.locator(".stream")).to_have_text("two\nred <b>text</b>")
    expect(cell.output.locator(".stream .ansi-red-fg")).to_have_text("red")
    expect(cell.output.locator(".stderr")).to_have_text("to stderr")
    expect(cell.output.locator("em")).to_have_text("after")
    picture = notebook["asking-the-heatmaps"]
    picture.run().output.locator("img[src^='data:image/png']").wait_for()
    expect(picture.output).not_to_have_attribute("data-differs", "")
    cell.run(
        "from IPython.display import clear_output\nprint(1)\nclear_output(wait=True)\nprint(2)"
    )
    expect(cell.output).to_have_text("2")


def test_of_a_long_output_the_end_is_shown(notebook: Notebook) -> None:
    cell = notebook[FIRST].run("for i in range(30_000): print(i, 'x' * 20)")
    assert "29999 xxx" in cell.output.inner_text()
    # All but the end arrives at once in both cases, and what is shown has the same length.
    cell.run("import time\nfor c in 'ab':\n    print(c * 300_000, flush=True)\n    time.sleep(1)")
    shown = cell.output.inner_text()
    assert len(shown) < 120_000
    assert shown.startswith(LEFT_OUT[notebook.language])
    assert shown.rstrip().endswith("bbb")


HOSTILE = """
from IPython.display import HTML, SVG, Javascript, display
display(HTML('''<script>window.acted = 1</script><p onclick="window.acted = 2">words</p>
<img src="x" onerror="window.acted = 3"><img src="http://example.org/a.png">
<form action="http://example.org"><input name="a"><button>send</button></form>
<iframe src="http://example.org"></iframe><a href="javascript:window.acted = 4">link</a>
<style>body { display: none }</style><p style="position: fixed; inset: 0; color: red">over</p>
<link rel="stylesheet" href="http://example.org/a.css"><base href="http://example.org">'''))
display(SVG('<svg xmlns="http://www.w3.org/2000/svg" onload="window.acted = 5"><script>window.acted'
            ' = 6</script><rect width="9" height="9"/></svg>'))
display(Javascript("window.acted = 7"))
"""


def test_html_of_an_output_shows_and_does_nothing(notebook: Notebook) -> None:
    cell = notebook[FIRST].run(HOSTILE)
    words = cell.output.locator("p", has_text="words")
    words.click()
    expect(cell.output.locator("img[src^='data:image/svg+xml']")).to_be_visible()
    assert cell.output.locator("form, iframe, script, style, link, base, input").count() == 0
    over = cell.output.locator("p", has_text="over")
    expect(over).to_have_css("position", "static")
    assert cell.output.locator("a[href^=javascript], [src*='example.org']").count() == 0
    assert notebook.page.evaluate("window.acted") is None


# Every class in a rule of the page's style sheets.
CLASSES = r"""() => {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const names = rules.flatMap(({ cssText }) => cssText.match(/\.[A-Za-z_][\w-]*/g) ?? []);
  return [...new Set(names)].map((name) => name.slice(1)); }"""
OUTSIDE = """(output) => {
  const place = output.getBoundingClientRect();
  return [...output.querySelectorAll("*")].filter((part) => {
    const { top, left, right, bottom } = part.getBoundingClientRect();
    return top < place.top || left < place.left || right > place.right || bottom > place.bottom;
  }).length; }"""


def test_html_of_an_output_cannot_cover_the_page_with_its_classes(notebook: Notebook) -> None:
    names = notebook.page.evaluate(CLASSES)
    assert {"overlay", "search-button__overlay", "show", "attention-figure"} <= set(names)
    shown = "<p class='{0} {0} show'>{0}</p><p class='overlay {0} show'>{0}</p>"
    cell = notebook[FIRST].run(
        "from IPython.display import HTML\n"
        f"HTML(''.join({shown!r}.format(name) for name in '{' '.join(names)}'.split()))"
    )
    expect(cell.output.locator("p")).to_have_count(2 * len(names))
    assert cell.output.locator("p[class]").count() == 0
    assert cell.output.evaluate(OUTSIDE) == 0


WRITTEN = r"""
from IPython.display import Latex, Markdown, Math, display
display(Markdown('''**bold** `a$b` $\\frac{a}{b} < 1$

| $x$ |
|---|
| 1 |

<p title="$x$" class="modal" onclick="window.acted = 8">words
<a href="javascript:acted = 9">link</a></p>
'''))
display(Math(r"\operatorname{softmax}(z)"))
display(Latex(r"Let $z < 0$ and \begin{align}a &= b\end{align}"))
display(Math(r"\rule{900em}{900em} \kern-900em \raisebox{900em}{x}"))
display(Math(r"\href{javascript:acted}{y} \undefined"))
"""


def test_markdown_and_latex_are_set_and_stay_in_their_place(notebook: Notebook) -> None:
    cell = notebook[FIRST].run(WRITTEN)
    markdown, latex = (cell.output.locator(f".text_{kind}") for kind in ("markdown", "latex"))
    expect(markdown.locator("strong")).to_have_text("bold")
    expect(markdown.locator("code")).to_have_text("a$b")
    expect(markdown.locator("math")).to_have_count(2)
    expect(markdown.locator("table math mi")).to_have_text("x")
    expect(latex).to_have_count(4)
    expect(latex.first.locator("math mi").first).to_have_text("softmax")
    expect(latex.nth(1)).to_contain_text("Let")
    expect(latex.nth(1).locator("math[display=block] mtr")).to_have_count(1)
    assert "amp" not in latex.nth(1).inner_text()
    expect(cell.output.locator(".katex-error")).to_have_count(0)
    markdown.locator("p", has_text="words").click()
    assert notebook.page.evaluate("window.acted") is None
    assert cell.output.locator("a[href], .modal, [onclick]").count() == 0
    kept = """(boxes) => boxes.every((box) => box.clientHeight < 900
      && getComputedStyle(box).overflow === "auto")"""
    assert latex.evaluate_all(kept)


def test_help_is_shown_below_the_cell_that_asks(notebook: Notebook) -> None:
    cell = notebook[FIRST].run("import torch\ntorch.softmax?")
    expect(cell.output).to_contain_text("softmax(input, dim, *, dtype=None) -> Tensor")


THREAD = """import threading, time
from pathlib import Path
def later():
    while not Path({!r}).exists(): time.sleep(0.01)
    print("late", flush=True)
thread = threading.Thread(target=later)
thread.start()"""


def test_what_a_thread_prints_after_its_cell_stands_there(
    notebook: Notebook, tmp_path: Path
) -> None:
    cell, go, again = notebook[FIRST], tmp_path / "go", tmp_path / "again"
    book = cell.output.inner_text()
    cell.run(THREAD.format(str(go)))
    go.touch()
    expect(cell.output).to_have_text("late")
    cell.run(THREAD.format(str(again)))
    expect(cell.output).to_be_empty()
    cell.press("reset")
    again.touch()
    notebook[NEXT].run("thread.join()")
    assert cell.output.inner_text() == book


def test_a_cell_can_ask_for_a_line(notebook: Notebook) -> None:
    cell = notebook[FIRST]
    cell.write("print('first')\nname = input('Name? ')\nprint('hello', name)")
    cell.press("run")
    expect(cell.output.get_by_label("Name?")).to_be_focused()
    notebook.page.keyboard.type("Mia")
    notebook.page.keyboard.press("Enter")
    cell.ends("done")
    expect(cell.output).to_have_text("first\nName? Mia\nhello Mia")
    expect(cell.button("run")).to_be_focused()
    cell.write("from getpass import getpass\ngetpass()")
    cell.press("run")
    expect(cell.output.locator("input[type=password]")).to_be_focused()
    cell.press("interrupt")
    cell.ends("failed")
    expect(cell.output.locator("input")).to_have_count(0)


def test_a_long_running_cell_says_so_and_can_be_interrupted(notebook: Notebook) -> None:
    cell = notebook[FIRST]
    cell.write("import time\nmark = 5\ntime.sleep(60)")
    cell.press("run")
    expect(notebook.page.locator(KERNEL.format("busy"))).to_be_attached()
    expect(cell.says).to_have_text(RUNNING[notebook.language])
    cell.press("interrupt")
    cell.ends("failed")
    expect(cell.says).to_have_text(INTERRUPTED[notebook.language])
    expect(cell.output).to_contain_text("KeyboardInterrupt")
    cell.run("print(mark)")
    expect(cell.output).to_have_text("5")


def test_python_restarts_without_variables(notebook: Notebook) -> None:
    cell = notebook[FIRST]
    cell.run("variable = 1")
    cell.press("restart")
    expect(cell.says).to_contain_text(RESTARTED[notebook.language])
    expect(notebook.page.locator(KERNEL.format("idle"))).to_be_attached()
    cell.run("print(variable)", "failed")
    expect(cell.output).to_contain_text("NameError")


def test_after_a_restart_of_which_the_page_did_not_hear_all_runs_again(
    notebook: Notebook, session: Session
) -> None:
    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    notebook[FIRST].run("variable = 1")
    notebook.page.route(re.compile("/restart"), lose)
    with notebook.page.expect_event("requestfailed"):
        notebook[FIRST].press("restart")
    notebook.page.unroute_all()
    notebook.page.reload()
    notebook[NEXT].run()
    assert "imports" in notebook.ran
    session.problems.clear()  # the browser logs the lost response
