"""Check types and format of the TypeScript: `python -m tools.web`; `… fix` reformats it."""

import subprocess
import sys
from pathlib import Path

from attention_figures.frontend import FIGURES, node
from book.site.output.scripts import PAGES

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests/figures"
FRONT_ENDS = FIGURES, PAGES
PROJECTS = *(one.sources for one in FRONT_ENDS), TESTS / "web"  # folders with a tsconfig.json
TSC = FIGURES.sources / "node_modules/typescript/bin/tsc"
PRETTIER = FIGURES.sources / "node_modules/prettier/bin/prettier.cjs"
# Prettier looks for its settings in parent folders, where those of the tests are not.
FORMATTED = "--config", FIGURES.sources / "package.json", *PROJECTS, TESTS / "*.mjs"
IGNORED = "--ignore-path", FIGURES.sources / ".prettierignore"


def commands(action: str) -> list[list[str]]:
    """Return the commands for Node.

    >>> [Path(command[0]).name for command in commands("check")]
    ['tsc', 'tsc', 'tsc', 'prettier.cjs']
    """
    how = {"check": ["--check"], "fix": ["--write", "--list-different"]}[action]
    types = [[TSC, "-p", project] for project in PROJECTS if action == "check"]
    made = [*types, [PRETTIER, "--log-level=warn", *how, *FORMATTED, *IGNORED]]
    return [[*map(str, command)] for command in made]


def main(action: str = "check") -> int:
    """Check or fix; return 1 if there is a problem."""
    for one in FRONT_ENDS:
        one.install()
    running = [subprocess.Popen([node(), *command], cwd=ROOT) for command in commands(action)]
    return int(any([process.wait() for process in running]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
