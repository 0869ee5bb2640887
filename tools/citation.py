"""Write CITATION.cff from pyproject.toml and the title in _config.yml; `make fix` runs it.

The format is https://github.com/citation-file-format/citation-file-format, version 1.2.0.
"""

from typing import Any

import yaml

from tools.packages import PROJECT, ROOT
from tools.replacing import write

FILE = ROOT / "CITATION.cff"
HEAD = "# Written by `make fix`: change pyproject.toml instead.\n"
URLS = {"Repository": "repository-code", "Documentation": "url"}  # in pyproject.toml, and here


def citation() -> str:
    """Return the text of CITATION.cff."""
    project: dict[str, Any] = PROJECT["project"]
    urls = project.get("urls", {})
    record = {
        "cff-version": "1.2.0",
        "message": "If you use this course or its library, please cite it.",
        "type": "software",
        "title": yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["title"],
        "abstract": project["description"] + ".",
        "authors": [{"name": author["name"]} for author in project["authors"]],
        "version": project["version"],
        "license": project["license"],
        "keywords": project["keywords"],
        **{name: urls[key] for key, name in URLS.items() if key in urls},
    }
    body: str = yaml.safe_dump(record, allow_unicode=True, sort_keys=False)
    return HEAD + body


if __name__ == "__main__":
    write(FILE, citation())
