"""List the third-party components in the built site, with version, licence and notice.

Versions and licence texts are read from the installed packages; tests/site/test_notices.py compares
the records with the files of the built site, both ways. A licence text that its package lacks is in
`licences`, under its SPDX name. Components inside other components (`within`) were found in source
maps, `Cargo.lock` or code, and must be checked again when the package changes. The records of npm
packages bundled into our own scripts come from the build (packages.json).
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.metadata import PackagePath, distribution
from pathlib import Path
from typing import Any, NamedTuple

from attention_figures.frontend import FIGURES
from attention_figures.languages import LANGUAGES
from book.site.output.scripts import PAGES

LICENCES = Path(__file__).parents[3] / "licences"
_VERSION = re.compile(r"\d+\.\d+\.\d+")


class Component(NamedTuple):
    """A third-party component that the site redistributes."""

    name: str
    licence: str  # its name in the SPDX list
    copyright: str  # as in its notice
    home: str
    package: str  # the Python or npm package that contains it
    files: tuple[str, ...]  # patterns of the site's files that contain it
    version: str = ""  # file with its version, if that differs from the package's
    within: str = ""  # version of the package that contains it, if its own is unknown
    text: str = ""  # the package's file with the licence, or one of `licences`
    source: str = ""  # URL of its source, if the licence requires it
    bundled: bool = False  # from an npm package, by a front end's build.mjs

    @property
    def file(self) -> str:
        """The name of the file with its notice.

        >>> Component("clipboard.js", "MIT", "", "", "", ()).file
        'clipboard-js.txt'
        """
        return re.sub(r"\W+", "-", self.name.lower()).strip("-") + ".txt"

    @property
    def number(self) -> str:
        """Its version, or "" if unknown."""
        if self.within:
            return ""
        if not self.version:
            return self.carrier[1]
        text = _read_package_file(self.package, self.version)
        found = _VERSION.search(text)
        if not found:
            raise ValueError(f"{self.version} of {self.package} should name a version")
        return found[0]

    @property
    def carrier(self) -> tuple[str, str]:
        """Name and version of the package that contains it."""
        if self.bundled:
            return self.name, str(bundled()[self.package]["version"])
        found = distribution(self.package)
        return found.metadata["Name"], found.version

    @property
    def sources(self) -> str:
        """The URL of the source of the installed version."""
        return self.source.format(version=self.carrier[1])

    @property
    def notice(self) -> str:
        """Copyright and full licence text."""
        if self.bundled and (text := str(bundled()[self.package]["text"])):
            return text
        ours = LICENCES / (self.text or f"{self.licence}.txt")
        if ours.is_file():
            return f"{self.copyright}\n\n{ours.read_text('utf-8')}"
        return _read_package_file(self.package, self.text)


@cache
def bundled() -> dict[str, dict[str, Any]]:
    """Return the npm packages bundled into our scripts, from the builds' packages.json."""
    found: dict[str, dict[str, Any]] = {}
    cores = [f"figures-core-{lang}.js" for lang in LANGUAGES]
    for front_end, files in ((PAGES, []), (FIGURES, cores)):
        front_end.build()
        for package in json.loads((front_end.built / "packages.json").read_text("utf-8")):
            own = found.setdefault(package["name"], {**package, "files": []})
            own["files"] += package.get("files", files)
    return found


def _npm_component(name: str, package: dict[str, Any]) -> Component:
    """Return the record of an npm package, with its own licence text or one of `licences`."""
    holders = [" ".join(line.split()) for line in _HOLDERS.findall(package["text"])]
    scope = name.partition("/")[0]
    return Component(
        name,
        package["licence"],
        "\n".join(holders) or _COPYRIGHT_BY_SCOPE.get(scope, ""),
        f"https://www.npmjs.com/package/{name}",
        package=name,
        files=tuple(
            f"_static/{file}" for file in [*package["files"], *_STYLE_SHEETS.get(name, ())]
        ),
        bundled=True,
    )


def _read_package_file(package: str, pattern: str) -> str:
    files: list[PackagePath] = [f for f in distribution(package).files or () if f.match(pattern)]
    if len(files) != 1:
        raise ValueError(f"{package} should have one file {pattern!r}, and has {len(files)}")
    return Path(str(files[0].locate())).read_text("utf-8")


_HOLDERS = re.compile(r"^\W*(Copyright (?:\(c\)|©|\d|OpenJS).*)$", re.MULTILINE | re.IGNORECASE)
# Copyright of packages that contain no licence, by scope; taken from their repositories.
_COPYRIGHT_BY_SCOPE = {
    "@jupyter-widgets": "Copyright (c) 2015 Project Jupyter Contributors",
    "@micropython": "Copyright (c) 2013-2025 Damien P. George",
    "@jupyterlab": "Copyright (c) 2015-2026 Project Jupyter Contributors",
    "@lumino": "Copyright (c) 2019 Project Jupyter Contributors\n"
    "Copyright (c) 2014-2017, PhosphorJS Contributors",
}
# Style sheets that the build derives from a package.
_STYLE_SHEETS = {"katex": ["site.css"]}
_PYDATA, _BUTTON = "pydata-sphinx-theme", "sphinx-copybutton"
_SEARCH, _CORE = "pagefind/pagefind.js", "pagefind/wasm.*.pagefind"

COMPONENTS = [
    Component(
        "Sphinx",
        "BSD-2-Clause",
        "Copyright (c) 2007-2024 by the Sphinx team (see AUTHORS file).",
        "https://www.sphinx-doc.org",
        package="sphinx",
        files=("_static/theme.css", "_static/page.js"),
        text="*.dist-info/LICENSE.rst",
    ),
    Component(
        "PyData Sphinx Theme",
        "BSD-3-Clause",
        "Copyright (c) 2018, pandas",
        "https://pydata-sphinx-theme.readthedocs.io",
        package=_PYDATA,
        files=(
            "_static/page.js",
            "_static/theme.css",
        ),
        text="*.dist-info/LICENSE",
    ),
    Component(
        "compare-versions",
        "MIT",
        "Copyright (c) 2015-2021 Ole Michelsen",
        "https://github.com/omichelsen/compare-versions",
        package=_PYDATA,
        files=("_static/page.js",),
        within="0.15.4",
    ),
    Component(
        "Bootstrap",
        "MIT",
        "Copyright 2011-2024 The Bootstrap Authors",
        "https://getbootstrap.com",
        package=_PYDATA,
        files=(
            "_static/page.js",
            "_static/theme.css",
        ),
        version="scripts/bootstrap.js.LICENSE.txt",
    ),
    Component(
        "Popper",
        "MIT",
        "Copyright (c) 2019 Federico Zivolo",
        "https://popper.js.org",
        package=_PYDATA,
        files=("_static/page.js",),
        within="0.15.4",
    ),
    Component(
        "Sphinx Book Theme",
        "BSD-3-Clause",
        "Copyright (c) 2020, Chris Holdgraf",
        "https://sphinx-book-theme.readthedocs.io",
        package="sphinx-book-theme",
        files=(
            "_static/page.js",
            "_static/theme.css",
        ),
        text="*.dist-info/LICENSE",
    ),
    Component(
        "sphinx-copybutton",
        "MIT",
        "Copyright (c) 2018 Chris Holdgraf",
        "https://sphinx-copybutton.readthedocs.io",
        package=_BUTTON,
        files=(
            "_static/page.js",
            "_static/theme.css",
            "_static/copybutton_funcs.js",
        ),
        text="*.dist-info/LICENSE",
    ),
    Component(
        "clipboard.js",  # with select, good-listener and delegate, of the same author
        "MIT",
        "Copyright (c) Zeno Rocha",
        "https://clipboardjs.com",
        package=_BUTTON,
        files=("_static/page.js",),
        version="clipboard.min.js",
    ),
    Component(
        "tiny-emitter",
        "MIT",
        "Copyright (c) 2017 Scott Corgan",
        "https://github.com/scottcorgan/tiny-emitter",
        package=_BUTTON,
        files=("_static/page.js",),
        within="0.5.2",
    ),
    Component(
        "Tabler Icons",
        "MIT",
        "Copyright (c) 2020-2026 Paweł Kuna",
        "https://tabler.io/icons",
        package=_BUTTON,
        files=("_static/check-solid.svg", "_static/copy-button.svg", "_static/page.js"),
        within="0.5.2",
    ),
    Component(
        "MyST-NB",
        "BSD-3-Clause",
        "Copyright (c) 2020, ExecutableBookProject",
        "https://myst-nb.readthedocs.io",
        package="myst-nb",
        files=("_static/theme.css",),
        text="*.dist-info/licenses/LICENSE",
    ),
    Component(
        "Pygments",
        "BSD-2-Clause",
        "Copyright (c) 2006-2022 by the respective authors (see AUTHORS file).",
        "https://pygments.org",
        package="pygments",
        files=("_static/theme.css",),
        text="*.dist-info/licenses/LICENSE",
    ),
    Component(
        "accessible-pygments",
        "BSD-3-Clause",
        "Copyright (c) 2022, Quansight Labs",
        "https://github.com/Quansight-Labs/accessible-pygments",
        package="accessible-pygments",
        files=("_static/theme.css",),
        text="*.dist-info/licenses/LICENSE",
    ),
    Component(
        "KaTeX fonts",
        "OFL-1.1",
        "Copyright (c) 2009-2010 Design Science, Inc.\n"
        "Copyright (c) 2014-2018 Khan Academy, with Reserved Font Names KaTeX_…",
        "https://katex.org",
        package="sphinxcontrib-katex",
        files=("_static/katex/*.woff2",),
        within="0.9.11",
    ),
    Component(
        "Pagefind",
        "MIT",
        "Copyright 2022 Pagefind",
        "https://pagefind.app",
        package="pagefind-bin",
        files=(_SEARCH, _CORE),
    ),
    Component(
        "fflate",
        "MIT",
        "Copyright (c) 2020 Arjun Barrett",
        "https://github.com/101arrowz/fflate",
        package="pagefind-bin",
        files=(_SEARCH,),
        within="1.5.2",
    ),
    Component(
        "wasm-bindgen and cfg-if",
        "MIT",
        "Copyright (c) 2014 Alex Crichton",
        "https://github.com/wasm-bindgen/wasm-bindgen",
        package="pagefind-bin",
        files=(_SEARCH, _CORE),
        within="1.5.2",
    ),
    Component(
        "Snowball",
        "BSD-3-Clause",
        "Copyright (c) 2001, Dr Martin Porter\n"
        "Copyright (c) 2004,2005, Richard Boulton\n"
        "Copyright (c) 2013, Yoshiki Shibukawa\n"
        "Copyright (c) 2006,2007,2009,2010,2011,2014-2019, Olly Betts",
        "https://snowballstem.org",
        package="pagefind-bin",
        files=(_CORE,),
        within="1.5.2",
        text="Snowball.txt",
    ),
    Component(
        "rust-stemmers",
        "MIT",
        "Copyright (c) 2017 Jakob Demler",
        "https://github.com/CurrySoftware/rust-stemmers",
        package="pagefind-bin",
        files=(_CORE,),
        within="1.5.2",
    ),
    Component(
        "pagefind_microjson",
        "GPL-3.0-only",
        "By Robert Spencer and the contributors to microjson",
        "https://github.com/rspencer01/microjson",
        package="pagefind-bin",
        files=(_CORE,),
        within="1.5.2",
        source="https://github.com/Pagefind/pagefind/tree/v{version}/pagefind_web",
    ),
    Component(
        "minicbor",
        "BlueOak-1.0.0",
        "By Toralf Wittner and the contributors to minicbor",
        "https://github.com/twittner/minicbor",
        package="pagefind-bin",
        files=(_CORE,),
        within="1.5.2",
    ),
    Component(
        "bit-set and bit-vec",
        "MIT",
        "Copyright (c) 2023 The Rust Project Developers",
        "https://github.com/contain-rs/bit-vec",
        package="pagefind-bin",
        files=(_CORE,),
        within="1.5.2",
    ),
    Component(
        "write-json and once_cell",
        "MIT",
        "By Aleksey Kladov",
        "https://github.com/matklad/write-json",
        package="pagefind-bin",
        files=(_CORE,),
        within="1.5.2",
    ),
    Component(
        "Rust's standard library",
        "MIT",
        "Copyright (c) The Rust Project Contributors",
        "https://www.rust-lang.org",
        package="pagefind-bin",
        files=(_CORE,),
        within="1.5.2",
    ),
    *(_npm_component(name, package) for name, package in bundled().items()),
]
