"""Load the measurements that chapters plot; they are installed, so chapters run anywhere.

The benchmarks write these files: `score_costs`, `attention_costs`, and `alignments` for each
language.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def load_measured(name: str) -> dict[str, Any]:
    """Return what was measured and stored under a name.

    Args:
        name: "score_costs" (chapter 8), "attention_costs" (chapter 12), "alignments-en" or
            "alignments-zh" (chapter 11).

    Raises:
        ValueError: nothing is stored under this name.

    >>> load_measured("score_costs")["by_d"]["d"]
    [16, 32, 64, 128, 256]
    """
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    if name not in names:
        raise ValueError(f"name must be one of {', '.join(names)}; got {name!r}")
    measured: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return measured
