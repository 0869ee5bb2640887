"""Test that refusals know the names of torch.

If torch has other names, write the file anew: `python tests/browser/names.py`.
"""

import subprocess
import sys
from pathlib import Path

from names import FILE

# In a process of its own, because other tests import parts of torch that add names.
PRINT = "import names; print(names.source(), end='')"


def test_the_module_knows_the_public_names_of_torch() -> None:
    printed = subprocess.run(
        [sys.executable, "-c", PRINT], cwd=Path(__file__).parent, capture_output=True, check=True
    )
    assert FILE.read_text("utf-8") == printed.stdout.decode()
