"""Align the words of two sentences and predict their label: the alignment figure."""

import copy
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor
from torch.func import functional_call

from attention_figures.alignment_state import (
    Pairs,
    Parameters,
    Sentence,
    Vocabulary,
    checked_pairs,
    layers_of,
)
from attention_figures.base import Figure
from attention_lib.decomposable import LABELS, DecomposableAttention

_LABELS = {"en": LABELS, "zh": ("蕴涵", "中立", "矛盾")}
_PARTS = (
    "pairs",
    "pair",
    "sentences",
    "word",
    "direction",
    "links",
    "comparisons",
    "prediction",
    "maps",
)


class AlignmentFigure(Figure):
    """Decomposable attention at work on two sentences, to be chosen or typed.

    Shapes: P words of the premise, H words of the hypothesis.

    Args:
        model: a trained `DecomposableAttention` of three classes, which the figure copies.
        vocabulary: an `attention_course.nli.Vocabulary`, the one the model was trained with.
        pairs: at least one, to choose from: premise, hypothesis and label, as
            `attention_course.nli.Pair` names them.
        premise, hypothesis: at most 400 characters on one line each. None: those of the first pair.
        parts: the parts to show, of "pairs" (a menu of pairs), "pair" (a button for each
            hypothesis), "sentences" (text fields), "word" (a slider for the one word with lines),
            "direction" (which sentence has the queries), "links" (the lines), "comparisons" (the
            output of G for each word, summed over its units), "prediction" and "maps" (all
            weights). Empty: all but "pair", "word" and "comparisons".
        word: the word with lines if `parts` has "word", counted from 0.

    Attributes:
        parameters: the model's parameters by name, and its `vectors`, if it has some, as nested
            lists, rounded to 4 decimals; assign a `state_dict` of the same shapes to show another
            stage of training.
        premise, hypothesis: the present sentences; assign strings.
        pairs: lists of premise, hypothesis and label; assign such lists or tuples.
        vocabulary, words: the vocabulary, and its words by id.

    Raises:
        ValueError, TypeError: arguments do not fit together, or a value is not allowed.
        TraitError: lang, or one of parts, is none of the above, or word is negative.

    >>> from attention_course.nli import Vocabulary
    >>> pairs = [("A dog runs.", "An animal runs.", "entailment")]
    >>> vocabulary = Vocabulary(["a dog runs", "an animal runs"])
    >>> model = DecomposableAttention(len(vocabulary), embedding_size=4, num_hiddens=6)
    >>> figure = AlignmentFigure(model, vocabulary, pairs)
    >>> figure.label
    'entailment'
    >>> figure.hypothesis = "An animal is running!"
    >>> figure.attention_weights.shape, figure.reverse_weights.shape
    (torch.Size([1, 3, 4]), torch.Size([1, 4, 3]))
    """

    view_state = ("direction",)
    parameters = Parameters()
    layers: "traitlets.Dict[Any, Any]" = traitlets.Dict().tag(sync=True, state=True)
    words: traitlets.List[Any] = traitlets.List().tag(sync=True, state=True)
    pairs = Pairs()
    premise = Sentence().tag(sync=True, state=True)
    hypothesis = Sentence().tag(sync=True, state=True)
    parts: "traitlets.List[str]" = traitlets.List(traitlets.Enum(list(_PARTS))).tag(
        sync=True, state=True
    )
    word = traitlets.Int(min=0).tag(sync=True, state=True)

    def __init__(
        self,
        model: DecomposableAttention,
        vocabulary: Vocabulary,
        pairs: Sequence[tuple[str, str, str]],
        premise: str | None = None,
        hypothesis: str | None = None,
        name: str = "alignment",
        lang: str = "en",
        parts: Sequence[str] = (),
        word: int = 0,
    ) -> None:
        _check(model, vocabulary)
        self._model, self.vocabulary = copy.deepcopy(model).double().eval(), vocabulary
        first = checked_pairs("pairs", pairs)[0]
        super().__init__(
            name,
            lang,
            kind="alignment",
            parameters=self._model.state_dict(),
            layers=layers_of(self._model),
            words=list(vocabulary.words),
            pairs=pairs,
            premise=first[0] if premise is None else premise,
            hypothesis=first[1] if hypothesis is None else hypothesis,
            parts=list(parts),
            word=word,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        sentences = tuple(self.vocabulary.encode([s])[0] for s in (self.premise, self.hypothesis))
        parameters = self.parameters
        numbers = {name: torch.tensor(x, dtype=torch.float64) for name, x in parameters.items()}
        outputs: list[Tensor] = []  # of G, for the premise's words, then for the hypothesis's
        hook = self._model.G.register_forward_hook(lambda *call: outputs.append(call[-1]))
        with torch.no_grad():
            logits = functional_call(self._model, numbers, sentences)
        hook.remove()
        assert self._model.attention_weights is not None  # after a forward
        forth, back = self._model.attention_weights
        return {
            "attention_weights": forth,
            "reverse_weights": back,
            "logits": logits[None],
            "probabilities": torch.softmax(logits, dim=-1)[None],
            **(self._comparisons(*outputs) if "comparisons" in self.parts else {}),
        }

    def _comparisons(self, forth: Tensor, back: Tensor) -> dict[str, Tensor]:
        return {"comparisons": forth.sum(-1)[None], "reverse_comparisons": back.sum(-1)[None]}

    @property
    def reverse_weights(self) -> Tensor:
        """(1, H, P) float64: for each word of the hypothesis, weights on the premise's words."""
        return self.stages()["reverse_weights"]

    @property
    def probabilities(self) -> Tensor:
        """(3,) float64, one for each of `attention_lib.decomposable.LABELS`."""
        return self.stages()["probabilities"].flatten()

    @property
    def label(self) -> str | None:
        """The gold label of the pair that is shown; None if the sentences are no such pair."""
        shown = [self.premise, self.hypothesis]
        return next((label for *pair, label in self.pairs if pair == shown), None)

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return words of both sentences for the weights, and labels for the predictions."""
        premise, hypothesis = map(self.vocabulary.split, (self.premise, self.hypothesis))
        return {
            "attention_weights": (premise, hypothesis),
            "reverse_weights": (hypothesis, premise),
            "logits": ([], list(_LABELS[self.lang])),
            "probabilities": ([], list(_LABELS[self.lang])),
            "comparisons": ([], premise),
            "reverse_comparisons": ([], hypothesis),
        }

    @traitlets.validate("words", "layers")
    def _keep(self, proposal: dict[str, Any]) -> Any:
        name = proposal["trait"].name
        kept = {"words": list(self.vocabulary.words), "layers": layers_of(self._model)}
        if proposal["value"] != kept[name]:
            raise ValueError(f"{name} cannot change; make another figure")
        return proposal["value"]


def _check(model: DecomposableAttention, vocabulary: Vocabulary) -> None:
    if type(model) is not DecomposableAttention:  # the page can compute no other model
        raise TypeError(f"model must be DecomposableAttention; got {type(model).__name__}")
    if not isinstance(vocabulary, Vocabulary):
        raise TypeError(f"vocabulary must be a Vocabulary; got {type(vocabulary).__name__}")
    size, classes = model.embedding.num_embeddings, model.H[-1].out_features
    if len(vocabulary) != size:
        raise ValueError(f"vocabulary must have the model's {size} words; got {len(vocabulary)}")
    if classes != len(LABELS):
        raise ValueError(f"model must have {len(LABELS)} classes; got {classes}")
