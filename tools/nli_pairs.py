"""Make the book's sentence pairs and store them: `python -m tools.nli_pairs`.

Pairs are generated in squares (`tools.nli_squares`), so that a single sentence reveals nothing
about the label. `tools.nli_judge` checks each label from the text alone.
"""

import json
import random
from collections.abc import Collection
from itertools import product
from pathlib import Path

from attention_course.nli import Vocabulary
from tools.nli_judge import WORDS, judge
from tools.nli_scenes import Scene, label
from tools.nli_squares import Square, distinct, known, shown_by, split
from tools.nli_wording import CHINESE, ENGLISH, chinese, english
from tools.replacing import write

FOLDER = Path(__file__).parents[1] / "attention_course" / "nli" / "pairs"
SQUARES, FOR_CHOICES, HELD_OUT, TIMES_SHOWN = 66, 12, 12, 2
LANGUAGE_WORDING = {"en": (ENGLISH, english), "zh": (CHINESE, chinese)}


def files() -> dict[str, str]:
    """Generate all files: a dictionary from name to content."""
    contents = {"zh-words.txt": "\n".join(chinese_lexicon()) + "\n"}
    contents["roles.json"] = json.dumps(roles(), ensure_ascii=False, indent=0) + "\n"
    for lang, (words, _) in LANGUAGE_WORDING.items():
        rng = random.Random(f"pairs in {lang}")
        train, dev = split(distinct(SQUARES, words, rng), FOR_CHOICES, TIMES_SHOWN)
        for part, squares in (("train", train), ("dev", dev)):
            contents[f"{lang}-{part}.jsonl"] = _lines(pairs(lang, f"{lang}-{part}", squares, rng))
        # Drawn separately: the test set was added after the other two had been used.
        rng = random.Random(f"pairs in {lang}, for the test")
        test = held_out(train, dev, words, rng)
        contents[f"{lang}-test.jsonl"] = _lines(pairs(lang, f"{lang}-test", test, rng))
    return contents


def held_out(
    train: list[Square], dev: list[Square], words: Collection[str], rng: random.Random
) -> list[Square]:
    """Draw squares that share no scene with the others, with relations seen in training."""
    shown = shown_by(train)

    def fits(square: Square) -> bool:
        return known(square, shown, TIMES_SHOWN)

    return distinct(HELD_OUT, words, rng, [*train, *dev], fits)


def pairs(
    lang: str, name: str, squares: list[Square], rng: random.Random
) -> list[dict[str, object]]:
    """Return the pairs of some squares as SNLI records, in random order.

    Raises:
        ValueError: the judge disagrees with a label.
    """
    rows = []
    for number, square in enumerate(squares, 1):
        texts = {s: _sentence(lang, s, rng) for s in (*square.premises, *square.hypotheses)}
        for premise, hypothesis in product(*square):
            gold = checked(texts[premise], texts[hypothesis], label(premise, hypothesis))
            caption = f"{name}-{number}.{square.premises.index(premise) + 1}"
            rows.append(_row(caption, texts[premise], texts[hypothesis], gold))
    rng.shuffle(rows)
    return rows


def checked(premise: str, hypothesis: str, gold: str | None) -> str:
    """Return the label if the judge agrees."""
    vocabulary = Vocabulary([premise, hypothesis], lexicon=chinese_lexicon())
    opinion = judge(vocabulary.split(premise), vocabulary.split(hypothesis))
    if opinion != gold:
        raise ValueError(f"{premise} / {hypothesis} must be {gold}; the judge says {opinion}")
    return opinion


def chinese_lexicon() -> list[str]:
    """List the Chinese words, by which `Vocabulary` segments sentences."""
    words = {word for phrase in CHINESE.values() for word in phrase.split()}
    return sorted({*words, "在", "奔跑"})


def roles() -> dict[str, str]:
    """Map each content word to its slot in the judge."""
    return {
        word: slot
        for slot, meanings in WORDS.items()
        for words in meanings
        for word in words.split()
        if word != "chased-cat"
    }


def _sentence(lang: str, scene: Scene, rng: random.Random) -> str:
    _, wording = LANGUAGE_WORDING[lang]
    return wording(scene, rng.random() < 0.3)


def _lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _row(caption: str, premise: str, hypothesis: str, gold: str) -> dict[str, object]:
    return {
        "annotator_labels": [gold],
        "captionID": caption,
        "gold_label": gold,
        "pairID": f"{caption}{gold[0]}",
        "sentence1": premise,
        "sentence2": hypothesis,
    }


if __name__ == "__main__":
    for name, text in files().items():
        write(FOLDER / name, text)
        print(f"{name}: {len(text.splitlines())} lines")
