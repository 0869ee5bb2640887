"""Record what chapter 12 shows of the thread, and the questions that its figures ask."""

import math
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course import thread
from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
)

# Scores of seven tokens that ask seven tokens, of two tokens that ask seven, and all alike.
SCORES = torch.tensor(
    [
        [1.0, 0.3, 0.2, 0.5, 0.1, 0.4, 0.2],
        [0.9, 0.6, 0.8, 0.1, 0.7, 0.2, 0.3],
        [2.0, 0.8, 0.4, 0.9, 0.3, 0.6, 0.1],
        [0.1, 1.7, 0.5, 0.3, 0.8, 0.1, 0.4],
        [0.3, 0.7, 0.6, 0.5, 0.2, 0.9, 0.2],
        [2.1, 0.6, 1.1, 0.4, 1.2, 0.3, 0.5],
        [0.4, 0.9, 0.3, 1.2, 0.2, 1.6, 0.6],
    ]
)
LAST_TWO, ALIKE = SCORES[-2:], torch.zeros(7, 7)
# Four keys of one query, the highest of which come late, and their values.
ROW = torch.tensor([1.0, 3.0, 5.0, 4.0])
VALUES = torch.tensor([10.0, 20.0, 30.0, 40.0])
# Each of four words may read itself and the words before.
CAUSAL = torch.ones(4, 4).tril()
# Two masks of float32's lowest number, added: for padding in front, and for what is to come.
_LOWEST = torch.finfo(torch.float32).min
PADDING, FUTURE = torch.tensor([_LOWEST, _LOWEST, 0, 0]), torch.full((4, 4), _LOWEST).triu(1)
ADDED = PADDING + FUTURE

_PAIR, _FOUR = (thread.RECORDS[name].into for name in ("pair", "sentence"))


def _written(lang: Lang) -> list[str]:
    first, second = _PAIR(lang)
    return [*first, *second][:7]


def _places(*others: tuple[str, Text]) -> dict[str, Text]:
    """Return the four words of the thread as options, by their place."""
    named = zip(_FOUR("en"), _FOUR("zh"), strict=True)
    return {str(k): Text(en, zh) for k, (en, zh) in enumerate(named)} | dict(others)


def words(lang: Lang) -> SimpleNamespace:
    """Return the sentences and the questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="en").written
    ['Mia', 'lost', 'her', 'key', '.', 'She', 'found']
    """
    return in_language(lang, RECORDS)


def _keys_that_the_last_reads(figure: Any) -> str:
    """Name the keys that the mask lets the last query read."""
    read = tuple(figure.stages()["mask"][0, -1].nonzero().flatten().tolist())
    number = len(figure.words)
    return {tuple(range(number)): "all", (0, 1): "first two", (number - 1,): "own"}[read]


def _keys_that_the_last_loses(figure: Any) -> str:
    """Compare the keys that the last query reads with those of the other corner."""
    now = figure.stages()["mask"][0, -1]
    with figure._in_state({"corner": "lower"}):
        lost = figure.stages()["mask"][0, -1] & ~now
    if not lost.any():
        return "none"
    return "newest" if lost[-1] else "oldest"


def _word_with_nan(figure: Any) -> str:
    """Return the place of the only row that is NaN."""
    rows = figure.attention_weights[0].isnan().all(-1).nonzero().flatten().tolist()
    return str(rows[0]) if len(rows) == 1 else "none"


def _keys_with_a_0(figure: Any) -> str:
    """Say what weight the keys have that the table marks with 0, against those with 1."""
    marked = figure.stages()["mask"] != 0
    weights = figure.attention_weights
    least, most = weights[marked].min(), weights[~marked].max()
    return "hidden" if most == 0 else "less" if most < least else "alike"


def _keys_of_the_padding(figure: Any) -> str:
    """Name the keys that the first padding reads."""
    read = tuple((figure.attention_weights[0, 0] > 0).nonzero().flatten().tolist())
    return {(): "none", (0,): "own", (0, 2, 3): "later"}[read]


def _weights_of_the_first_row(figure: Any) -> str:
    row = figure.attention_weights[0, 0]
    if row.isnan().any():
        return "nan"
    return "zero" if bool((row == 0).all()) else "equal"


def _against_softmax(figure: Any) -> str:
    """Compare the output after the last key with softmax over the whole row."""
    output = figure.stages()["output"][0, 0, -1]
    whole = figure._tensor("scores").softmax(-1) @ figure._tensor("values")
    if torch.allclose(output, whole, rtol=0, atol=1e-9):
        return "equal"
    return "close" if torch.allclose(output, whole, rtol=0.01) else "other"


def _enough_for_the_weights(figure: Any) -> str:
    """Name the number c for which exp(score − c) is the weight of each key."""
    stages = figure.stages()
    largest, total = stages["running_max"][0, 0, -1], stages["running_sum"][0, 0, -1]
    found = {"maximum": largest, "sum": total, "log-sum-exp": largest + total.log()}
    scores, weights = torch.tensor(figure.scores), figure.attention_weights.float()
    return next(name for name, c in found.items() if torch.allclose(torch.exp(scores - c), weights))


def _four_times_smaller(figure: Any) -> str:
    """Compare memory and products with those of as many heads of keys as of queries."""

    def costs() -> Tensor:
        stages = figure.stages()
        return torch.stack(
            [stages["mebibytes"].flatten()[0], torch.tensor(stages["reads"].numel())]
        )

    now = costs()
    with figure._in_state({"kv_heads": figure.num_heads}):
        before = costs()
    return {(4, 1): "read", (1, 4): "computed", (4, 4): "both"}[tuple((before / now).tolist())]


RECORDS: dict[str, Record] = {
    "written": Translated(_written("en"), _written("zh")),
    # The four words, and some of the second sentence for masks with more columns.
    "eight": Translated([*_FOUR("en"), *_PAIR("en")[1][:4]], [*_FOUR("zh"), *_PAIR("zh")[1][1:5]]),
    "padded": Translated(
        ["‹pad›", "‹pad›", *_FOUR("en")[:2]], ["‹填充›", "‹填充›", *_FOUR("zh")[:2]]
    ),
    "growing": NumberRecord(
        text=Text(
            "A model writes seven tokens, one in each step, and each new token reads all tokens "
            "so far. If *no key is kept*, how many keys are computed in all?",
            "模型每一步生成一个词，一共七步，每一步都由最新的词查询已有的全部词。"
            "如果*一个键也不保留*，总共要算多少个键？",
        ),
        answer=lambda figure: figure.stages()["totals"][0, 0, 0],
        tolerance=0.5,
        because=Text(
            "Step *n* computes the keys of all *n* tokens so far, which makes 1 + 2 + … + 7 = "
            "28. With a cache, each step computes a single key.",
            "第 *n* 步要算 *n* 个词的键，加起来是 1 + 2 + … + 7 = 28 个。如果有缓存，"
            "每一步只要新算一个键。",
        ),
        wrong=[
            (
                7,
                Text(
                    "Seven keys, one in each step, are all that a model with a cache computes.",
                    "用了缓存才只算 7 个键；现在没有缓存，前面的键每一步都要重算。",
                ),
            ),
            (
                49,
                Text(
                    "49 is seven keys in each of seven steps, but step *n* has only *n* tokens.",
                    "你把每一步都算成了 7 个键，其实第 *n* 步只有 *n* 个词。",
                ),
            ),
            (
                21,
                Text(
                    "21, which is 0 + 1 + … + 6, leaves out the newest token, which reads "
                    "itself, too.",
                    "你算的是 0 + 1 + … + 6 = 21，漏了最新的词自己的键，它也要查询自己。",
                ),
            ),
        ],
        at={"step": 7, "cached": False},
    ),
    "corner": ChoiceRecord(
        text=Text(
            "There are seven tokens, and the *last two* are new, so two queries meet seven keys. "
            "Which keys does *found* read with `is_causal=True`?",
            "七个词里，*最后两个*是新的，所以有两个查询、七个键。如果设置 `is_causal=True`，"
            "最新的“她”能读到哪些键？",
        ),
        options={
            "all": Text("all seven keys", "全部七个键"),
            "first two": Text("the first two keys", "最前面的两个键"),
            "own": Text("its own key alone", "只有自己的键"),
        },
        answer=_keys_that_the_last_reads,
        because=Text(
            "`is_causal=True` lets query *i* read the keys 0 to *i*. As query 1, *found* reads "
            "the keys 0 and 1. No message says that the scores are not square.",
            "设置 `is_causal=True`，查询 *i* 只能读键 0 到键 *i*。“她”是查询 1，所以只能读键 0 和"
            "键 1。虽然分数矩阵不是方阵，程序也不会提醒。",
        ),
        wrong={
            "all": Text(
                "All seven keys are what `causal_lower_right` allows, but `is_causal=True` "
                "aligns with the upper left.",
                "用 `causal_lower_right` 才能读到全部七个键；`is_causal=True` 的掩码对齐左上角。",
            ),
            "own": Text(
                "The last token keeps only its own key with a window of a single token.",
                "窗口宽度为 1 时，最新的词才只读自己；可是这里没有用窗口。",
            ),
        },
        at={"corner": "upper"},
    ),
    "corner_seen": ChoiceRecord(
        text=Text(
            "Move the corner of the mask from the lower right to the upper left. Which keys does "
            "the newest token lose?",
            "把掩码从右下对齐改成左上对齐，最新的词会少读哪些键？",
        ),
        options={
            "none": Text("no key", "一个也不少"),
            "newest": Text("the newest keys", "最新的几个键"),
            "oldest": Text("the oldest keys", "最早的几个键"),
        },
        answer=_keys_that_the_last_loses,
        because=Text(
            "With the upper left corner, the newest token is treated as one of the oldest, so it "
            "reads only the oldest keys. A model that writes with a cache needs the lower right "
            "corner, or no mask for a single query.",
            "左上对齐时，最新的词被当成了最早的，所以只能读到最早的键。用缓存生成文本时，"
            "掩码要右下对齐；如果只有一个查询，就不需要掩码。",
        ),
        wrong={
            "none": Text(
                "No key is lost when there are as many queries as keys, but here two queries "
                "meet seven keys.",
                "查询和键一样多的话，一个也不会少，可是这里只有两个查询。",
            ),
            "oldest": Text(
                "The oldest keys are what a window hides.",
                "用了窗口，才会读不到最早的几个键；可是这里没有用窗口。",
            ),
        },
        at={"corner": "upper"},
    ),
    "doctor": ChoiceRecord(
        text=Text(
            "A 1 marks what a word may read: itself and the words before it. Now "
            "`nn.MultiheadAttention` gets this table as its Boolean `attn_mask`. Which word gets "
            "NaN?",
            "表里的 1 表示可以读：每个词可以读自己和前面的词。如果把这张表作为布尔型的"
            " `attn_mask` 传给 `nn.MultiheadAttention`，哪个词的输出会是 NaN？",
        ),
        options=_places(("none", Text("no word", "哪个都不会"))),
        answer=_word_with_nan,
        because=Text(
            "The row of *key* has only 1s, and `nn.MultiheadAttention` ignores every key that is "
            "True. A softmax over no keys is 0/0, which is NaN.",
            "“*她*”那一行全是 1，`nn.MultiheadAttention` 又会掩蔽标为 True 的键，"
            "所以一个键也没剩下。这时 softmax 变成 0/0，结果是 NaN。",
        ),
        wrong={
            "0": Text(
                "*Mia* has the fewest keys where True means that a key takes part, but here "
                "*Mia* reads the other three keys.",
                "你把 True 当成了可以读。这里 True 表示掩蔽，“*小雨*”还能读另外三个键。",
            ),
            "1": Text(
                "*lost* still reads two keys, because its row has two 0s.",
                "“*丢了*”那一行有两个 0，表示还有两个键没有被掩蔽，所以不是 NaN。",
            ),
            "2": Text(
                "*her* still reads one key, because its row has one 0.",
                "“*钥匙*”那一行有一个 0，表示还有一个键没有被掩蔽，所以不是 NaN。",
            ),
            "none": Text(
                "No word gets NaN from `scaled_dot_product_attention`, for which True means that "
                "a key takes part.",
                "如果用 `scaled_dot_product_attention`，True 表示可以读，才不会出现 NaN。",
            ),
        },
        at={"reading": "ignored"},
    ),
    "doctor_seen": ChoiceRecord(
        text=Text(
            "Have the table of 0 and 1 *added* to the scores. What happens to the keys with a 0?",
            "把这张由 0 和 1 组成的表改为*加到分数上*，标为 0 的键会受什么影响？",
        ),
        options={
            "hidden": Text("hidden", "被掩蔽"),
            "less": Text("read, with less weight", "仍能读到，权重小一些"),
            "alike": Text("read like all the others", "和别的键权重一样"),
        },
        answer=_keys_with_a_0,
        because=Text(
            "A key with a 0 keeps its score and is read, and a 1 multiplies the exponential of a "
            "score by e. Only −∞ would hide a key.",
            "标为 0 的键分数不变，照样能读到；标为 1 的键分数加 1，指数值变成 e 倍，"
            "权重就大一些。要加上 −∞ 才能掩蔽。",
        ),
        wrong={
            "hidden": Text(
                "A 0 means hidden in a Boolean mask in which True means that a key takes part, "
                "but here 0 is a number.",
                "你把这张表当成了布尔掩码。这里的 0 只是一个数，加到分数上不起作用。",
            ),
            "alike": Text(
                "Adding the same number to all scores changes no weight, but here only some "
                "scores get a 1.",
                "如果所有分数都加上同一个数，权重不会变；但这里只有一部分分数加了 1。",
            ),
        },
        at={"reading": "float"},
    ),
    "groups": ChoiceRecord(
        text=Text(
            "Eight query heads used to have 8 heads of keys and values. Now they share *2*. What "
            "shrinks to a quarter when one token is written?",
            "8 个查询头原来各有一组键和值，现在一共只用 *2* 组。每生成一个词元，"
            "什么减少到了原来的四分之一？",
        ),
        options={
            "read": Text("what a step reads from memory", "从内存读的数"),
            "computed": Text("the products that a step computes", "做的乘法"),
            "both": Text("what a step reads and what it computes", "读的数和做的乘法"),
        },
        answer=_four_times_smaller,
        because=Text(
            "A step reads the whole cache, which now holds 2 heads of keys and values instead "
            "of 8, a quarter of the numbers.",
            "每一步都要读一遍整个缓存，缓存里的键和值从 8 组减到了 2 组。",
        ),
        wrong={
            "computed": Text(
                "Fewer products are computed only with fewer query heads, but each of the 8 "
                "query heads still multiplies its query by every key.",
                "减少的是键和值，查询头还是 8 个，每个查询照样要与每一个键相乘。",
            ),
            "both": Text(
                "What a step computes does not shrink, because there are still 8 query heads.",
                "乘法没有减少，查询头还是 8 个。",
            ),
        },
        at={"kv_heads": 2},
    ),
    "online": NumberRecord(
        text=Text(
            "The key *her* scores 5, and the highest score so far was 3. Everything summed so "
            "far is now multiplied by one number. Which one?",
            "“*钥匙*”的分数是 5，前面的最高分是 3。已经累加的结果都要乘以同一个数，这个数是多少？",
        ),
        answer=lambda figure: figure.stages()["factor"][0, 0, figure.step - 1],
        tolerance=0.03,
        because=Text(
            "Each older term was e to the s − 3, and now it is e to the s − 5. The factor is "
            "e⁻², about 0.14.",
            "前面的每一项原来是 exp(s − 3)，现在应当是 exp(s − 5)，所以要乘以 e⁻²，约为 0.14。",
        ),
        wrong=[
            (
                1,
                Text(
                    "A factor of 1 changes nothing, but the new key has raised the maximum.",
                    "乘以 1 等于没有变，可是最大值已经从 3 升到了 5。",
                ),
            ),
            (
                math.exp(2),
                Text(
                    "7.39, or e², makes the older terms larger, but under a higher maximum they "
                    "shrink.",
                    "你把指数的正负号弄反了。最大值升高以后，前面的各项应当变小。",
                ),
            ),
            (
                0.6,
                Text(
                    "0.6 is only the ratio of the two scores, but exponentials depend on their "
                    "difference.",
                    "0.6 是两个分数的比；取了指数以后，要看的是两个分数的差。",
                ),
            ),
            (
                2,
                Text(
                    "2 is only the difference of the two scores: you still have to take the "
                    "exponential of −2.",
                    "2 只是两个分数的差，还要加上负号，再取指数。",
                ),
            ),
        ],
        at={"step": 3},
        decimals=2,
    ),
    "recomputed": ChoiceRecord(
        text=Text(
            "All four keys are read, and no weight is stored. Later, query and keys are multiplied "
            "again. Which *one* number must have been kept to turn each score s into its weight, "
            "e to the s − number?",
            "读完四个键以后，没有保存权重。反向传播时，把查询与键重新相乘，可以再次算出分数 s。"
            "要使 exp(s − c) 等于权重，应当事先保存哪个数作为 c？",
        ),
        options={
            "maximum": Text("the maximum", "最大值"),
            "sum": Text("the sum", "总和"),
            "log-sum-exp": Text("the maximum plus the logarithm of the sum", "最大值加总和的对数"),
        },
        answer=_enough_for_the_weights,
        because=Text(
            "A weight is e to the s − m divided by the sum, where m is the maximum. Dividing by "
            "the sum means subtracting its logarithm in the exponent. FlashAttention keeps this "
            "one number for each query.",
            "设最大值为 m，权重就是 exp(s − m) 除以总和。除以总和，"
            "相当于在指数里再减去总和的对数。FlashAttention 给每个查询保存的就是这一个数。",
        ),
        wrong={
            "maximum": Text(
                "The maximum alone is not enough: the terms have the right ratios, but the "
                "largest term is 1.",
                "只减去最大值还不够。各项的比例虽然对，但加起来不等于 1。",
            ),
            "sum": Text(
                "The sum alone is not enough, because its terms are relative to the maximum.",
                "只知道总和还不够。总和里的各项都减过最大值，重新算出的分数却没有减。",
            ),
        },
        at={"step": 4},
    ),
    "recomputed_seen": ChoiceRecord(
        text=Text(
            "Step on to the last key. How does the output then compare with "
            "`softmax(scores) @ values`, computed for the whole row at once?",
            "读完最后一个键，把输出与整行一次算出的 `softmax(scores) @ values` 比较，结果如何？",
        ),
        options={
            "equal": Text("equal up to rounding", "相等，只有舍入误差"),
            "close": Text("only close", "只是比较接近"),
            "other": Text("another number", "并不接近"),
        },
        answer=_against_softmax,
        because=Text(
            "One pass over the keys changes only the order of the sums, and thus the rounding. "
            "FlashAttention is no approximation of attention.",
            "逐个读键只改变相加的次序，顶多舍入误差略有不同。FlashAttention 并不是近似算法。",
        ),
        wrong={
            "close": Text(
                "A method that leaves out pairs of words, such as a window, comes close at best.",
                "如果像窗口那样舍去一些键，结果只是比较接近；但这里每个键都读到了。",
            ),
            "other": Text(
                "The output is a different number only while some keys are still to come.",
                "你可能停在了中途，还有几个键没有读。",
            ),
        },
        at={"step": 4},
    ),
    "finite_seen": ChoiceRecord(
        text=Text(
            "Write −∞ into the whole top row. Which weights does the first padding token get then?",
            "把最上面一行全部改成 −∞ 以后，最前面的填充得到了什么样的权重？",
        ),
        options={
            "zero": Text("0 on each key", "全部是 0"),
            "equal": Text("a quarter on each key", "每个键四分之一"),
            "nan": Text("NaN", "NaN"),
        },
        answer=_weights_of_the_first_row,
        because=Text(
            "PyTorch's function takes a row of −∞ to mean that no key is valid, and gives every "
            "key 0.",
            "PyTorch 的函数遇到一整行 −∞，就认为没有键有效，把权重全部设为 0。",
        ),
        wrong={
            "equal": Text(
                "A quarter each is what four equal finite numbers would give.",
                "四个相等的有限数才会平分权重，−∞ 不是有限数。",
            ),
            "nan": Text(
                "NaN is what a plain softmax makes of a row of −∞.",
                "普通的 softmax 会得到 NaN，PyTorch 不会。",
            ),
        },
        at={"table": [["-inf"] * 4, *ADDED.tolist()[1:]]},
    ),
    "finite": ChoiceRecord(
        text=Text(
            "One mask hides the padding in front, the other hides what is still to come. Both "
            "use −3.4e38, and they are *added*. Which keys does the first padding token read?",
            "一个掩码掩蔽前面的填充，另一个掩蔽后面的词，填的都是 −3.4e38。"
            "把两个掩码*加起来*以后，最前面的填充能读到哪些键？",
        ),
        options={
            "none": Text("no key", "一个也读不到"),
            "own": Text("its own key alone", "只有自己的键"),
            "later": Text("its own key and the words to come", "自己的键和后面的词"),
        },
        answer=_keys_of_the_padding,
        because=Text(
            "The padding's own key and the two words each have the lowest number once, and "
            "softmax gives equal scores equal weights. To the key of the second padding token this "
            "number is added twice, which overflows to −∞.",
            "自己的键和后面两个词的键都只加了一次最小的有限数，分数相等，所以平分权重。"
            "另一个填充的键加了两次，溢出成了 −∞。",
        ),
        wrong={
            "none": Text(
                "No key is left when both masks use −∞, but −3.4e38 is a finite number.",
                "如果填的是 −∞，当然一个也读不到，但 −3.4e38 是有限的数。",
            ),
            "own": Text(
                "The padding's own key alone is left when only the words to come are hidden.",
                "你只考虑了后面的词，其实填充自己也加上了 −3.4e38。",
            ),
        },
        at={"back": 3},
    ),
    "window": NumberRecord(
        text=Text(
            "Each token may read *three* tokens at most, itself included. How many of the 49 "
            "weights are not 0?",
            "每个词连自己在内，最多读*三个*词。49 个权重里有多少个不为 0？",
        ),
        answer=lambda figure: (figure.attention_weights > 0).sum(),
        tolerance=0.5,
        because=Text(
            "The first two rows have 1 and 2 weights, and every row after them has 3, however "
            "long the text is. In all, that makes 1 + 2 + 5 · 3 = 18.",
            "最上面两行分别有 1 个和 2 个权重，后面无论文本多长，每行都是 3 个，"
            "一共 1 + 2 + 5 × 3 = 18 个。",
        ),
        wrong=[
            (
                21,
                Text(
                    "21 counts three weights in all seven rows, but the first two rows have fewer.",
                    "你给七行都算了三个权重，可是最上面两行还没有三个词可读。",
                ),
            ),
            (
                28,
                Text(
                    "28 weights are what the causal mask alone leaves.",
                    "28 个是只用因果掩码的结果，别忘了这里还有窗口。",
                ),
            ),
            (
                49,
                Text(
                    "All 49 weights are left only without any mask.",
                    "49 个是完全不用掩码的结果。",
                ),
            ),
        ],
        at={"width": 3},
    ),
    "slope": NumberRecord(
        text=Text(
            "All scores are equal. Now each token of distance takes *0.7* off a score. About what "
            "share does the newest token give to itself?",
            "假设所有分数都相等，每远一个词，分数就扣 *0.7*。最新的词给自己的权重大约占多少？",
        ),
        answer=lambda figure: 100 * figure.attention_weights[0, -1, -1],
        tolerance=7,
        because=Text(
            "Each token of distance multiplies a weight by e to the −0.7, about ½. The newest "
            "token has the first term of 1 + ½ + ¼ + …, about half of the sum.",
            "每远一个词，权重就乘以 exp(−0.7)，大约减半。总和大约是 1 + ½ + ¼ + ……，"
            "最新的词是首项，约占一半。",
        ),
        wrong=[
            (
                100 / 7,
                Text(
                    "An equal share for each of the seven tokens is what slope 0 gives.",
                    "你忘了扣分，如果斜率为 0，才会各得 14%。",
                ),
            ),
            (
                100,
                Text(
                    "All of the weight goes to the newest token itself only when the slope is "
                    "very steep.",
                    "斜率还要大得多，权重才会全给自己。",
                ),
            ),
        ],
        at={"slope": 0.7},
        unit="%",
        slider=(0, 100, 1),
    ),
}
