"""Define a decoder: a Transformer that reads the words so far and predicts the next one.

Shapes: B sentences, N words, P words before them, d = size, h = num_heads, V words in all.

Sources: Vaswani et al., *Attention Is All You Need*, NeurIPS 2017; the norms stand first, as in
Radford et al., *Language Models are Unsupervised Multitask Learners*, 2019.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from attention_lib import MultiHeadAttention, merge_heads, split_heads


@dataclass
class Cache:
    """The keys and values of the words that a block has read, so that no word is read twice.

    Both are (B · h, P, d / h), and None before the first word.
    """

    keys: Tensor | None = None
    values: Tensor | None = None

    def append(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Append those of new words; return all, (B · h, P + N, d / h)."""
        if self.keys is not None and self.values is not None:
            keys = torch.cat([self.keys, keys], dim=1)
            values = torch.cat([self.values, values], dim=1)
        self.keys, self.values = keys, values
        return keys, values

    def __len__(self) -> int:
        return 0 if self.keys is None else self.keys.shape[1]


class Block(nn.Module):
    """x + attention(norm(x)), and to that the same with a feed-forward network.

    `num_hidden` units stand between the two layers of the network. If `causal`, a word reads only
    itself and earlier words.

    >>> Block(6, 2, 12)(torch.zeros(1, 3, 6)).shape
    torch.Size([1, 3, 6])
    """

    def __init__(self, size: int, num_heads: int, num_hidden: int, causal: bool = True) -> None:
        super().__init__()
        self.causal = causal
        self.norm_1, self.norm_2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.attention = MultiHeadAttention(size, size, size, size, num_heads)
        inner, outer = nn.Linear(size, num_hidden), nn.Linear(num_hidden, size)
        self.feed_forward = nn.Sequential(inner, nn.ReLU(), outer)

    def forward(self, x: Tensor, cache: Cache | None = None) -> Tensor:
        """(B, N, d) → (B, N, d). With a cache, the words also read those that are in it."""
        x = x + self.attend(self.norm_1(x), cache)
        x = x + self.feed_forward(self.norm_2(x))
        return x

    def attend(self, x: Tensor, cache: Cache | None) -> Tensor:
        """Let each word read itself and the words before it."""
        past, (batch, number, _) = 0 if cache is None else len(cache), x.shape
        lengths = torch.arange(past + 1, past + number + 1)
        if cache is None:
            causal = lengths.expand(batch, -1) if self.causal else None
            attended: Tensor = self.attention(x, x, x, causal)
            return attended
        heads = self.attention
        projected = heads.W_q(x), heads.W_k(x), heads.W_v(x)
        queries, keys, values = (split_heads(y, heads.num_heads) for y in projected)
        keys, values = cache.append(keys, values)
        outputs = heads.attention(queries, keys, values, lengths.expand(len(queries), -1))
        attended = heads.W_o(merge_heads(outputs, heads.num_heads))
        return attended


class Decoder(nn.Module):
    """Words to logits of the next word, at each place of a sentence.

    `num_words` is V, and `num_positions` the length of the longest sentence.

    >>> model = Decoder(num_words=10, num_positions=5)
    >>> model(torch.tensor([[0, 7, 7]])).shape
    torch.Size([1, 3, 10])
    """

    def __init__(
        self,
        num_words: int,
        num_positions: int,
        size: int = 16,
        num_heads: int = 2,
        num_hidden: int = 32,
        num_blocks: int = 1,
        causal: bool = True,
    ) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.embedding = nn.Embedding(num_words, size)
        self.positions = nn.Embedding(num_positions, size)
        blocks = (Block(size, num_heads, num_hidden, causal) for _ in range(num_blocks))
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(size)
        for table in (self.embedding, self.positions):  # tied to the output: logits begin small
            nn.init.normal_(table.weight, std=0.3)

    def forward(self, tokens: Tensor, caches: list[Cache] | None = None) -> Tensor:
        """Return logits (B, N, V) for tokens (B, N), which follow the words in the caches.

        Raises:
            ValueError: there are fewer positions than words.
        """
        past = 0 if caches is None else len(caches[0])
        end, most = past + tokens.shape[1], len(self.positions.weight)
        if end > most:
            raise ValueError(f"tokens must be at most {most}, with the words before; got {end}")
        x = self.embedding(tokens) + self.positions.weight[past:end]
        for i, block in enumerate(self.blocks):
            x = block(x, None if caches is None else caches[i])
        return nn.functional.linear(self.norm(x), self.embedding.weight)

    def empty_caches(self) -> list[Cache]:
        """Return a cache for each block, for `forward`."""
        return [Cache() for _ in self.blocks]


@torch.no_grad()
def write(
    model: Decoder,
    tokens: Tensor,
    number: int,
    temperature: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Continue sentences: tokens (B, N) → (B, N + number), word by word with a cache.

    At temperature 0 each word is the most probable one; otherwise words are drawn from
    softmax(logits / temperature).
    """
    caches, new = model.empty_caches(), tokens
    for _ in range(number):
        logits = model(new, caches)[:, -1]
        new = logits.argmax(dim=-1, keepdim=True)
        if temperature:
            new = torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator)
        tokens = torch.cat([tokens, new], dim=1)
    return tokens
