"""Make questions for review of the questions that figures without a family ask.

A figure stores its question with the answer that torch computed (attention_figures/question.py).
The review asks the same question again, so that whatever a reader missed comes back.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nbformat

from attention_course.exercises.page import strings
from attention_course.translated import Lang, Text

_ASKS = re.compile(
    r'data-figure="([\w-]+)"(?:(?!data-figure=).)*?<script[^>]*\bdata-ask>(.*?)</script>', re.DOTALL
)
_SHARE = Text(" (a share, such as 0.25 or 25%)", "（填比例，例如 0.25 或 25%）")


def questions(page: Path) -> dict[str, dict[str, Any]]:
    """Return the question of each figure of a notebook that asks one, as the figure stores it."""
    html = (
        "".join(output.get("data", {}).get("text/html", ""))
        for cell in nbformat.read(page, as_version=4).cells
        for output in cell.get("outputs", [])
    )
    return {name: json.loads(asked) for one in html for name, asked in _ASKS.findall(one)}


def variant(question: dict[str, Any], given: str, lang: Lang) -> dict[str, Any]:
    """Return a figure's question as a variant, with what a reader must know to answer it."""
    make = _number if question["type"] == "number" else _choice
    field, answer = make(question, lang)
    none = strings.NONE_YET[field["kind"]].into(lang)
    return {"text": given, "field": {"none": none, **field}, "answer": answer}


def _choice(question: dict[str, Any], lang: Lang) -> tuple[dict[str, Any], str]:
    right = question["answer"]
    replies = [*question["wrong"]]
    replies[right] = question["because"]
    options = [
        {"text": text, "words": words, "right": i == right}
        for i, (text, words) in enumerate(zip(question["options"], replies, strict=True))
    ]
    field = {"kind": "choice", "label": question["text"], "options": options}
    return field, question["options"][right]


def _number(question: dict[str, Any], lang: Lang) -> tuple[dict[str, Any], str]:
    """Ask for a percentage as a share: a reader may type it with or without the sign."""
    unit, answer = question["unit"], question["answer"]
    divisor = 100 if unit == "%" else 1
    named = [(answer, question["because"]), *((x["answer"], x["says"]) for x in question["wrong"])]
    points = [
        {"value": round(value / divisor, 6), "words": words, "right": i == 0}
        for i, (value, words) in enumerate(named)
    ]
    text = f"{answer:.{question['decimals']}f}".replace("-", "−")
    label = question["text"] + (_SHARE.into(lang) if unit == "%" else f" ({unit})" if unit else "")
    within = question["tolerance"] / divisor
    field = {"kind": "number", "label": label, "others": "", "within": within, "points": points}
    return field, f"{text}{unit}" if unit in ("", "%") else f"{text} {unit}"
