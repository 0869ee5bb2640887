"""What `pip install .` brings: every module, and the figures' JavaScript with them."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "attention_lib"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]


def test_every_file_of_the_library_is_installed() -> None:
    """Setuptools takes the named packages' modules and the data that its patterns match."""
    folders = [ROOT / name.replace(".", "/") for name in SETTINGS["packages"]]
    modules = {file for folder in folders for file in folder.glob("*.py")}
    patterns = SETTINGS["package-data"]["attention_lib"]
    data = {file for pattern in patterns for file in LIBRARY.glob(pattern)}
    files = {path for path in LIBRARY.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert LIBRARY / "figures/js/figure.js" in data
    assert files == modules | data
