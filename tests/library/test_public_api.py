"""The library builds on what PyTorch documents, which stays."""

import re
from pathlib import Path

import pytest

import attention_lib

ROOT = Path(attention_lib.__file__).parent
PRIVATE = re.compile(r".*(?:torch(?:\.\w+)*\._(?!_)|_functorch|from torch\S* import .*\b_[a-z]).*")


def test_no_private_name_of_torch_is_used() -> None:
    uses = {str(path): PRIVATE.findall(path.read_text("utf-8")) for path in ROOT.rglob("*.py")}
    assert {path: lines for path, lines in uses.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from torch._C import _functorch",
        "import torch._dynamo",
        "torch.utils._pytree.tree_map(f, x)",
        "from torch.utils import _pytree",
    ],
)
def test_a_private_name_would_be_found(line: str) -> None:
    assert PRIVATE.findall(f"import torch\n{line}\n") == [line]
