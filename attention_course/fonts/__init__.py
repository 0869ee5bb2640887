"""Register a Chinese font with matplotlib, whose own fonts have no Chinese characters.

Labels, titles and legends of plots use a subset of Noto Sans CJK SC that lies beside
this file: the characters of the course's Chinese pages and no others (`tools/font.py` chooses
them). Latin letters and digits stay in matplotlib's own font, so plots in English do not change.
"""

from pathlib import Path

from matplotlib import font_manager, rcParams

FILE = Path(__file__).with_name("attention-sans-sc.otf")
FAMILY = "Attention Sans SC"


def register() -> None:
    """Add the subset to matplotlib's fallback fonts. A second call changes nothing."""
    if FAMILY not in font_manager.fontManager.get_font_names():
        font_manager.fontManager.addfont(FILE)
    if FAMILY not in rcParams["font.family"]:
        rcParams["font.family"] = [*rcParams["font.family"], FAMILY]
