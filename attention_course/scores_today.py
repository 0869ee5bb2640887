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
            "A model writes seven tokens, one a step, and the newest asks all so far. If *no key "
            "is kept*, how many keys has it computed at the end?",
            "模型每步写一个词元，一共写七个，每一步都由最新的词元查询已有的全部词元。"
            "如果*一个键也不保留*，写完时一共算了多少个键？",
        ),
        answer=lambda figure: figure.stages()["totals"][0, 0, 0],
        tolerance=0.5,
        because=Text(
            "Step *n* computes the keys of all *n* tokens so far, and 1 + 2 + … + 7 = 28. With a "
            "cache each step computes the newest key and finds the others.",
            "第 *n* 步要算出已有的 *n* 个词元的键，而 1 + 2 + … + 7 = 28。"
            "有了缓存，每一步只新算一个键，别的都是现成的。",
        ),
        wrong=[
            (
                7,
                Text(
                    "Seven keys, one a step, are all that a model with a cache computes.",
                    "保留键的模型每步只新算一个，一共 7 个。",
                ),
            ),
            (
                49,
                Text(
                    "Seven keys in every step, 49 in all, would be right if the first step "
                    "already knew the whole story.",
                    "每步都算 7 个键，一共 49 个，前提是第一步就知道后面要写什么。",
                ),
            ),
            (
                21,
                Text(
                    "0 + 1 + … + 6 leaves out the newest key of each step, and the newest token "
                    "asks itself too.",
                    "0 + 1 + … + 6 漏掉了每一步最新的词元，而最新的词元也要查询自己。",
                ),
            ),
        ],
        at={"step": 7, "cached": False},
    ),
    "corner": ChoiceRecord(
        text=Text(
            "Seven tokens are written, the *last two* of them new, so that two queries meet "
            "seven keys. Which keys does *found* read with `is_causal=True`?",
            "一共七个词元，*最后两个*是新写的，所以是两个查询遇到七个键。"
            "用 `is_causal=True`，最新的“她”读到哪些键？",
        ),
        options={
            "all": Text("all seven keys", "全部七个键"),
            "first two": Text("the first two keys", "最前面两个键"),
            "own": Text("its own key alone", "只有自己的键"),
        },
        answer=_keys_that_the_last_reads,
        because=Text(
            "`is_causal=True` lets query *i* read the keys 0 to *i*, and *found* is query 1 of "
            "two. The scores are not square, and no message says so.",
            "`is_causal=True` 让查询 *i* 读键 0 到 *i*，而两个查询里“她”是查询 1。"
            "分数不是方阵，却没有任何提示。",
        ),
        wrong={
            "all": Text(
                "All seven keys are what `causal_lower_right` lets the newest token read, and what "
                "a model needs.",
                "最新的词元本该读全部七个键，`causal_lower_right` 给出的就是这样的掩码。",
            ),
            "own": Text(
                "A triangle that is turned round, with `triu` for `tril`, leaves one key alone.",
                "把 `tril` 写成 `triu`，最后一行就只剩下自己的键。",
            ),
        },
        at={"corner": "upper"},
    ),
    "corner_seen": ChoiceRecord(
        text=Text(
            "As the corner of the mask moves from the lower right to the upper left, which keys "
            "does the newest token lose?",
            "掩码从右下对齐改为左上对齐时，最新的词元失去了哪些键？",
        ),
        options={
            "none": Text("no key", "一个也没有失去"),
            "newest": Text("the newest keys", "最新的几个键"),
            "oldest": Text("the oldest keys", "最旧的几个键"),
        },
        answer=_keys_that_the_last_loses,
        because=Text(
            "With the upper left corner the newest token counts as one of the oldest, and only "
            "the oldest keys are left. A model that writes with a cache needs the lower right "
            "corner, or no mask for a single query.",
            "左上对齐把最新的词元当成了最旧的，于是只剩下最旧的键。"
            "模型带着缓存生成时，掩码要右下对齐；只有一个查询时，则不需要掩码。",
        ),
        wrong={
            "none": Text(
                "No key is lost where there are as many queries as keys, as in training.",
                "查询和键一样多的时候，例如训练时，两种对齐没有区别。",
            ),
            "oldest": Text(
                "The oldest keys are what a window takes away.", "失去最旧的键，是窗口的作用。"
            ),
        },
        at={"corner": "upper"},
    ),
    "doctor": ChoiceRecord(
        text=Text(
            "A 1 marks what a word may read: itself and the words before. Now "
            "`nn.MultiheadAttention` gets this table as its Boolean `attn_mask`. Which word gets "
            "NaN?",
            "表里的 1 标出一个词可以读的词，也就是自己和前面的词。"
            "现在把这张表作为布尔型的 `attn_mask` 传给 `nn.MultiheadAttention`，哪个词会得到 NaN？",
        ),
        options=_places(("none", Text("no word", "一个词也没有"))),
        answer=_word_with_nan,
        because=Text(
            "`nn.MultiheadAttention` ignores every key that is True. The row of *key* has no 0, "
            "so all its keys are ignored, and a softmax over nothing is 0/0.",
            "`nn.MultiheadAttention` 会忽略标为 True 的键。“*她*”的一行没有 0，所有的键都被忽略，"
            "softmax 就成了 0/0。",
        ),
        wrong={
            "0": Text(
                "*Mia* has the fewest keys where True takes part. Where True is ignored, *Mia* "
                "reads the three others.",
                "True 表示参与时，“*小雨*”能读的键最少；True 表示忽略时，反而能读另外三个。",
            ),
            "1": Text(
                "The row of *lost* has two 0s, and *lost* reads those two keys.",
                "“*丢了*”的行里有两个 0，“*丢了*”读得到这两个键。",
            ),
            "2": Text(
                "The row of *her* has one 0, and *her* reads that key.",
                "“*钥匙*”的行里有一个 0，“*钥匙*”读得到这个键。",
            ),
            "none": Text(
                "No word gets NaN from `scaled_dot_product_attention`, for which True takes part.",
                "`scaled_dot_product_attention` 把 True 当作参与，那里没有 NaN。",
            ),
        },
        at={"reading": "ignored"},
    ),
    "doctor_seen": ChoiceRecord(
        text=Text(
            "Take the table of 0 and 1 as numbers that are *added*. What becomes of the keys "
            "with a 0?",
            "把由 0 和 1 组成的表*加到分数上*，标着 0 的键怎么样了？",
        ),
        options={
            "hidden": Text("hidden", "被掩蔽"),
            "less": Text("read, with less weight", "仍被读到，权重小一些"),
            "alike": Text("read like all others", "和别的键一样被读到"),
        },
        answer=_keys_with_a_0,
        because=Text(
            "Adding 0 leaves a score as it is, and adding 1 makes a key e times as heavy. A float "
            "mask hides with −∞, and 0 keeps.",
            "分数加 0 不变，加 1 则权重变成 e 倍。浮点掩码要用 −∞ 来掩蔽，0 表示保留。",
        ),
        wrong={
            "hidden": Text(
                "Hidden is what a 0 says in a Boolean mask of `scaled_dot_product_attention`.",
                "在 `scaled_dot_product_attention` 的布尔掩码里，0 才表示掩蔽。",
            ),
            "alike": Text(
                "All keys would be read alike if the same number were added to all scores.",
                "给所有分数加上同一个数，各个键才会一样。",
            ),
        },
        at={"reading": "float"},
    ),
    "groups": ChoiceRecord(
        text=Text(
            "Eight query heads have 8 heads of keys and values. Let them share *2*. What becomes "
            "four times smaller for a step of writing?",
            "8 个查询头原来各有自己的键和值，现在让它们共用 *2* 组。"
            "对生成的每一步来说，什么变成了四分之一？",
        ),
        options={
            "read": Text("what a step reads from memory", "要从内存读的数"),
            "computed": Text("the products that a step computes", "要算的乘积"),
            "both": Text("what it reads and what it computes", "要读的数和要算的乘积"),
        },
        answer=_four_times_smaller,
        because=Text(
            "Only 2 heads of keys and values are in the cache, and the cache is what a step reads. "
            "Each of the 8 query heads still multiplies its query with every key.",
            "缓存里只剩下 2 个头的键和值，而每一步要读的就是缓存。"
            "8 个查询头则照旧要与每一个键相乘。",
        ),
        wrong={
            "computed": Text(
                "Fewer products are what fewer query heads would give.",
                "查询头减少了，要算的乘积才会变少。",
            ),
            "both": Text(
                "Both would shrink if query heads were left out as well.",
                "连查询头也减少，两者才会一起变少。",
            ),
        },
        at={"kv_heads": 2},
    ),
    "online": NumberRecord(
        text=Text(
            "The key *her* scores 5, and the highest so far was 3. All that was summed up "
            "before is now multiplied by one number. Which?",
            "“*钥匙*”的分数是 5，之前最高的是 3。前面累加起来的一切，现在都要乘以同一个数。"
            "这个数是多少？",
        ),
        answer=lambda figure: figure.stages()["factor"][0, 0, figure.step - 1],
        tolerance=0.03,
        because=Text(
            "Each older term was e to the s − 3, and now it is e to the s − 5: e⁻² "
            "times as much, for all older keys alike.",
            "前面的每一项原来是 e 的 s − 3 次方，现在是 s − 5 次方，都只有原来的 e⁻² 倍。",
        ),
        wrong=[
            (
                1,
                Text(
                    "A factor of 1 is right for a key that does not raise the maximum.",
                    "没有抬高最大值的键，才乘以 1。",
                ),
            ),
            (
                math.exp(2),
                Text(
                    "e² is what the older terms would be multiplied by if the maximum fell from 5 "
                    "to 3.",
                    "最大值如果从 5 降到 3，前面的各项才乘以 e²。",
                ),
            ),
            (
                0.6,
                Text(
                    "0.6 is the ratio of the two scores, and exponentials depend on differences.",
                    "0.6 是两个分数之比，而取指数以后，起作用的是两者之差。",
                ),
            ),
            (
                2,
                Text(
                    "2 is the difference of the two scores, before the exponential.",
                    "2 是两个分数之差，还要取一次指数。",
                ),
            ),
        ],
        at={"step": 3},
        decimals=2,
    ),
    "recomputed": ChoiceRecord(
        text=Text(
            "All four keys are read, and no weight is stored. Later, query and keys are "
            "multiplied again. Which *one* number must have been kept, so that e to the "
            "s − number is the weight of every key?",
            "四个键都读完了，一个权重也没有存下来。后来我们把查询与键再乘一次，重新得到各个分数 s。"
            "先前要留下哪*一个*数，每个键的权重才等于 e 的 s 减这个数次方？",
        ),
        options={
            "maximum": Text("the maximum", "最大值"),
            "sum": Text("the sum", "总和"),
            "log-sum-exp": Text("the maximum plus the logarithm of the sum", "最大值加总和的对数"),
        },
        answer=_enough_for_the_weights,
        because=Text(
            "A weight is e to the s − m, divided by the sum, and dividing by the sum takes its "
            "logarithm off the exponent. One number a query is all that FlashAttention keeps.",
            "权重是 e 的 s − m 次方除以总和，而除以总和，就是在指数里再减去总和的对数。"
            "FlashAttention 为每个查询只留下这一个数。",
        ),
        wrong={
            "maximum": Text(
                "With the maximum alone the terms have the right ratios, and the largest is 1.",
                "只减最大值，各项的比例是对的，可是最大的一项成了 1。",
            ),
            "sum": Text(
                "The sum was made of terms that are relative to the maximum, and says nothing of "
                "the scores without it.",
                "总和是减去最大值以后累加的，没有最大值，就和分数对不上。",
            ),
        },
        at={"step": 4},
    ),
    "recomputed_seen": ChoiceRecord(
        text=Text(
            "Step on to the last key. How does the output then compare with "
            "`softmax(scores) @ values`, computed for the whole row at once?",
            "走到最后一个键。这时的输出，与整行一次算完的 `softmax(scores) @ values` 相比怎样？",
        ),
        options={
            "equal": Text("equal to it", "完全相等"),
            "close": Text("close to it", "比较接近"),
            "other": Text("another number", "是另一个数"),
        },
        answer=_against_softmax,
        because=Text(
            "One pass changes the order of the sums and nothing else. FlashAttention is no "
            "approximation of attention.",
            "一遍算完，只是换了相加的次序。FlashAttention 算的不是近似值。",
        ),
        wrong={
            "close": Text(
                "Methods that leave pairs of words out, such as a window, come close at best.",
                "像窗口那样舍去一部分词对的方法，结果才最多只是接近。",
            ),
            "other": Text(
                "Another number stands there while keys are still to come.",
                "还有键没读到时，输出才是另一个数。",
            ),
        },
        at={"step": 4},
    ),
    "finite_seen": ChoiceRecord(
        text=Text(
            "Write −∞ into the whole top row. Which weights does the first padding get then?",
            "把最上面一行全部改成 −∞。这时最前面的填充得到怎样的权重？",
        ),
        options={
            "zero": Text("all weights 0", "权重全是 0"),
            "equal": Text("a quarter on each key", "每个键四分之一"),
            "nan": Text("NaN", "NaN"),
        },
        answer=_weights_of_the_first_row,
        because=Text(
            "PyTorch's function takes −∞ in the whole row to mean that no key counts.",
            "整行都是 −∞，PyTorch 的函数就认定没有一个键有效。",
        ),
        wrong={
            "equal": Text(
                "A quarter each is what four equal finite numbers give.",
                "四个相等的有限数，才会各得四分之一。",
            ),
            "nan": Text(
                "NaN is what a plain softmax makes of a row of −∞.",
                "普通的 softmax 遇到整行 −∞，才会得到 NaN。",
            ),
        },
        at={"table": [["-inf"] * 4, *ADDED.tolist()[1:]]},
    ),
    "finite": ChoiceRecord(
        text=Text(
            "One mask hides the padding in front, the other hides what is still to come, each "
            "with −3.4e38. The two masks are *added*. Which keys does the first padding read?",
            "一个掩码掩蔽前面的填充，另一个掩蔽后面的词，用的都是 −3.4e38，"
            "现在把两个掩码*加起来*。最前面的填充读到哪些键？",
        ),
        options={
            "none": Text("no key", "一个键也没有"),
            "own": Text("its own key alone", "只有自己的键"),
            "later": Text("its own key and the words to come", "自己的键和后面的词"),
        },
        answer=_keys_of_the_padding,
        because=Text(
            "Three keys of row 0 have the same lowest number, and softmax sees only differences: "
            "equal scores share the weight. The fourth has it twice, which overflows to −∞.",
            "最上面一行有三个键的分数都是同一个最低的数，softmax 只看分数之差，所以三者平分权重。"
            "另一个键加了两次，溢出成了 −∞。",
        ),
        wrong={
            "none": Text(
                "No key is what −∞ in both masks would leave.",
                "两个掩码都用 −∞，才会一个键也读不到。",
            ),
            "own": Text(
                "The padding's own key would be left if only the words to come were hidden.",
                "如果只掩蔽后面的词，填充就读得到自己的键。",
            ),
        },
        at={"back": 3},
    ),
    "window": NumberRecord(
        text=Text(
            "Each token may read *three* tokens at most, itself among them. How many of the "
            "49 weights are not 0?",
            "每个词元最多读*三个*词元，自己也算一个。49 个权重里有多少个不是 0？",
        ),
        answer=lambda figure: (figure.attention_weights > 0).sum(),
        tolerance=0.5,
        because=Text(
            "The rows have 1, 2, 3, 3, 3, 3 and 3 weights. From row 2 on, every row costs the "
            "same, however long the text is.",
            "各行的权重依次有 1、2、3、3、3、3、3 个。"
            "不论文章多长，前两行之后，每一行的代价都一样。",
        ),
        wrong=[
            (
                21,
                Text(
                    "Three weights in each of seven rows would need two tokens before the first.",
                    "七行都有三个权重，需要最前面再多两个词元。",
                ),
            ),
            (
                28,
                Text(
                    "28 weights are what the causal mask alone leaves.",
                    "只有因果掩码时，才剩下 28 个权重。",
                ),
            ),
            (
                49,
                Text(
                    "All 49 weights are what there is without any mask.",
                    "什么都不掩蔽，才有 49 个权重。",
                ),
            ),
        ],
        at={"width": 3},
    ),
    "slope": NumberRecord(
        text=Text(
            "All scores are alike. Now each token of distance takes *0.7* off a score. About what "
            "share does the newest token give to itself?",
            "所有分数都相同。现在每远一个词元，分数就扣 *0.7*。最新的词元给自己的权重大约占多少？",
        ),
        answer=lambda figure: 100 * figure.attention_weights[0, -1, -1],
        tolerance=7,
        because=Text(
            "One token farther is worth e to the −0.7, about half as much. In the sum 1 + ½ + ¼ "
            "and so on, the first term is about half.",
            "每远一个词元，就只剩 e 的 −0.7 次方，约一半。"
            "1 + ½ + ¼ 这样加下去，第一项约占总和的一半。",
        ),
        wrong=[
            (
                100 / 7,
                Text(
                    "An equal share for each of the seven tokens is what slope 0 gives.",
                    "斜率是 0 时，七个词元才平分权重。",
                ),
            ),
            (
                100,
                Text(
                    "All of the weight is what a very steep slope leaves to the newest token.",
                    "斜率非常大，权重才会全归最新的词元自己。",
                ),
            ),
        ],
        at={"slope": 0.7},
        unit="%",
        slider=(0, 100, 1),
    ),
}
