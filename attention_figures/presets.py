"""Define figures whose keys can be selected from named presets."""

from collections.abc import Mapping
from typing import Any

import traitlets
from torch import Tensor

from attention_figures.inputs import InputsFigure
from attention_figures.traits import Nested, checked_numbers

_NAMES = ("identical", "one_changed", "random")  # web/strings has them in both languages
_OWN = "own"


class _Presets(Nested):
    """Keys by preset name, including "own"; or empty."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it with nested lists."""
        if not isinstance(value, Mapping):
            raise TypeError(f"key_presets must be a dict; got {type(value).__name__}")
        others = [name for name in value if name != _OWN]
        if not set(others) <= set(_NAMES):
            raise ValueError(f"key_presets must be named {' or '.join(_NAMES)}; got {others}")
        if others and _OWN not in value:
            raise ValueError(f"key_presets must hold keys named own too; got {others}")
        shape = obj.traits()["keys_"].shape_in(obj)
        return {
            name: checked_numbers(f"key_presets[{name!r}]", keys, shape)
            for name, keys in value.items()
        }


class PresetFigure(InputsFigure):
    """A figure whose keys can be selected from presets.

    Attributes:
        keys_: (B, K, key size), the present keys.
        key_presets: keys by name, with the keys last typed or assigned as "own"; empty if the
            figure has no presets.
        key_preset: the selected preset. Typing or assigning other keys selects "own"; selecting
            "own" restores the last of those.
    """

    key_presets = _Presets({})
    key_preset = traitlets.Unicode(_OWN).tag(sync=True, state=True)

    def __init__(self, *args: Any, key_presets: Mapping[str, Tensor] | None, **traits: Any) -> None:
        if key_presets and isinstance(key_presets, Mapping):
            key_presets = {**key_presets, _OWN: traits["keys_"]}
        super().__init__(*args, key_presets={} if key_presets is None else key_presets, **traits)
        same = (name for name, keys in self.key_presets.items() if keys == self.keys_)
        self.key_preset = next(same, _OWN)

    @traitlets.validate("key_preset")
    def _check_key_preset(self, proposal: dict[str, Any]) -> str:
        names = list(self.key_presets) or [_OWN]
        if proposal["value"] not in names:
            raise ValueError(f"key_preset must be one of {names}; got {proposal['value']!r}")
        return str(proposal["value"])

    @traitlets.observe("key_preset")
    def _replace_keys(self, change: Any) -> None:
        if self.key_presets:
            self.keys_ = self.key_presets[self.key_preset]

    @traitlets.observe("keys_")
    def _save_own_keys(self, change: Any) -> None:
        if self.key_presets and self.keys_ != self.key_presets[self.key_preset]:
            self.key_presets = {**self.key_presets, _OWN: self.keys_}
            self.key_preset = _OWN
