r"""Correct which characters the glyphs of a PDF stand for.

A font may draw a Chinese character and a radical of dictionaries with one glyph, such as 一
(U+4E00) and ⼀ (U+2F00). Chromium then stores the first code that the font lists, the radical, and
a search for 一 finds nothing.
"""

import re
from collections.abc import Iterator
from unicodedata import normalize

import pikepdf

# Radicals that look like a character and have no compatibility mapping in Unicode: its file
# EquivalentUnifiedIdeograph.txt, as far as Noto Sans CJK has one glyph for both.
_SUPPLEMENT = str.maketrans(
    "⺂⺃⺅⺉⺏⺐⺒⺓⺔⺕⺖⺘⺙⺛⺞⺠⺡⺣⺤⺦⺨⺭⺯⺰⺱⺹⺺⺾⻂⻅⻆⻈⻉⻋⻌⻐⻑⻒⻓⻔⻖⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻮⻯⻰⻱⻲⼾",
    "乛乚亻刂尣尢巳幺彑彐忄扌攵旡歺民氵灬爫丬犭礻糹纟罓耂肀艹衤见角讠贝车辶钅長镸长门阝青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐齿竜龙龜亀户",
)
_RADICALS = re.compile(r"[\u2e80-\u2fdf]")
_BLOCK = re.compile(rb"\d+ beginbf(char|range)\n(.*?)endbf(?:char|range)\n", re.DOTALL)
_HEX = re.compile(rb"<([0-9A-Fa-f]+)>")


def without_radicals(text: str) -> str:
    """Replace radicals of dictionaries by the characters that they look like.

    >>> without_radicals("⼀个句⼦有多⻓")
    '一个句子有多长'
    """
    found = text.translate(_SUPPLEMENT)
    return _RADICALS.sub(lambda radical: normalize("NFKC", radical[0]), found)


def correct(document: pikepdf.Pdf) -> None:
    """Let no glyph of a PDF stand for a radical."""
    for found in document.objects:
        if isinstance(found, pikepdf.Dictionary) and "/ToUnicode" in found:
            table = found.ToUnicode.read_bytes()
            found.ToUnicode.write(_BLOCK.sub(_corrected, table))


def _corrected(block: re.Match[bytes]) -> bytes:
    """Return a block of the table with each of its entries apart; ranges would not stay ranges."""
    width, pairs = 0, []
    for first, last, text in _entries(block):
        width = len(first)
        start = text[:-1], ord(text[-1:])
        for i, code in enumerate(range(int(first, 16), int(last, 16) + 1)):
            said = without_radicals(start[0] + chr(start[1] + i)).encode("utf-16-be").hex().upper()
            pairs.append(f"<{code:0{width}X}> <{said}>\n")
    blocks = [pairs[i : i + 100] for i in range(0, len(pairs), 100)]  # at most, says the format
    written = (f"{len(some)} beginbfchar\n{''.join(some)}endbfchar\n" for some in blocks)
    return "".join(written).encode()


def _entries(block: re.Match[bytes]) -> Iterator[tuple[bytes, bytes, str]]:
    """Yield the first and the last code, in hexadecimal, and the text of the first."""
    for line in block[2].splitlines():
        codes = _HEX.findall(line)
        text = bytes.fromhex(codes[-1].decode()).decode("utf-16-be")
        yield codes[0], codes[-2], text
