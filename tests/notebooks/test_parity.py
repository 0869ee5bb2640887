"""Test that the languages are in parity, and that each rule of parity can fail."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from attention_figures import bundle
from tools import parity, prose
from tools.packages import PACKAGES, ROOT

CHAPTER = [parity.BOOK / language / "04-masked-softmax.ipynb" for language in ("en", "zh")]
OUTPUT = nbformat.v4.new_output("stream", text="1\n")


def notebook(source: str, outputs: tuple[NotebookNode, ...] = (OUTPUT,)) -> NotebookNode:
    code = nbformat.v4.new_code_cell(source, id="number", execution_count=1, outputs=list(outputs))
    text = nbformat.v4.new_markdown_cell("Let $x$ be", id="words")
    return nbformat.v4.new_notebook(cells=[text, code])


def compared(english: str, chinese: str) -> list[str]:
    return parity.differences(notebook(english), notebook(chinese))


def test_every_page_of_the_book_agrees_with_its_translation() -> None:
    found = parity.problems()
    assert not found, "\n".join(found)


def test_changed_code_cells_of_a_chapter_are_named() -> None:
    english, chinese = (nbformat.read(path, as_version=4) for path in CHAPTER)
    code = [cell for cell in chinese.cells if cell.cell_type == "code"]
    changed = code[1::2]
    assert changed
    for cell in changed:
        cell.source += "\nprint(1)"
    expected = [f"{cell.id}: the code differs" for cell in changed]
    assert parity.differences(english, chinese) == expected


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("print(1)  # one", "# 一\nprint(1)"),
        ('Figure(x, lang="en")', "Figure(x, lang='zh')"),
        ('axis("keys")', 'axis("键")'),
        ('print(f"{a} of {b}")', 'print(f"共 {b}，第 {a}")'),
    ],
)
def test_code_may_differ_in_its_words(english: str, chinese: str) -> None:
    assert compared(english, chinese) == []


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("print(1)", "print(2)"),
        ("print(1)", "print(1.0)"),
        ("print(x)", "print(键)"),
        ("print(1)", "print(1, 1)"),
        ('axis("keys")', 'axis("Keys")'),
        ('axis("keys")', 'axis(key, "键")'),
        ('Figure(lang="en")', 'Figure(lang="en")'),
        ('Figure(lang="zh")', 'Figure(lang="zh")'),
        ('Figure(name="en")', 'Figure(name="zh")'),
        ('print(f"{a:.2f} keys")', 'print(f"{a:.3f} 个键")'),
        ('print(f"{a} keys")', 'print("两个键")'),
    ],
)
def test_code_may_not_differ_otherwise(english: str, chinese: str) -> None:
    assert compared(english, chinese) == ["number: the code differs"]


def test_equal_code_has_equal_outputs() -> None:
    other = nbformat.v4.new_output("stream", text="2\n")
    english, chinese = notebook("print(1)  # one"), notebook("print(1)  # 一", (other,))
    assert parity.differences(english, chinese) == ["number: equal code, but other outputs"]


@pytest.mark.parametrize(
    ("english", "chinese", "same"),
    [
        ("weight 0.5\n", "权重 0.5\n", True),
        ("weight 0.5\n", "权重 0.4\n", False),
        ("True 0.5\n", "False 0.5\n", False),
        ("weight 0.5\n", "weights 0.5\n", False),
    ],
)
def test_only_chinese_words_of_an_output_may_differ(english: str, chinese: str, same: bool) -> None:
    ours, theirs = (
        notebook("print(name, x)", (nbformat.v4.new_output("stream", text=text),))
        for text in (english, chinese)
    )
    assert parity.differences(ours, theirs) == (
        [] if same else ["number: equal code, but other outputs"]
    )


def drop(twin: NotebookNode) -> None:
    del twin.cells[0]


def add(twin: NotebookNode) -> None:
    twin.cells.insert(1, nbformat.v4.new_markdown_cell("别的", id="other"))


def swap(twin: NotebookNode) -> None:
    twin.cells.reverse()


def retype(twin: NotebookNode) -> None:
    twin.cells[1].cell_type = "raw"


def tag(twin: NotebookNode) -> None:
    twin.cells[1].metadata.tags = ["lab"]


def slide(twin: NotebookNode) -> None:
    twin.cells[0].metadata.slideshow = {"slide_type": "notes"}


def reword(twin: NotebookNode) -> None:
    twin.cells[0].source = "设 $y$ 为"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop, "words: in English only"),
        (add, "other: in Chinese only"),
        (swap, "words: number stands in its place in Chinese"),
        (retype, "number: code became raw"),
        (tag, "number: tags: None became"),
        (slide, "words: slide: '' became 'notes'"),
        (reword, "words: formula: ['x'] became ['y']"),
    ],
)
def test_cells_agree(change: Callable[[NotebookNode], None], message: str) -> None:
    twin = notebook("print(1)")
    change(twin)
    found = parity.differences(notebook("print(1)"), twin)
    assert len(found) == 1
    assert found[0].startswith(message)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("# One\n\nLet $a$, then $b$.", "# 一\n\n由 $b$ 得 $a$，所以 $a$。"),
        ("$$ a  b $$ (en-sum)", "$$\na b\n$$ (zh-sum)"),
        (r"$$ n_\text{keys} + m_\text{max} $$", r"$$ n_\text{键} + m_\text{max} $$"),
        ("(en-a)=\n## One", "(zh-a)=\n## 一"),
        ("See {ref}`there <en-a>` and {eq}`en-b`.", "由 {eq}`zh-b`，见 {ref}`zh-a`。"),
        ("[there](#en-a)", "[那里](#zh-a)"),
        ("{cite}`x,y` and {cite:p}`z`", "{cite}`z` 与 {cite}`y,x`"),
        (":::{note}\nLet $a$.\n:::", "```{note}\n设 $a$。\n```"),
        ("`$a$` is code", "`$b$` 是代码"),
        ("```python\n$a$\n```", "```python\n$b$\n```"),
    ],
)
def test_prose_may_differ_in_its_words(english: str, chinese: str) -> None:
    assert prose.differences(english, chinese) == []


@pytest.mark.parametrize(
    ("english", "chinese", "kind"),
    [
        ("Let $a$ be", "设 $a_1$ 为", "formula"),
        ("Let $a$ be", "设它为", "formula"),
        ("设它为", "Let $a$ be", "formula"),
        ("$$a$$", "$$b$$", "equation"),
        ("$$a$$\n\n$$b$$", "$$b$$\n\n$$a$$", "equation"),
        ("$$a$$", "$$a$$\n\n$$a$$", "equation"),
        (r"$$a_\text{keys}$$", r"$$b_\text{键}$$", "equation"),
        (r"$$a_\text{keys}$$", r"$$a_\text{key}$$", "equation"),
        (r"\begin{align}a\end{align}", r"\begin{align}b\end{align}", "equation"),
        ("```{math}\na\n```", "```{math}\nb\n```", "equation"),
        ("$$a$$ (en-x)", "$$a$$ (zh-y)", "label"),
        ("```{math}\n:label: en-x\na\n```", "```{math}\n:label: zh-y\na\n```", "label"),
        ("(en-x)=\n# A", "(zh-y)=\n# 一", "label"),
        ("{ref}`a <en-x>`", "{ref}`a <zh-y>`", "reference"),
        ("{eq}`en-x`", "{eq}`zh-y`", "reference"),
        ("[a](en-x)", "[一](zh-y)", "reference"),
        ("{cite}`x`", "{cite}`y`", "citation"),
        ("# A", "## 一", "heading"),
        (":::{note}\na\n:::", ":::{tip}\n一\n:::", "directive"),
        (":::{note}\n$a$\n:::", ":::{note}\n$b$\n:::", "formula"),
    ],
)
def test_prose_may_not_differ_otherwise(english: str, chinese: str, kind: str) -> None:
    found = prose.differences(english, chinese)
    assert [difference.split(":")[0] for difference in found] == [kind]


@pytest.mark.parametrize(
    ("words", "faults"),
    [
        ("行 0 是填充", ["ordinal: 行 0"]),
        ("行 $i$", ["ordinal: 行 i"]),
        ("第一行", ["ordinal: 第一行"]),
        ("第一个查询", ["ordinal: 第一个查询"]),
        ("- 点积\n- 列 2", ["ordinal: 列 2"]),
        ("| 行 3 |\n|---|\n| 0 |", ["ordinal: 行 3"]),
        (":::{note}\n步 0\n:::", ["ordinal: 步 0"]),
        ("等于 3 · 4 = 12", ["interpunct: 3 · 4"]),
        ("占 86.3 %", ["percent: 3 %"]),
        ("形状是（批量, 查询）", ["bracket: （批量, 查询）"]),
        ("第 0 行、第 0 个查询、样本 0 与第 $i$ 列；共 3 行 2 列，每步 4 个", []),
        ("第 4 章第 2 题的第一步，第 3 步", []),
        ("威廉·詹姆斯（William James, 1890）", []),
        ("等于 $3 \\cdot 4$，占 9%，即 `3 · 4`", []),
        ("```python\n# 行 0\n```", []),
    ],
)
def test_chinese_prose_counts_and_multiplies_in_one_way(words: str, faults: list[str]) -> None:
    assert prose.chinese_faults(words) == faults


def test_faults_of_a_chinese_notebook_are_named_with_their_cell() -> None:
    twin = notebook("print(1)")
    twin.cells[0].source = "行 0"
    assert parity.faults(twin) == ["words: ordinal: 行 0"]


def test_figures_and_exercises_count_and_multiply_in_that_way_too() -> None:
    said = [*bundle.strings("zh").values()]
    for path in (path for name in PACKAGES for path in (ROOT / name).rglob("*.py")):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
        said += [text for text in texts if isinstance(text, str) and prose.has_chinese(text)]
    assert len(said) > 1000
    assert [fault for words in said for fault in prose.chinese_faults(words)] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_chapter_shows_in_the_other_language_is_named(language: str) -> None:
    english, chinese = (nbformat.read(path, as_version=4) for path in CHAPTER)
    page, other = (english, chinese) if language == "en" else (chinese, english)
    kinds = set()
    for cell, twin in zip(page.cells, other.cells, strict=True):
        kind = re.search("data-figure|data-exercise|'text/html': '<p>", str(cell.get("outputs")))
        if kind:
            before, cell.outputs = cell.outputs, twin.outputs
            found = parity.foreign(page, language)
            assert {fault.split(":")[0] for fault in found} == {cell.id}
            kinds.add(kind[0])
            cell.outputs = before
    assert len(kinds) == 3
    assert parity.foreign(page, language) == []


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<div data-figure="one" data-kind="padding" lang="zh">', ""),
        ('<div data-figure="one" data-kind="padding" lang="en">', "figure one is en"),
        ('<div data-exercise="one" lang="en"><script>"几"</script>', "exercise one is en"),
        (
            '<div data-exercise="one" lang="zh"><script>"?"</script>',
            "an output says 'data-exercise",
        ),
        ('lang="zh"><script data-ask>{"text": "几？"}</script>', ""),
        ('lang="zh"><script data-ask>{"text": "?"}</script>', "an output says 'data-ask"),
        ("<p>Not yet.</p>", "an output says '<p>Not yet.</p>'"),
    ],
)
def test_a_chinese_page_shows_nothing_english(html: str, fault: str) -> None:
    output = nbformat.v4.new_output("display_data", {"text/html": html})
    found = parity.foreign(notebook("figure", (output,)), "zh")
    assert [one.startswith(f"number: {fault}") for one in found] == ([True] if fault else [])


def test_a_page_of_the_book_in_the_wrong_language_is_reported(tmp_path: Path) -> None:
    for source in CHAPTER:
        text = source.read_text("utf-8").replace('lang=\\"zh\\"', 'lang=\\"en\\"')
        (tmp_path / source.parent.name).mkdir()
        (tmp_path / source.parent.name / source.name).write_text(text, "utf-8")
    fault = "zh: sentence-figure: figure sentence is en, not zh"
    assert f"{source.name}: {fault}" in parity.problems(tmp_path)
