"""Turn a page of the site into a part of a book on paper.

Paper has no controls. So a question gets a number and its options, and all answers, which the page
folds away, move to the end of the part. Everything that only a browser can use is dropped.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import urldefrag, urljoin

from bs4 import BeautifulSoup, Tag

from attention_course.translated import Lang, Text

ANSWERS = Text("Answers", "答案")
QUESTIONS = Text("The questions at the figures", "图中的问题")
EXERCISES = Text("The exercises", "练习")
QUESTION = Text("Question {}", "问题 {}")
EXERCISE = Text("Exercise {}", "练习 {}")
SEE_ANSWER = Text(" (answer on page {})", "（答案在第 {} 页）")
SEE_QUESTION = Text(" (page {}): ", "（第 {} 页）：")
SEE_EXERCISE = Text(" (page {})", "（第 {} 页）")

# What only works in a browser, is not shown there either, or would be read twice.
_DROPPED = (
    "script, noscript, form, button, [hidden], [role=tooltip], [role=alert], [role=status], "
    "[aria-live], .headerlink, .cell-bar, .no-kernel, .cell-unseen, .katex-mathml, "
    ".attention-exercise > p:last-child:has(> em:only-child), "
    # of a figure: its buttons, its empty verdict, and the space reserved for texts that may follow
    ".toolbar, .turns, .reserve, .data-as-text, [data-hidden] > .says"
)
_REFERRING = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns")
_URL = re.compile(r"""url\((["']?)#""")
_EXERCISE = re.compile(r"(?:en|zh)-(?:[\w-]+-)?exercise-\d+")


def anchor(page: str, place: str = "") -> str:
    """Return the id, in the book, of a place on a page; ids are only unique on a page.

    >>> anchor("book/en/04-masked-softmax.html", "en-padding")
    '04-masked-softmax--en-padding'
    """
    return f"{PurePosixPath(page).stem}--{place}"


def first(tag: Tag, selector: str) -> Tag:
    """Return the first element within a tag that a CSS selector finds.

    Raises:
        ValueError: there is none.
    """
    if found := tag.select_one(selector):
        return found
    raise ValueError(f"<{tag.name}> should contain {selector}")


def number(page: str) -> str:
    """Return the number of a chapter, "" for another page.

    >>> number("book/en/04-masked-softmax.html"), number("book/en/glossary.html")
    ('4', '')
    """
    found = re.match(r"\d+(?=-)", PurePosixPath(page).stem)
    return str(int(found[0])) if found else ""


def as_part(
    page: str, html: str, figures: Mapping[str, str], lang: Lang, link: Callable[[str], str | None]
) -> Tag:
    """Return the article of a page for paper.

    Args:
        page: path of the page within the site.
        html: the page as built, before any script runs.
        figures: live figures by name, as HTML, in their initial states.
        lang: language of the page.
        link: returns the target, in the book or on the web, of a path within the site, with its
            fragment. None: there is none, and the text of the link stays.

    Raises:
        KeyError: a figure of the page is missing.
        ValueError: the page has no article, or its article no title.
    """
    soup = BeautifulSoup(html, "html.parser")
    article = first(soup, "article")
    writer = _Writer(soup, page, lang)
    moved = [*_questions(article, figures, writer), *_exercises(article, writer)]
    moved += [fold.extract() for fold in article.select("[data-stand] details")]
    if moved:
        article.append(writer.answers(moved))
    for useless in article.select(_DROPPED):
        useless.decompose()
    for section in article.select("section"):
        _name_heading(section)
    for fold in article.select("details"):
        fold["open"] = ""
    for image in article.select("img"):
        del image["loading"]
    for formula in article.select(".katex-html"):
        del formula["aria-hidden"]  # what screen readers read instead is dropped
    if number(page):
        first(article, "h1").insert(0, f"{number(page)} · ")
    _retarget(article, page, link)
    _rename(article, page)
    article["id"] = anchor(page)
    return article


class _Writer:
    """Writes what the page does not say: numbers of questions, and where their answers are."""

    def __init__(self, soup: BeautifulSoup, page: str, lang: Lang) -> None:
        self.soup, self.page, self.lang = soup, page, lang

    def tag(self, name: str, *content: str | Tag, **attributes: str) -> Tag:
        """Return an element."""
        made = self.soup.new_tag(name, attrs=attributes)
        made.extend(content)
        return made

    def reference(self, text: Text, place: str) -> Tag:
        """Return a text with the number of the printed page for {}, which links to the place."""
        before, after = text.into(self.lang).split("{}")
        paper = self.tag("a", **{"data-page-of": anchor(self.page, place), "href": f"#{place}"})
        return self.tag("span", before, paper, after)

    def heading(self, level: str, text: Text) -> Tag:
        """Return a heading."""
        return self.tag(level, text.into(self.lang))

    def answers(self, blocks: list[Tag]) -> Tag:
        """Return the section of all answers."""
        section = self.tag("section", self.heading("h2", ANSWERS), id="answers")
        section["class"] = "answers"
        section.extend(blocks)
        return section


def _questions(article: Tag, figures: Mapping[str, str], writer: _Writer) -> Iterator[Tag]:
    """Put the live figures into the page, number their questions, and yield all answers."""
    asked = 0
    for still in article.select("[data-figure]"):
        live = BeautifulSoup(figures[str(still["data-figure"])], "html.parser").contents[0]
        assert isinstance(live, Tag)
        if still.select_one(".answer"):
            if not asked:
                yield writer.heading("h3", QUESTIONS)
            asked += 1
            _ask(live, still, asked, writer)
            yield _answer(still, asked, writer)
        still.replace_with(live)


def _ask(live: Tag, still: Tag, count: int, writer: _Writer) -> None:
    """Give a figure's question its number, and list its options, which the menu held."""
    live["id"] = f"question-{count}"
    question, record = live.select_one(".asked"), still.select_one("script[data-ask]")
    if not question or not record:  # it is only asked about what the reader has seen
        return
    head = writer.tag("b", QUESTION.into(writer.lang).format(count))
    see = writer.reference(SEE_ANSWER, f"answer-{count}")
    first(question, "b").replace_with(head, see, writer.tag("br"))
    asked = json.loads(record.text)
    if asked["type"] == "place":
        question.insert_after(writer.tag("p", " / ".join(asked["options"])))
    elif asked["type"] == "choice":
        question.insert_after(writer.tag("ul", *(writer.tag("li", it) for it in asked["options"])))


def _answer(still: Tag, count: int, writer: _Writer) -> Tag:
    """Return the answer to a figure's question, and what the reader would have seen."""
    head = writer.tag("p", writer.tag("b", QUESTION.into(writer.lang).format(count)))
    head.append(writer.reference(SEE_QUESTION, f"question-{count}"))
    block = writer.tag("div", head, id=f"answer-{count}")
    records = still.select("script[data-ask], script[data-observe]")
    parts = zip(records, still.select(".question"), still.select(".answer"), strict=True)
    for record, question, answer in parts:
        first(answer, "summary").decompose()
        if record.has_attr("data-observe"):
            answer.name = "p"
            block.extend([question.extract(), answer.extract()])
        else:
            head.extend(answer.extract().contents[:])
    return block


def _exercises(article: Tag, writer: _Writer) -> Iterator[Tag]:
    """Take the solutions out of the exercises, and yield them with the exercises' numbers."""
    for found in article.find_all("p", id=_EXERCISE):
        place = str(found["id"])
        folds = list(_folds_after(found))
        if not folds:
            continue
        count = place.rpartition("-")[2]
        if count == "1":
            yield writer.heading("h3", EXERCISES)
        found.append(writer.reference(SEE_ANSWER, f"answer-to-{place}"))
        head = writer.tag("p", writer.tag("b", EXERCISE.into(writer.lang).format(count)))
        head["id"] = f"answer-to-{place}"
        head.append(writer.reference(SEE_EXERCISE, place))
        yield head
        for i, fold in enumerate(folds):
            cell = fold.find_parent(class_="tag_hide-cell")
            if cell or i == 0:
                first(fold, "summary").decompose()  # "Solution", or that it shows code
            else:
                first(fold, "summary").name = "p"
            fold.name, fold["class"] = "div", "solution"
            yield (cell or fold).extract()


def _folds_after(exercise: Tag) -> Iterator[Tag]:
    """Yield the folds between an exercise and the next, or the end of the section."""
    for sibling in exercise.find_next_siblings():
        if sibling.name == "p" and _EXERCISE.fullmatch(str(sibling.get("id"))):
            return
        yield from [sibling] if sibling.name == "details" else sibling.select("details")


def _name_heading(section: Tag) -> None:
    """Let links lead to a section's heading, which may be on the page after its beginning."""
    heading = section.find(["h1", "h2", "h3", "h4"], recursive=False)
    if not isinstance(heading, Tag):
        return
    for target in heading.find_previous_siblings("span", id=True):
        heading.insert(0, target.extract())
    if section.has_attr("id"):
        heading["id"] = section["id"]
        del section["id"]


def _retarget(article: Tag, page: str, link: Callable[[str], str | None]) -> None:
    """Let all links lead to places in the book, to the site, or elsewhere."""
    for a in article.select("a[href]"):
        path = urljoin(page, str(a["href"]))
        if re.match(r"\w+:", path):
            continue
        if target := link(path):
            a["href"] = target
        else:
            a.unwrap()


def _rename(article: Tag, page: str) -> None:
    """Make all ids, and what refers to them on the page, unique in the book."""
    for tag in article.find_all(True):
        for name, value in tag.attrs.items():
            if not isinstance(value, str):
                continue
            if name == "id":
                tag["id"] = anchor(page, value)
            elif name in _REFERRING:
                tag[name] = " ".join(anchor(page, place) for place in value.split())
            elif name in ("href", "xlink:href") and tag.name != "a" and value.startswith("#"):
                tag[name] = "#" + anchor(page, value[1:])
            elif "url(" in value:
                tag[name] = _URL.sub(rf"url(\1#{anchor(page)}", value)
        tag.attrs.pop("name", None)  # equal names would make radio buttons of two pages one group


def in_book(path: str) -> str:
    """Return the link to a place in the book: a page within the site, perhaps with a fragment.

    >>> in_book("book/en/04-masked-softmax.html#en-padding"), in_book("book/en/glossary.html")
    ('#04-masked-softmax--en-padding', '#glossary--')
    """
    page, place = urldefrag(path)
    return "#" + anchor(page, place)
