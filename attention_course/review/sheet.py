"""Represent the questions for review in a notebook: as data, and as text for JupyterLab."""

from importlib import import_module
from types import ModuleType
from typing import Any

from attention_course.exercises.ask import Field
from attention_course.exercises.page import strings
from attention_course.exercises.page.sheet import escaped, marked
from attention_course.review.family import FAMILIES, VARIANTS, Family, Item, Table
from attention_course.translated import Lang, Text
from attention_figures.inline_json import inline_json
from attention_figures.languages import LANGUAGES

_SUMMARY = Text(
    "Questions for review: {n}, in {variants} variants each",
    "复习题：{n} 道，每道有 {variants} 种变化",
)
_ANSWER = Text("Answer: {answer}", "答案：{answer}")


class ReviewSheet:
    """The questions for review of a chapter, which the front page of the site asks.

    The site takes the data out of the chapter's page. JupyterLab shows a fold with the questions
    and their answers.
    """

    def __init__(self, chapter: str, lang: Lang) -> None:
        self.chapter, self.lang = chapter, lang
        self.variants = {
            family: family.variants(chapter, lang) for family in families(chapter).values()
        }

    def __repr__(self) -> str:
        return f"review_variants({self.chapter!r})"

    def state(self) -> dict[str, Any]:
        """Return all that the page needs.

        These are key, figure, exercise and variants of each family, and what is given before the
        own question of a figure without a family.
        """
        families = [
            {
                **{"key": one.key, "figure": one.figure, "exercise": one.exercise},
                "variants": [_state(item, self.lang) for item in items],
            }
            for one, items in self.variants.items()
        ]
        texts = {figure: text.into(self.lang) for figure, text in given(self.chapter).items()}
        return {"families": families, "given": texts}

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._fragment()}

    def _fragment(self) -> str:
        parts = {"n": len(self.variants), "variants": VARIANTS}
        summary = _SUMMARY.filled(**parts).into(self.lang)
        items = "".join(self._listed(family) for family in self.variants)
        return (
            f'<div class="attention-review" data-review="{self.chapter}" lang="{self.lang}">'
            f'<script type="application/json">{inline_json(self.state())}</script>'
            f"<details><summary>{escaped(summary)}</summary>{items}</details></div>"
        )

    def _listed(self, family: Family) -> str:
        items = (f"<li>{_on_paper(item, self.lang)}</li>" for item in self.variants[family])
        return f"<p><code>{family.key}</code></p><ol>{''.join(items)}</ol>"


def review_variants(chapter: str, lang: Lang = "en") -> ReviewSheet:
    """Make the questions for review of a chapter, to be stored with its notebook.

    Args:
        chapter: its name, such as 04-masked-softmax.
        lang: language of the texts, "en" or "zh".

    Raises:
        ValueError: the language is unknown, or a family has too few different answers.
        ModuleNotFoundError: there are no questions for this chapter.

    >>> review_variants("04-masked-softmax")
    review_variants('04-masked-softmax')
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}; got {lang!r}")
    return ReviewSheet(chapter, lang)


def families(chapter: str) -> dict[str, Family]:
    """Return the families of a chapter by key."""
    return FAMILIES[_module(chapter).__name__.rpartition(".")[2]]


def given(chapter: str) -> dict[str, Text]:
    """Return what a reader must know to answer the own questions of a chapter's figures."""
    texts: dict[str, Text] = getattr(_module(chapter), "GIVEN", {})
    return texts


def _module(chapter: str) -> ModuleType:
    return import_module(f"{__package__}.chapter_{chapter[:2]}")


def _state(item: Item, lang: Lang) -> dict[str, Any]:
    field = {name: part for name, part in item.field.state().items() if part != ""}
    table = {"table": _table_state(item.table)} if item.table else {}
    none = getattr(strings.NONE_YET[item.field.kind], lang)
    return {
        "text": item.text,
        **table,
        "field": {"none": none, **field},
        "answer": item.right_in(lang),
    }


def _table_state(table: Table) -> dict[str, Any]:
    return {"columns": [*table.columns], "rows": [[name, *row] for name, row in table.rows.items()]}


def _on_paper(item: Item, lang: Lang) -> str:
    answer = _ANSWER.filled(answer=item.right_in(lang)).into(lang)
    texts = [item.text, *_rows(item.table), item.field.label, *_options(item.field, lang), answer]
    return "<br>".join(marked(text) for text in texts)


def _rows(table: Table | None) -> list[str]:
    if table is None:
        return []
    state = _table_state(table)
    return [" | ".join(row) for row in (["", *state["columns"]], *state["rows"])]


def _options(field: Field, lang: Lang) -> list[str]:
    return [f"– {line}" for line in field.lines(getattr(strings.COLON, lang))]
