"""Test that our code uses no private names of PyTorch, with listed exceptions."""

import re

import pytest

from tools.packages import PACKAGES, ROOT

PRIVATE = re.compile(r".*(?:torch(?:\.\w+)*\._(?!_)|_functorch|from torch\S* import .*\b_[a-z]).*")


# There is no public way to read the print options that `torch.set_printoptions` sets. The time
# limit recognises modules by name: if one is renamed, compilation counts as the reader's time.
NEEDED = {
    "attention_course/exercises/engine/containment.py": [
        "from torch._tensor_str import get_printoptions"
    ],
    "attention_course/exercises/engine/limit.py": [
        '_LOADERS = {"importlib._bootstrap", "torch._dynamo.convert_frame", '
        '"torch._inductor.compile_fx"}'
    ],
}


def test_no_private_name_of_torch_is_used_but_what_has_no_public_one() -> None:
    texts = {
        path: path.read_text("utf-8") for name in PACKAGES for path in (ROOT / name).rglob("*.py")
    }
    uses = {path.relative_to(ROOT).as_posix(): PRIVATE.findall(x) for path, x in texts.items()}
    assert {path: lines for path, lines in uses.items() if lines} == NEEDED


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
