"""Test the tables that stand in for a figure without JavaScript: names of rows and columns."""

import pytest
from figure_examples import EXAMPLES

from attention_figures.languages import LANGUAGES

KEYS, QUERIES = ["key 1", "key 2", "key 3", "key 4"], ["query 1", "query 2"]
# What some examples lack: optional names, and stages that are not always shown.
ADDED = {
    "pipeline": {"names": KEYS, "query_names": QUERIES},
    "look_up": {"names": KEYS, "query_names": QUERIES},
    "product": {"names": KEYS, "query_names": QUERIES},
    "scoring": {"names": KEYS, "query_name": "query"},
    "comparison": {"names": [*KEYS, "query"]},
    "alignment": {"parts": ["comparisons"]},
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_headings_name_the_rows_and_columns_of_stages(name: str, lang: str) -> None:
    figure = EXAMPLES[name](lang)
    for trait, value in ADDED.get(name, {}).items():
        figure.set_trait(trait, value)
    stages, headings = figure.stages(), figure.headings()
    assert headings or name not in ADDED
    for key, sides in headings.items():
        stage, _, example = key.rstrip("]").partition("[")
        shape = stages[stage][int(example or 0)].shape
        for number, names in zip(shape, sides, strict=True):
            assert len(names) in (0, number), key


@pytest.mark.parametrize("name", [name for name, added in ADDED.items() if "names" in added])
def test_a_table_has_the_names_of_its_keys(name: str) -> None:
    figure = EXAMPLES[name]("en")
    for trait, value in ADDED[name].items():
        figure.set_trait(trait, value)
    _, _, table = figure.to_html().partition("<caption>attention_weights[0]</caption>")
    heads, _, _ = table.partition("</table>")
    assert [key for key in KEYS if f">{key}<" in heads] == KEYS
