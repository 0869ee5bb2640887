"""What the chapters share in asking: a question from its words and what torch answers."""

from collections.abc import Callable
from typing import Any

from attention_figures import Choice


def choice(
    say: dict[str, Any], answer: Callable[[Any], Any], kind: type[Choice] = Choice, **at: Any
) -> Choice:
    """Ask for one of some options, or for a place, in the state that `at` names."""
    return kind(
        say["text"],
        options=say["options"],
        answer=answer,
        because=say["because"],
        right=say.get("right", ""),
        at=at,
        wrong=say["wrong"],
    )
