"""Record the sentences and questions of chapter 4's figures."""

from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course.records import (
    ChoiceRecord,
    Lang,
    Record,
    Text,
    Translated,
    in_language,
)

# The scores of each word on each, as queries and as keys.
WORD_SCORES = torch.tensor(
    [[0.1, 0.9, 0.3, 0.6], [0.7, 0.2, 0.5, 1.1], [0.4, 1.2, 0.1, 0.8], [0.1, 0.9, 0.3, 0.6]]
)
# The scores of a sentence that stands behind its padding.
LEFT_SCORES = torch.tensor([0.9, 0.9, 0.3, 0.6, 0.1])


def words(lang: Lang) -> SimpleNamespace:
    """Return sentences and questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").morning
    ['早上', '好']
    """
    return in_language(lang, RECORDS)


def _padded(sentence: list[str], pad: str) -> list[str]:
    return [*sentence, *[pad] * (4 - len(sentence))]


def _batch(first: list[str], second: list[str], pad: str) -> dict[str, list[list[str]]]:
    """Name the four keys and two queries of two sentences."""
    keys = [_padded(sentence, pad) for sentence in (first, second)]
    return {"names": keys, "query_names": [names[:2] for names in keys]}


def _share_and_part_of_keys(figure: Any) -> str:
    """Compare the share of padding in the weight with its share in the number of keys."""
    share = figure.stages()["padding_share"].squeeze()
    keys = figure.attention_weights.shape[-1]
    part = torch.tensor((keys - len(figure.words)) / keys).to(share)
    if share == 0:
        return "none"
    return "equal" if torch.isclose(share, part) else ("more" if share > part else "less")


def _left_by_masked_weights(figure: Any) -> str:
    """Say what the words' weights sum to if those of padding become 0 after the softmax."""
    left = 1 - figure.stages()["padding_share"].squeeze()
    half = torch.full_like(left, 0.5)
    if torch.isclose(left, half):
        return "half"
    return "one" if torch.isclose(left, 2 * half) else ("less" if left < half else "more")


def _change_of_two_weights(figure: Any) -> str:
    """Compare the first two weights with those before padding was masked."""
    now = figure.attention_weights[0, 0, :2]
    with figure._in_state({"valid_lens": [figure.attention_weights.shape[-1]]}):
        before = figure.attention_weights[0, 0, :2]
    if torch.allclose(now, before):
        return "none"
    factors, amounts = now / before, now - before
    return "factor" if torch.isclose(*factors) else ("amount" if torch.isclose(*amounts) else "?")


def _ratio_with_a_third(figure: Any) -> str:
    """Compare the ratio of the first two weights with what it is without the third key."""
    first, second = figure.attention_weights[0, 0, :2]
    scores = figure.stages()["scores"][0, 0]
    before = torch.exp(scores[0] - scores[1])
    return ["same", "larger", "smaller"][
        int(torch.sign((first / second - before).round(decimals=9)))
    ]


def _mask_of_weightless_keys(figure: Any) -> str:
    stages = figure.stages()
    (said,) = {bool(x) for x in stages["mask"][stages["attention_weights"] == 0]}
    return str(said)


def _weight_of_the_first_word(figure: Any) -> str:
    weight = float(figure.attention_weights[0, 0, 0])
    return {0.25: "quarter", 1.0: "one"}.get(weight, "small")


def _keys_with_weight(figure: Any) -> str:
    """Say whether padding in front of a sentence, its words or both have weight."""
    heavy = (figure.attention_weights[0, 0] > 0).tolist()
    padding, spoken = any(heavy[: figure.before]), heavy[figure.before :]
    if not padding:
        return "words"
    return "all" if all(spoken) else ("both" if any(spoken) else "padding")


def _length_that_keeps_the_words(figure: Any) -> str:
    """Return a length at which the words have weight and the padding in front has none, if any."""
    for length in range(figure.attention_weights.shape[-1] + 1):
        with figure._in_state({"valid_lens": [length]}):
            if _keys_with_weight(figure) == "words" and figure.attention_weights.any():
                return str(length)
    return "none"


def _modules_with_equal_weights(figure: Any) -> str:
    """Say with which modules the first and the last key have equal weights."""
    now = figure.num_hiddens
    equal = {}
    for module in figure.modules:
        figure.num_hiddens = module["num_hiddens"]
        first, last = figure.attention_weights[0][:, [0, 3]].T
        equal[figure.num_hiddens] = bool(torch.isclose(first, last).all())
    if all(equal.values()):
        return "every module"
    return "this module" if equal[now] else "no key"


def _what_a_row_is(figure: Any) -> str:
    """Change the first query of the last example, and see which weights follow."""
    before = figure.attention_weights
    queries = torch.tensor(figure.queries)
    queries[-1, 0] += 1
    with figure._in_state({"queries": queries}):
        changed = (figure.attention_weights - before).abs().amax(-1) > 1e-6  # (B, Q)
    if changed[-1].tolist() == [True, False] and not changed[0].any():
        return "queries"
    return "examples" if changed[-1].all() else "keys"


def _receiver_of_the_weight(figure: Any) -> str:
    share = figure.stages()["padding_share"].sum()
    if share.isnan():
        return "NaN"
    return "padding" if share > 0.5 else "keys"


def _way_of_the_padding(figure: Any) -> str:
    """Say how the share of padding changes while the level falls to the present one."""
    shares = []
    for part in range(8):
        with figure._in_state({"level": figure.level * part / 7}):
            shares.append(float(figure.stages()["padding_share"].sum()))
    if max(shares) < 0.01:
        return "nothing"
    return "jump" if all(share < 0.01 or share > 0.99 for share in shares) else "gradual"


def _row_that_sums_to_one(figure: Any) -> str:
    stages = {
        "finite fill": "finite_fill",
        "infinite fill": "infinite_fill",
        "masked_softmax": "attention_weights",
    }
    sums = {name: figure.stages()[stage].sum() for name, stage in stages.items()}
    ones = [name for name, x in sums.items() if torch.isclose(x, torch.ones_like(x))]
    return ones[0] if ones else "none"


def _output_with_nan(figure: Any) -> str:
    stages: dict[str, Tensor] = figure.stages()
    output, words_alone = stages["output"].sum(), stages["terms"].nansum()
    if output.isnan():
        return "NaN"
    return "words alone" if torch.isclose(output, words_alone) else "zero"


def _weights_that_changed(figure: Any) -> str:
    """Compare the weights with those while padding held 0."""
    now = figure.attention_weights[0, 0]
    with figure._in_state({"held": "0"}):
        changed = now != figure.attention_weights[0, 0]
    if not changed.any():
        return "none"
    return "all" if changed.all() else "padding"


_MORNING = Translated(["good", "morning"], ["早上", "好"])
_SOON = Translated(["see", "you", "soon"], ["我们", "回头", "见"])
_PAD = Translated("‹pad›", "‹填充›")

RECORDS: dict[str, Record] = {
    # In the book's first sentence, which word asks, and its scores on the words and on padding.
    "asks": Translated(2, 1),
    "asked": Translated(
        torch.tensor([1.2, 0.1, 0.4, 0.5, 0.2, 0.9, 0.9]),
        torch.tensor([1.2, 0.1, 0.2, 0.1, 0.9, 0.2, 1.0]),
    ),
    "late": Translated(["the", "train", "was", "late"], ["火车", "今天", "又", "晚点"]),
    "morning": _MORNING,
    "padded": Translated(_padded(_MORNING.en, _PAD.en), _padded(_MORNING.zh, _PAD.zh)),
    "soon": _SOON,
    "batch": Translated(
        _batch(_MORNING.en, _SOON.en, _PAD.en), _batch(_MORNING.zh, _SOON.zh, _PAD.zh)
    ),
    "sentence": ChoiceRecord(
        text=Text(
            "*Mia lost her key.* shares a batch with a longer sentence, so two places of padding "
            "follow it. *her* reads all seven keys, and none is masked. How much of its weight "
            "goes to padding?",
            "“*小雨丢了一把钥匙。*”与更长的一句放在同一批里，后面因此补了一个填充。"
            "“*丢了*”要看七个键，哪一个都没有被掩蔽。它的权重有多少落到填充上？",
        ),
        options={
            "none": Text("none", "没有"),
            "equal": Text("exactly 2/7", "正好 1/7"),
            "more": Text("more than 2/7", "超过 1/7"),
        },
        answer=_share_and_part_of_keys,
        because=Text(
            "To softmax a score is a score, whatever stands behind it, and the scores of padding "
            "are among the highest. Now drag the edge to 5.",
            "对 softmax 来说，分数就是分数，不管后面有没有词，"
            "而填充的分数比多数词都高。接着把边线拖到 6 看看。",
        ),
        wrong={
            "none": Text(
                "A weight of 0 needs a mask, because no exponential is 0.",
                "要让权重为 0，就得有掩码，因为指数值没有一个是 0。",
            ),
            "equal": Text(
                "Exactly 2/7 is what seven equal scores would give to two keys.",
                "七个分数都相等，填充才正好得到 1/7。",
            ),
        },
        at={"valid_lens": [7]},
    ),
    "wider": ChoiceRecord(
        text=Text(
            "Suppose that we mask the weights instead: softmax runs over all four scores, and then "
            "the two weights of padding are set to 0. What do the weights of *good* and *morning* "
            "add up to?",
            "假如我们改为掩蔽权重，也就是先对四个分数做 softmax，再把填充的两个权重设为 0，"
            "“*早上*”和“*好*”的权重加起来是多少？",
        ),
        options={
            "one": Text("1", "1"),
            "half": Text("exactly 0.5", "正好 0.5"),
            "less": Text("less than 0.5", "不到 0.5"),
        },
        answer=_left_by_masked_weights,
        because=Text(
            "Padding has already taken 53% when its weights are set to 0, and nothing gives this "
            "part back. Now mask the scores: drag the edge to 2.",
            "在权重设为 0 之前，填充已经占去了 53%，这一份不会再还给两个词。"
            "接着掩蔽分数，把边线拖到 2 看看。",
        ),
        wrong={
            "one": Text(
                "A sum of 1 is what we get by masking the scores, before the softmax.",
                "要让总和为 1，就得在 softmax 之前掩蔽分数。",
            ),
            "half": Text(
                "Exactly 0.5 is what four equal scores would leave to two keys.",
                "四个分数都相等，两个词才正好得到 0.5。",
            ),
        },
        at={"valid_lens": [4]},
    ),
    "wider_seen": ChoiceRecord(
        text=Text(
            "As the edge goes from 4 to 2, what happens to the weights of *good* and *morning*?",
            "边线从 4 拖到 2，“*早上*”和“*好*”的权重怎样变化？",
        ),
        options={
            "none": Text("no change", "不变"),
            "factor": Text("growth by the same factor", "按同样的倍数变大"),
            "amount": Text("growth by the same amount", "各增加同样多"),
        },
        answer=_change_of_two_weights,
        because=Text(
            "Masked scores drop out of the sum, and both exponentials are divided by the smaller "
            "sum that is left.",
            "被掩蔽的分数退出了求和，两个指数值都除以剩下的、较小的总和。",
        ),
        wrong={
            "none": Text(
                "No change is what masking the weights gives: only padding becomes 0.",
                "如果掩蔽的是权重，变成 0 的只有填充，两个词才会不变。",
            ),
            "amount": Text(
                "The same amount for both would change the ratio of the two weights.",
                "如果各增加同样多，两个权重之比就变了。",
            ),
        },
        at={"valid_lens": [2]},
    ),
    "steps": ChoiceRecord(
        text=Text(
            "In row 0 of `X[0]`, keys 0 and 1 weigh 0.65 and 0.35, a ratio of 1.82. "
            "Key 2 has the highest score of the row; let it join. What becomes of the ratio?",
            "`X[0]` 的行 0 里，键 0 和键 1 的权重是 0.65 和 0.35，比值为 1.82。"
            "键 2 的分数是这一行里最高的，现在让它加入，这个比值会怎样？",
        ),
        options={
            "smaller": Text("a smaller ratio", "变小"),
            "same": Text("still 1.82", "仍是 1.82"),
            "larger": Text("a larger ratio", "变大"),
        },
        answer=_ratio_with_a_third,
        because=Text(
            "All three are divided by one larger sum, so both weights shrink by the same factor, "
            "to 0.38 and 0.21.",
            "三个指数值都除以同一个更大的总和，所以键 2 从另外两个键那里"
            "按比例各分走一份，两者剩下 0.38 和 0.21。",
        ),
        wrong={
            "smaller": Text(
                "The larger weight loses more, but not a larger part of itself.",
                "较大的权重让出得确实更多，但是占自己的比例并不更大。",
            ),
            "larger": Text(
                "A larger ratio would mean that the smaller weight alone makes room for key 2.",
                "如果只有较小的权重让出一份，比值才会变大。",
            ),
        },
        at={"valid_lens": [3, 3], "step": 5},
    ),
    "steps_seen": ChoiceRecord(
        text=Text(
            "Step 2 shows the mask, and step 5 the weights. What does the mask say at the keys "
            "whose weight is 0?",
            "第 2 步是掩码，第 5 步是权重。权重为 0 的键，掩码里写的是什么？",
        ),
        options={"True": Text("True", "True"), "False": Text("False", "False")},
        answer=_mask_of_weightless_keys,
        because=Text(
            "In this book `True` means *keep*, as in `scaled_dot_product_attention`.",
            "在本书里，`True` 表示保留，与 `scaled_dot_product_attention` 一致。",
        ),
        wrong={
            "True": Text(
                "`True` for hidden keys is the convention of `nn.MultiheadAttention`.",
                "用 `True` 表示隐藏，是 `nn.MultiheadAttention` 的约定。",
            ),
        },
        at={"step": 2},
    ),
    "staircase": ChoiceRecord(
        text=Text(
            "A text is written word by word, so each word may read itself and what stands "
            "before it. *the* comes first, and scores low on itself: 0.1. What weight does it give "
            "itself?",
            "逐词写一句话时，每个词只能读到自己和前面的词。“*火车*”排在最前面，"
            "它对自己的分数很低，只有 0.1。它给自己的权重是多少？",
        ),
        options={
            "small": Text("less than 0.25", "不到 0.25"),
            "quarter": Text("0.25", "0.25"),
            "one": Text("1", "1"),
        },
        answer=_weight_of_the_first_word,
        because=Text(
            "The length of *the* is 1, and a single key gets all the weight. The other lengths "
            "are 2, 3 and 4, a staircase.",
            "“*火车*”的长度是 1，唯一的键得到全部权重。其余的长度是 2、3、4，排成台阶。",
        ),
        wrong={
            "small": Text(
                "A low score costs weight only beside other keys, and *the* may read no other.",
                "与别的键相比，分数低才会吃亏，而“*火车*”读不到别的键。",
            ),
            "quarter": Text(
                "A quarter is what four keys of equal scores would get.",
                "四个键的分数都相等，才会各得 0.25。",
            ),
        },
        at={"valid_lens": [[1, 2, 3, 4]]},
    ),
    "left_padding": ChoiceRecord(
        text=Text(
            "The `attention_mask` of this sentence is `[0, 0, 1, 1, 1]`, and its sum is 3. With "
            "3 as the valid length, which keys have weight?",
            "这句话的 `attention_mask` 是 `[0, 0, 1, 1, 1]`，总和为 3。"
            "如果拿 3 当有效长度，哪些键有权重？",
        ),
        options={
            "words": Text("the three words", "三个词"),
            "both": Text("two places of padding and one word", "两个填充和一个词"),
            "all": Text("all five keys", "全部五个键"),
        },
        answer=_keys_with_weight,
        because=Text(
            "A valid length counts from the left. The sum says how many keys are real, but not "
            "where they stand.",
            "有效长度是从左边数起的。总和只说明有多少个键是真实的，没有说明它们在哪里。",
        ),
        wrong={
            "words": Text(
                "The three words would be right if padding stood on the right.",
                "填充如果在右边，有权重的才是三个词。",
            ),
            "all": Text(
                "All five keys have weight at the length 5, where nothing is masked.",
                "长度为 5、什么也没有掩蔽的时候，才是全部五个键。",
            ),
        },
        at={"valid_lens": [3]},
    ),
    "left_padding_seen": ChoiceRecord(
        text=Text(
            "Move the edge from 0 to 5. At which length do the three words have weight, and "
            "padding none?",
            "把边线从 0 拖到 5。长度是多少时，三个词有权重，而填充没有？",
        ),
        options={
            "none": Text("none of them", "哪个长度都不行"),
            "2": Text("2", "2"),
            "3": Text("3", "3"),
        },
        answer=_length_that_keeps_the_words,
        because=Text(
            "Every length above 0 keeps the first key, and the first key is padding.",
            "只要长度大于 0，第一个键就保留着，而第一个键正是填充。",
        ),
        wrong={
            "2": Text(
                "The length 2 keeps just the two places of padding.",
                "长度为 2 时，保留的恰好是两个填充。",
            ),
            "3": Text(
                "The length 3 keeps as many keys as there are words, but two of them are padding.",
                "长度为 3 时，保留的键数与词数相同，可是其中两个是填充。",
            ),
        },
        at={"valid_lens": [3]},
    ),
    "pipeline": ChoiceRecord(
        text=Text(
            "In example 0 *good* and the last place of padding hold the same two numbers. "
            "`valid_lens[0]` becomes 4. Which key weighs as much as *good* in every row?",
            "样本 0 里，“*早上*”的键与最后一个填充的键，两个数都一样。"
            "把 `valid_lens[0]` 调到 4 以后，哪个键的权重在每一行里都和“*早上*”相等？",
        ),
        options={
            "no key": Text("no key", "没有这样的键"),
            "this module": Text(
                "the last padding, but only with this num_hiddens",
                "最后一个填充，但要用现在的 num_hiddens",
            ),
            "every module": Text(
                "the last padding, with any num_hiddens", "最后一个填充，num_hiddens 是多少都一样"
            ),
        },
        answer=_modules_with_equal_weights,
        because=Text(
            "Equal keys get equal scores from any scoring function, and softmax gives "
            "equal scores equal weights.",
            "键相同，用什么评分函数都得到相同的分数，而分数相同，softmax 给的权重也就相同。",
        ),
        wrong={
            "no key": Text(
                "No key would match *good* if a score depended on where its key stands.",
                "如果分数还取决于键的位置，才会没有这样的键。",
            ),
            "this module": Text(
                "Other parameters do change the scores, but those of both keys alike.",
                "换了参数，分数确实会变，可是这两个键的分数一起变。",
            ),
        },
        at={"valid_lens": [4, 3]},
    ),
    "pipeline_seen": ChoiceRecord(
        text=Text(
            "Switch *example* to 1. What do the two rows of `attention_weights[1]` belong to?",
            "把“*样本*”切换到 1。`attention_weights[1]` 的两行分别属于什么？",
        ),
        options={
            "queries": Text("the two queries of example 1", "样本 1 的两个查询"),
            "examples": Text("the two examples", "两个样本"),
            "keys": Text("two keys", "两个键"),
        },
        answer=_what_a_row_is,
        because=Text(
            "Every example has a matrix of its own, (queries, keys). Look at the shape before you "
            "read a heatmap: here it is (2, 2, 4).",
            "每个样本各有一个矩阵，形状为（查询，键）。看热图之前，先看形状，这里是 (2, 2, 4)。",
        ),
        wrong={
            "examples": Text(
                "Rows are examples in some pictures, which draw one query of each example in a "
                "common matrix.",
                "有的图从每个样本里各取一个查询，画进同一个矩阵，那里的行才是样本。",
            ),
            "keys": Text("Keys are the columns.", "键对应的是列。"),
        },
        at={"example": 1},
    ),
    "fill": ChoiceRecord(
        text=Text(
            "Two keys count, and padding is filled with −1e6. Both scores are moved down "
            "to about −2,000,000. Which keys have the weight then?",
            "有两个键算数，填充位置填入 −1e6。现在把两个分数都降到约 −2,000,000，权重归谁？",
        ),
        options={
            "keys": Text("the two that count", "算数的两个键"),
            "padding": Text("padding alone", "全归填充"),
            "NaN": Text("none, as all weights are NaN", "谁也没有，权重成了 NaN"),
        },
        answer=_receiver_of_the_weight,
        because=Text(
            "The fill is the largest number of the row now. No error is raised, and the weights "
            "sum to 1. Only −∞ lies below every score.",
            "填入的数成了这一行里最大的。没有报错，权重之和也是 1。只有 −∞ 低于所有的分数。",
        ),
        wrong={
            "keys": Text(
                "The two keys would keep their weights if the fill moved down with them, since "
                "softmax sees only differences.",
                "填入的数如果也跟着一起降，权重才不会变，因为 softmax 只看分数之差。",
            ),
            "NaN": Text(
                "NaN comes of infinite numbers, and all numbers here are finite.",
                "出现无穷大，才会得到 NaN，而这里的数都是有限的。",
            ),
        },
        at={"level": -2e6},
    ),
    "fill_seen": ChoiceRecord(
        text=Text(
            "As the number *added to every score* falls from 0 to −10,000,000, what weight does "
            "padding have on the way?",
            "“*给每个分数加上*”的数从 0 降到 −10,000,000，一路上填充的权重怎样变化？",
        ),
        options={
            "nothing": Text("0 all the way", "始终是 0"),
            "gradual": Text("a little more with each step", "一点一点地增加"),
            "jump": Text("0 at first, and then all of it at once", "先是 0，后来一下子全归填充"),
        },
        answer=_way_of_the_padding,
        because=Text(
            "−1e6 works as long as the scores lie well above it. Once they lie below, padding "
            "leads by far more than softmax needs.",
            "只要分数远高于 −1e6，填入 −1e6 就没有问题。分数一旦低于它，填充就遥遥领先了。",
        ),
        wrong={
            "nothing": Text(
                "0 all the way is what a fill of −∞ gives. Choose it and move again.",
                "填入 −∞ 才会始终是 0，可以换成它再试一次。",
            ),
            "gradual": Text(
                "Weights change little by little only while the scores lie within a few units of "
                "the fill.",
                "分数与填入的数只差几个单位时，权重才会一点一点地变。",
            ),
        },
        at={"level": -1e7},
    ),
    "empty_row": ChoiceRecord(
        text=Text(
            "Three ways to mask one row agree. Now let no key count any more. With which of them "
            "do the weights still sum to 1?",
            "同一行用三种办法掩蔽，结果都一样。如果一个键也不保留，哪一种办法的权重之和仍然是 1？",
        ),
        options={
            "finite fill": Text("the fill −1e6", "填入 −1e6"),
            "infinite fill": Text("the fill −∞", "填入 −∞"),
            "masked_softmax": Text("masked_softmax", "masked_softmax"),
            "none": Text("none of them", "都不是"),
        },
        answer=_row_that_sums_to_one,
        because=Text(
            "All four scores are −1e6 then, and equal scores get 0.25 each, although none of "
            "these keys counts.",
            "这时四个分数都是 −1e6，彼此相等，于是四个不算数的键各得 0.25。",
        ),
        wrong={
            "infinite fill": Text(
                "With −∞ every exponential is 0, and 0/0 is NaN.",
                "填入 −∞，指数值就全是 0，而 0/0 得到 NaN。",
            ),
            "masked_softmax": Text(
                "`masked_softmax` gives an empty row the weights 0, and every other row the sum 1.",
                "`masked_softmax` 给空行的权重都是 0，别的行之和才是 1。",
            ),
            "none": Text(
                "No sum should be 1 where no key counts, but one of them is.",
                "既然没有键算数，权重之和就不该是 1，可是有一种办法偏偏是 1。",
            ),
        },
        at={"valid_lens": [0]},
    ),
    "leak": ChoiceRecord(
        text=Text(
            "Padding weighs exactly 0 here. Now it holds NaN, as memory may that was never "
            "written to. What is the output?",
            "填充的权重恰好是 0。现在填充位置的值是 NaN，没有写过的内存里就可能有这样的数。"
            "输出会是多少？",
        ),
        options={
            "words alone": Text("1.35, as before", "仍是 1.35"),
            "zero": Text("0", "0"),
            "NaN": Text("NaN", "NaN"),
        },
        answer=_output_with_nan,
        because=Text(
            "0 · NaN is NaN, and so is every sum that contains it. Now tick *clear padding first*.",
            "0 × NaN 还是 NaN，把 NaN 加进来的总和也都是 NaN。接着勾选“先把填充清零”看看。",
        ),
        wrong={
            "words alone": Text(
                "1.35 is right for every finite number, since a weight of 0 removes it.",
                "填充里如果是有限的数，权重 0 就能去掉它，输出才仍是 1.35。",
            ),
            "zero": Text(
                "An output of 0 would need weights of 0 at the two words as well.",
                "两个词的权重如果也是 0，输出才会是 0。",
            ),
        },
        at={"held": "nan"},
    ),
    "leak_seen": ChoiceRecord(
        text=Text(
            "Let padding hold 0, then 5, then 1e6. Which weights change?",
            "让填充的值依次为 0、5、1e6。哪些权重变了？",
        ),
        options={
            "none": Text("none", "都没有变"),
            "padding": Text("those of padding", "填充的权重"),
            "all": Text("all four", "四个都变"),
        },
        answer=_weights_that_changed,
        because=Text(
            "Query and keys make the weights. The values are what is averaged with them.",
            "权重由查询和键决定。值只是用这些权重来求平均的东西。",
        ),
        wrong={
            "padding": Text(
                "A value is not a weight: however large it is, its key weighs what its score says.",
                "值不是权重。值再大，键的权重也只由分数决定。",
            ),
            "all": Text(
                "All four would change if a score had changed.",
                "分数如果变了，四个权重才会都变。",
            ),
        },
        at={"held": "1e6"},
    ),
}
