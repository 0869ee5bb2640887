"""Define, train and evaluate the encoder–decoder models that read dates.

Shapes: B sentences, K tokens, T = 10 characters of an answer, D = 128 numbers of a state by
default.
"""

import math
from collections.abc import Callable, Sequence
from itertools import chain

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attention_course.dates.sentences import TARGET, Sentence, Tokens, encode
from attention_lib.modules import AdditiveAttention, Attention, DotProductAttention

EMBEDDING, HALF = 32, 64  # sizes of a token's embedding and of one direction's state
STATE = 2 * HALF
RATE, WARM_UP, BATCH = 4e-3, 50, 64

# Build the attention of each model of the chapter, for a state size; None: no attention.
MODELS: dict[str, Callable[..., Attention | None]] = {
    "additive": lambda state=STATE: AdditiveAttention(state, state, num_hiddens=64),
    "dot": lambda state=STATE: DotProductAttention(),
    "fixed": lambda state=STATE: None,
}


class Aligner(nn.Module):
    """Encoder–decoder with attention, which writes one character at a time.

    The encoder is a bidirectional GRU; its states are keys and values. The decoder is a GRU cell;
    its state before a character is the query, and it reads the character before and the output of
    the attention, the context.

    Args:
        num_tokens: size of the vocabulary, padding included.
        attention: a module of the library for queries and keys of size D. None: every context is
            the last state of the encoder, the same for all characters.
        half: size of the state of one direction; D is twice as many.

    Attributes:
        attention_weights: (B, T, K) of the latest forward; None without attention.

    Source: Bahdanau, Cho and Bengio, *Neural Machine Translation by Jointly Learning to Align
    and Translate*, ICLR 2015; without attention Cho et al., *Learning Phrase Representations using
    RNN Encoder–Decoder for Statistical Machine Translation*, EMNLP 2014.

    >>> model = Aligner(30, AdditiveAttention(128, 128, num_hiddens=64))
    >>> model(torch.ones(2, 7, dtype=torch.long), torch.tensor([7, 4])).shape
    torch.Size([2, 10, 11])
    """

    def __init__(self, num_tokens: int, attention: Attention | None, half: int = HALF) -> None:
        super().__init__()
        state = 2 * half
        self.tokens = nn.Embedding(num_tokens, EMBEDDING, padding_idx=0)
        self.encoder = nn.GRU(EMBEDDING, half, batch_first=True, bidirectional=True)
        self.start = nn.Linear(state, state)
        self.characters = nn.Embedding(len(TARGET) + 1, EMBEDDING)  # and the start token
        self.attention = attention
        self.decoder = nn.GRUCell(EMBEDDING + state, state)
        self.out = nn.Linear(2 * state, len(TARGET))
        self.attention_weights: Tensor | None = None

    def forward(self, ids: Tensor, valid_lens: Tensor, answers: Tensor | None = None) -> Tensor:
        """Score each character of TARGET for each place of the answers.

        Args:
            ids: (B, K) integer, tokens.
            valid_lens: (B,) integer, how many tokens count, at least 1.
            answers: (B, T) integer, for teacher forcing. None: the decoder reads its own output.

        Returns:
            (B, T, 11).
        """
        states, last = self.encode(ids, valid_lens)
        state = torch.tanh(self.start(last))
        before = torch.full_like(valid_lens, len(TARGET))
        written, weights = [], []
        for t in range(10):
            state, context = self.step(state, before, states, last, valid_lens)
            written.append(self.out(torch.cat([state, context], dim=-1)))
            before = written[-1].argmax(dim=-1) if answers is None else answers[:, t]
            if self.attention is not None and self.attention.attention_weights is not None:
                weights.append(self.attention.attention_weights)
        self.attention_weights = torch.cat(weights, dim=1) if weights else None
        return torch.stack(written, dim=1)

    def encode(self, ids: Tensor, valid_lens: Tensor) -> tuple[Tensor, Tensor]:
        """Encode sentences: states (B, K, D), and the last states of both directions, (B, D)."""
        packed = pack_padded_sequence(
            self.tokens(ids), valid_lens, batch_first=True, enforce_sorted=False
        )
        states, last = self.encoder(packed)
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=ids.shape[1])
        return states, last.transpose(0, 1).flatten(1)

    def step(
        self, state: Tensor, before: Tensor, states: Tensor, last: Tensor, valid_lens: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Attend, then update the state for one character; return the new state and the context."""
        context = last
        if self.attention is not None:
            context = self.attention(state[:, None], states, states, valid_lens)[:, 0]
        read = torch.cat([self.characters(before), context], dim=-1)
        return self.decoder(read, state), context


def learn(
    model: Aligner,
    sources: Sequence[Sentence],
    tokens: Tokens,
    steps: int,
    seed: int = 0,
    watch: Callable[[int], None] = lambda step: None,
) -> None:
    """Train a model with Adam; the learning rate has a warm-up and a cosine decay to 0.

    Args:
        model: is changed in place.
        sources: sentences to draw batches of 64 from.
        tokens: their tokens.
        steps: how many batches.
        seed: of the random batches.
        watch: is called with the number of each step before it, and after the last step.
    """
    ids, valid_lens, answers = encode(sources, tokens)
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    chance = torch.Generator().manual_seed(seed)

    def rate(step: int) -> float:
        return min((step + 1) / WARM_UP, (1 + math.cos(math.pi * step / steps)) / 2)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, rate)
    order = chain.from_iterable(
        torch.split(torch.randperm(len(ids), generator=chance), BATCH) for _ in iter(int, 1)
    )
    for step, rows in zip(range(steps), order, strict=False):
        watch(step)
        lens = valid_lens[rows]
        written = model(ids[rows, : int(lens.max())], lens, answers[rows])
        loss = nn.functional.cross_entropy(written.flatten(0, 1), answers[rows].flatten())
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    watch(steps)


@torch.no_grad()
def measure(model: Aligner, sources: Sequence[Sentence], tokens: Tokens) -> dict[str, float]:
    """Measure how often a model is right, and where it attends.

    Returns:
        right: share of answers without a wrong character. true: share of the digits whose heaviest
        key lies in the words for them; near: in these words or next to them. A model without
        attention has only `right`.
    """
    ids, valid_lens, answers = encode(sources, tokens)
    written = model(ids, valid_lens)
    found = {"right": (written.argmax(dim=-1) == answers).all(dim=-1).float().mean().item()}
    if model.attention_weights is None:
        return found
    heaviest = model.attention_weights.argmax(dim=-1)
    spans = torch.tensor([source.spans for source in sources])  # (B, T, 2)
    first, end, digit = spans[..., 0], spans[..., 1], spans[..., 1] > 0
    for name, more in (("true", 0), ("near", 1)):
        inside = (heaviest >= first - more) & (heaviest < end + more)
        found[name] = inside[digit].float().mean().item()
    return found
