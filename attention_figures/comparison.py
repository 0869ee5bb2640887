"""Compare the weights that scoring functions give to the same query and keys."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
import traitlets
from torch import Tensor

from attention_figures import bundle
from attention_figures.inputs import ParametersFigure
from attention_figures.parameters import PARAMETERS, named_parameters, parameter_traits
from attention_figures.traits import Names, Numbers
from attention_lib.scores import SCORES, Score


def _sum(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    hidden = F.linear(queries, W_q).unsqueeze(2) + F.linear(keys, W_k).unsqueeze(1)
    return F.linear(hidden, w_v).squeeze(-1)


_SCORES = {**SCORES, "sum": Score(_sum, SCORES["additive"].parameters)}
_USUAL = ("dot", "scaled_dot", "bilinear", "additive", "gaussian", "sum")
_PARTS = ("score", "regions", "weights", "scores", "numbers")


class ComparisonFigure(ParametersFigure):
    """One query and its keys in the plane, to be dragged, and the weights of some scores of them.

    The rows of scores and weights are scores of `attention_lib.scores`, and "sum", the additive
    one without its tanh, w_vᵀ(W_q q + W_k k): its query adds the same to every score, and cancels
    in the softmax.

    Shapes: K keys, H hidden units.

    Args:
        queries: the point that asks.
        keys: the points that it is compared with.
        parameters: of the scores, in the order of `attention_lib.scores.SCORES`: W_q (H, 2),
            W_k (H, 2), w_v (1, H) of the additive score and of the sum, W (2, 2) of the bilinear
            one, and so on.
        names: of the keys and, last, of the query. None: k0, k1, …, and q0.
        compared: which of the scores there are, S of them; the plane begins with the first. None:
            "dot", "scaled_dot", "bilinear", "additive", "gaussian" and "sum".
        parts: what is shown besides the plane, of "score" (the choice of its score), "regions"
            (where each key wins), "weights", "scores" and "numbers" (of points and parameters);
            none: all.
        named: parameters by their names.

    Attributes:
        attention_weights: (1, S, K) float64, a row for each score.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, a score
            needs a parameter that was not given, or a value is not allowed.
        TraitError: lang, one of compared or one of parts is none of the above.

    >>> query, keys = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[1.0, 0.0], [3.0, 0.0]]])
    >>> W_q, W_k, w_v = torch.eye(2), torch.eye(2), torch.ones(1, 2)
    >>> figure = ComparisonFigure(query, keys, W_q, W_k, w_v, W=torch.zeros(2, 2))
    >>> figure.scores[0, [0, 2, 4, 5]]  # dot, bilinear, gaussian, sum
    tensor([[ 1.,  3.],
            [ 0.,  0.],
            [ 0., -2.],
            [ 2.,  4.]], dtype=torch.float64)
    >>> figure.queries = torch.zeros(1, 1, 2)
    >>> figure.attention_weights[0, [0, 5]]  # the sum's weights are what they were
    tensor([[0.5000, 0.5000],
            [0.1192, 0.8808]], dtype=torch.float64)
    """

    view_state = ("score",)
    vars().update(parameter_traits("2"))
    queries = Numbers("(1, 1, 2)")
    keys_ = Numbers("(1, K, 2)")
    names = Names("K + 1", optional=True)
    compared: "traitlets.List[str]" = traitlets.List(traitlets.Enum(list(_SCORES))).tag(
        sync=True, state=True
    )
    parts: "traitlets.List[str]" = traitlets.List(traitlets.Enum(list(_PARTS))).tag(
        sync=True, state=True
    )

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        *parameters: Tensor,
        name: str = "comparison",
        lang: str = "en",
        names: Sequence[str] = (),
        compared: Sequence[str] = (),
        parts: Sequence[str] = (),
        **named: Tensor,
    ) -> None:
        given = {"queries": queries, "keys": keys, **named_parameters(parameters, named)}
        chosen = {"names": list(names), "compared": list(compared), "parts": list(parts)}
        super().__init__(name, lang, kind="comparison", keys_=given.pop("keys"), **given, **chosen)

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        queries, keys = self._tensor("queries"), self._tensor("keys_")
        compared = [_SCORES[name] for name in self.compared or _USUAL]
        used = {name for score in compared for name in score.parameters}
        rows = [score.function(queries, keys, **self._parameters(score)) for score in compared]
        fit = torch.cat(rows, dim=1)  # (1, S, K)
        return {
            "queries": queries,
            "keys": keys,
            **{name: self._tensor(name)[None] for name in PARAMETERS if name in used},
            "scores": fit,
            "attention_weights": torch.softmax(fit, dim=-1),
        }

    @property
    def scores(self) -> Tensor:
        """(1, S, K) float64, a row for each score."""
        return self.stages()["scores"]

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        if not self.names:
            return {}
        words = bundle.strings(self.lang)
        scores = [words[f"score_{name}"] for name in self.compared or _USUAL]
        return dict.fromkeys(("scores", "attention_weights"), (scores, self.names[:-1]))

    @traitlets.validate("compared")
    def _check_compared(self, proposal: dict[str, list[str]]) -> list[str]:
        compared = proposal["value"]
        for name in compared or _USUAL:
            self._check_parameters("compared", name, _SCORES[name])
        return compared
