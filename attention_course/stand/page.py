"""Show the items in a notebook: as data for the page's script, and as a list to read."""

from __future__ import annotations

from typing import Any

from attention_course.exercises.page.sheet import marked
from attention_course.stand.item import Item, Option, Place
from attention_course.stand.items import items
from attention_course.translated import Lang, Text
from attention_figures.inline_json import inline_json
from attention_figures.languages import LANGUAGES

ANSWERS = Text("The answers, and what each wrong one means", "答案，以及每个错误选项错在哪里")
RIGHT = Text(
    "The answer is <strong>{letter}</strong>: {said}", "答案是 <strong>{letter}</strong>：{said}"
)
WRONG = Text(
    "<strong>{letter}</strong>: {said} {source}", "<strong>{letter}</strong>：{said}{source}"
)
SOURCE = Text("(Source: {link}.)", "（出处：{link}）")
TREATED = Text("More in {link}.", "详见{link}。")


class Questionnaire:
    """The twenty items in a language.

    The page's script reads the items from the data, and the titles of what they link to from the
    links below, into which the site puts them.
    """

    def __init__(self, asked: tuple[Item, ...], lang: Lang) -> None:
        self.items, self.lang = asked, lang

    def __repr__(self) -> str:
        return f"questionnaire of {len(self.items)} items"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._html()}

    def state(self) -> dict[str, Any]:
        """Return the initial state for the page."""
        return {"items": [self._item_state(one) for one in self.items]}

    def _item_state(self, one: Item) -> dict[str, Any]:
        return {
            "key": one.key,
            "text": one.text.into(self.lang),
            "options": [self._option_state(option) for option in one.options],
            "right": one.right,
            "treated": one.treated.label(self.lang),
        }

    def _option_state(self, option: Option) -> dict[str, str]:
        own = {"text": option.text.into(self.lang), "said": option.said.into(self.lang)}
        return own | ({"source": option.source.label(self.lang)} if option.source else {})

    def _html(self) -> str:
        asked = "".join(map(self._question, self.items))
        answers = "".join(map(self._answer, self.items))
        return (
            f'<div class="attention-stand" data-stand lang="{self.lang}">'
            f'<script type="application/json">{inline_json(self.state())}</script>'
            f"<ol>{asked}</ol><details><summary>{ANSWERS.into(self.lang)}</summary>"
            f"<ol>{answers}</ol></details></div>"
        )

    def _question(self, one: Item) -> str:
        options = "".join(
            f"<li>{marked(option.text.into(self.lang))}</li>" for option in one.options
        )
        return f'<li><p>{marked(one.text.into(self.lang))}</p><ol type="A">{options}</ol></li>'

    def _answer(self, one: Item) -> str:
        right = self._words(RIGHT, one, one.right)
        more = TREATED.into(self.lang).format(link=self._link(one.treated))
        wrong = (
            f"<li>{self._words(WRONG, one, i)}</li>"
            for i in range(len(one.options))
            if i != one.right
        )
        between = "" if self.lang == "zh" else " "
        return f"<li><p>{right}{between}{more}</p><ul>{''.join(wrong)}</ul></li>"

    def _words(self, template: Text, one: Item, i: int) -> str:
        option = one.options[i]
        source = ""
        if option.source:
            source = SOURCE.into(self.lang).format(link=self._link(option.source))
        return template.into(self.lang).format(
            letter=chr(ord("A") + i), said=self._marked(option.said), source=source
        )

    def _marked(self, text: Text) -> str:
        return marked(text.into(self.lang))

    def _link(self, place: Place) -> str:
        """Link to a place; JupyterLab shows its file, and the site its title."""
        return f'<a href="{place.href(self.lang)}">{place.page.rpartition(".")[0]}</a>'


def questionnaire(*, lang: Lang) -> Questionnaire:
    """Return the twenty items to show.

    Raises:
        ValueError: lang is neither "en" nor "zh".

    >>> questionnaire(lang="en")
    questionnaire of 20 items
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}; got {lang!r}")
    return Questionnaire(items(), lang)
