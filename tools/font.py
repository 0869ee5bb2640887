"""Subset the plots' Chinese font to the characters of the book: `python -m tools.font FILE.ttc`.

The file is Noto Sans CJK, Regular, as a collection (`.ttc`), an OpenType font under the SIL Open
Font License 1.1. Only this tool needs it: the subset is part of the course package.
"""

import re
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

from attention_course.fonts import FAMILY, FILE
from tools.replacing import replacing

ROOT = Path(__file__).parents[1]
CHINESE = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")  # including punctuation
SOURCE = "Noto Sans CJK SC"


def characters(folder: Path = ROOT / "book/zh") -> set[str]:
    """Return all Chinese characters of the pages: any may occur in a label."""
    pages = (path for path in folder.iterdir() if path.suffix in (".ipynb", ".md"))
    return {found for page in pages for found in CHINESE.findall(page.read_text("utf-8"))}


def covered(path: Path = FILE) -> set[str]:
    """Return the characters that a font has."""
    with TTFont(path) as font:
        return {chr(code) for code in font.getBestCmap() or {}}


def cut(collection: Path, target: Path = FILE) -> None:
    """Write the subset under another name, as the licence requires for a modified font."""
    font = next(f for f in TTCollection(collection).fonts if f["name"].getDebugName(4) == SOURCE)
    options = Options(layout_features=[], hinting=False, desubroutinize=True, name_IDs=[0, 13, 14])
    font.recalcTimestamp = False  # for a reproducible file
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(characters()))
    subsetter.subset(font)
    names = {1: FAMILY, 2: "Regular", 4: FAMILY, 6: FAMILY.replace(" ", "")}
    for number, name in names.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    font["CFF "].cff.fontNames = [names[6]]
    top = font["CFF "].cff.topDictIndex[0]
    top.FullName = top.FamilyName = FAMILY
    with replacing(target) as part:
        font.save(part)


if __name__ == "__main__":
    cut(Path(sys.argv[1]))
