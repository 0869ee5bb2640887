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
            "follow it. *her* reads all seven keys, and no key is masked. How much of the weight "
            "goes to padding?",
            "“*小雨丢了一把钥匙。*”和更长的一句话放在同一批里，后面因此补了一个填充。"
            "“*丢了*”读取全部七个键，一个也没有掩蔽。填充分到了多少权重？",
        ),
        options={
            "none": Text("none", "一点也没有"),
            "equal": Text("exactly 2/7", "正好 1/7"),
            "more": Text("more than 2/7", "超过 1/7"),
        },
        answer=_share_and_part_of_keys,
        because=Text(
            "The scores of padding are among the highest, and softmax does not ask what stands "
            "behind a score. Now drag the edge to 5.",
            "填充的分数比多数词都高，而 softmax 只看分数，不管键是不是填充。接着把边线拖到 6 "
            "看看。",
        ),
        wrong={
            "none": Text(
                "Masked padding gets none of the weight, but here nothing is masked.",
                "掩蔽以后，填充才一点也分不到，可这里还没有掩蔽。",
            ),
            "equal": Text(
                "Exactly 2/7 is what seven equal scores would give to two keys.",
                "七个分数都相等，填充才正好分到 1/7。",
            ),
        },
        at={"valid_lens": [7]},
    ),
    "wider": ChoiceRecord(
        text=Text(
            "Suppose that we mask the weights instead: softmax runs over all four scores, and then "
            "the two weights of padding are set to 0. What do the weights of *good* and *morning* "
            "add up to?",
            "如果改为掩蔽权重，先对四个分数做 softmax，再把填充的两个权重设为 0，"
            "那么“*早上*”和“*好*”的权重加起来是多少？",
        ),
        options={
            "one": Text("1", "1"),
            "half": Text("exactly 0.5", "正好 0.5"),
            "less": Text("less than 0.5", "不到 0.5"),
        },
        answer=_left_by_masked_weights,
        because=Text(
            "Padding took 53% in the softmax, and only 47% is left for the two words. Now mask "
            "the scores: drag the edge to 2.",
            "填充在 softmax 里已经分走了 53%，两个词只剩下 47%。接着改为掩蔽分数，把边线拖到 2 "
            "看看。",
        ),
        wrong={
            "one": Text(
                "1 is the sum when the scores are masked, before the softmax.",
                "在 softmax 之前掩蔽分数，权重之和才是 1。",
            ),
            "half": Text(
                "Exactly 0.5 is what four equal scores would leave to two keys.",
                "四个分数都相等，两个词才正好分到 0.5。",
            ),
        },
        at={"valid_lens": [4]},
    ),
    "wider_seen": ChoiceRecord(
        text=Text(
            "As the edge goes from 4 to 2, what happens to the weights of *good* and *morning*?",
            "把边线从 4 拖到 2，“*早上*”和“*好*”的权重会怎样变化？",
        ),
        options={
            "none": Text("both weights stay the same", "不变"),
            "factor": Text("both weights grow by the same factor", "按同样的倍数变大"),
            "amount": Text("both weights grow by the same amount", "增加同样多"),
        },
        answer=_change_of_two_weights,
        because=Text(
            "The masked scores drop out of the sum, so the exponentials of both words are divided "
            "by the same smaller sum.",
            "被掩蔽的分数不再求和，总和变小了，两个词的指数值都除以这个总和。",
        ),
        wrong={
            "none": Text(
                "Both weights stay the same when weights are masked, but here scores are masked.",
                "如果掩蔽的是权重，两个词的权重才不变，可这里掩蔽的是分数。",
            ),
            "amount": Text(
                "Growth by the same amount changes the ratio of two weights, but the ratio stays.",
                "要是增加同样多，两个权重之比就变了。",
            ),
        },
        at={"valid_lens": [2]},
    ),
    "steps": ChoiceRecord(
        text=Text(
            "In row 0 of `X[0]`, keys 0 and 1 weigh 0.646 and 0.354, a ratio of 1.82. Now the "
            "length becomes 3, so key 2, which has the highest score, counts as well. What "
            "happens to the ratio?",
            "在 `X[0]` 的第 0 行里，键 0 和键 1 的权重是 0.646 和 0.354，比值为 1.82。"
            "现在把长度改为 3，这一行里分数最高的键 2 也有效了，这个比值会怎样？",
        ),
        options={
            "smaller": Text("a smaller ratio", "变小"),
            "same": Text("still 1.82", "仍是 1.82"),
            "larger": Text("a larger ratio", "变大"),
        },
        answer=_ratio_with_a_third,
        because=Text(
            "Keys 0 and 1 are divided by the same larger sum, so their weights shrink by the same "
            "factor, to 0.377 and 0.207.",
            "键 0 和键 1 的指数值都除以同一个更大的总和，两个权重缩小同样的倍数，变成 0.377 和 "
            "0.207。",
        ),
        wrong={
            "smaller": Text(
                "A smaller ratio would mean that key 0 loses a larger part of its weight than key "
                "1 does.",
                "比值要变小，键 0 减小的比例就得比键 1 大。",
            ),
            "larger": Text(
                "A larger ratio would mean that key 1 loses a larger part of its weight than key "
                "0 does.",
                "比值要变大，键 1 减小的比例就得比键 0 大。",
            ),
        },
        at={"valid_lens": [3, 3], "step": 5},
    ),
    "steps_seen": ChoiceRecord(
        text=Text(
            "What does the mask (step 2) say at the keys whose weight (step 5) is 0?",
            "第 2 步显示掩码，第 5 步显示权重。权重为 0 的键，在掩码里是什么？",
        ),
        options={"True": Text("True", "True"), "False": Text("False", "False")},
        answer=_mask_of_weightless_keys,
        because=Text(
            "In this book `False` hides a key, as in `scaled_dot_product_attention`.",
            "本书和 `scaled_dot_product_attention` 一样，用 `False` 表示掩蔽。",
        ),
        wrong={
            "True": Text(
                "`True` at hidden keys is the convention of `nn.MultiheadAttention`, not of this "
                "book.",
                "`nn.MultiheadAttention` 才用 `True` 表示掩蔽，本书的约定正好相反。",
            ),
        },
        at={"step": 2},
    ),
    "staircase": ChoiceRecord(
        text=Text(
            "A text is generated word by word, so each word may read itself and the words before "
            "it. *the* comes first and has a low score on itself, 0.1. What weight does it give "
            "itself?",
            "逐词生成一句话时，每个词只能读取自己和前面的词。“*火车*”排在最前面，"
            "对自己的分数很低，只有 0.1。那么“*火车*”给自己的权重是多少？",
        ),
        options={
            "small": Text("less than 0.25", "不到 0.25"),
            "quarter": Text("0.25", "0.25"),
            "one": Text("1", "1"),
        },
        answer=_weight_of_the_first_word,
        because=Text(
            "*the* may read a single key, its own, and a single key gets all the weight, however "
            "low its score is.",
            "“*火车*”只能读取自己这一个键。只有一个键时，不论分数多低，权重都是 1。",
        ),
        wrong={
            "small": Text(
                "Less than 0.25 is left for *the* if all four words are read, but *the* may read "
                "no other key.",
                "如果读取全部四个键，权重才不到 0.25，可是“*火车*”只能读取自己。",
            ),
            "quarter": Text(
                "A quarter is what four keys with equal scores would get, but *the* reads only one "
                "key.",
                "四个键分数相等，才各得 0.25，可是“*火车*”只读取一个键。",
            ),
        },
        at={"valid_lens": [[1, 2, 3, 4]]},
    ),
    "left_padding": ChoiceRecord(
        text=Text(
            "The `attention_mask` of this sentence is `[0, 0, 1, 1, 1]`, and its sum is 3. With "
            "3 as the valid length, which keys have weight?",
            "这句话的 `attention_mask` 是 `[0, 0, 1, 1, 1]`，总和为 3。如果把 3 当作有效长度，"
            "哪些键会有权重？",
        ),
        options={
            "words": Text("the three words", "三个词"),
            "both": Text("two places of padding and one word", "两个填充和一个词"),
            "all": Text("all five keys", "全部五个键"),
        },
        answer=_keys_with_weight,
        because=Text(
            "A valid length of 3 keeps the three leftmost keys, which are here the two places of "
            "padding and one word.",
            "有效长度从左边数起，长度为 3 就保留最左边的三个键，这里正好是两个填充和一个词。",
        ),
        wrong={
            "words": Text(
                "The three words get the weight only if the padding stands on the right.",
                "如果填充在右边，有权重的才是三个词。",
            ),
            "all": Text(
                "All five keys get weight only if the length is 5.",
                "有效长度为 5，全部五个键才都有权重。",
            ),
        },
        at={"valid_lens": [3]},
    ),
    "left_padding_seen": ChoiceRecord(
        text=Text(
            "Move the edge from 0 to 5. At which length do the three words have weight, and "
            "padding none?",
            "把边线从 0 拖到 5。长度是多少时，三个词有权重，填充没有权重？",
        ),
        options={
            "none": Text("no length", "哪个长度都不行"),
            "2": Text("length 2", "长度 2"),
            "3": Text("length 3", "长度 3"),
        },
        answer=_length_that_keeps_the_words,
        because=Text(
            "Every length above 0 keeps the first key, and the first key is padding.",
            "只要长度大于 0，最左边的键就会保留下来，可是这个键正是填充。",
        ),
        wrong={
            "2": Text(
                "Length 2 keeps just the two places of padding and none of the words.",
                "长度 2 保留的恰好是两个填充，词全都被掩蔽了。",
            ),
            "3": Text(
                "Length 3 fits a sentence with padding on the right, but here two of the first "
                "three keys are padding.",
                "填充在右边的句子才适合用长度 3，这里前三个键中有两个是填充。",
            ),
        },
        at={"valid_lens": [3]},
    ),
    "pipeline": ChoiceRecord(
        text=Text(
            "In example 0 the keys of *good* and of the last padding hold the same two numbers. "
            "Set `valid_lens[0]` to 4. Which key then weighs as much as *good* in every row?",
            "在样本 0 里，“*早上*”的键和最后一个填充的键，两个数都一样。把 `valid_lens[0]` 调到 "
            "4，哪个键的权重在每一行里都和“*早上*”相等？",
        ),
        options={
            "no key": Text("no key", "没有这样的键"),
            "this module": Text(
                "the last padding, but only with this num_hiddens",
                "最后一个填充，但只限于现在的 num_hiddens",
            ),
            "every module": Text(
                "the last padding, with any num_hiddens", "最后一个填充，num_hiddens 是多少都一样"
            ),
        },
        answer=_modules_with_equal_weights,
        because=Text(
            "*good* and the last padding are equal keys, and equal keys get equal weights from "
            "any module.",
            "“*早上*”的键和这个填充的键完全相同，不论用哪个模块，分数和权重都相同。",
        ),
        wrong={
            "no key": Text(
                "No score depends on where its key stands, but only on what the key holds.",
                "分数由查询和键算出，与键的位置无关。",
            ),
            "this module": Text(
                "Another `num_hiddens` would change the scores of both keys alike.",
                "换一个 `num_hiddens`，两个键的分数会一起变，仍然相等。",
            ),
        },
        at={"valid_lens": [4, 3]},
    ),
    "pipeline_seen": ChoiceRecord(
        text=Text(
            "Switch *example* to 1. What do the two rows of `attention_weights[1]` belong to?",
            "把“*样本*”切换到 1。`attention_weights[1]` 的两行分别对应什么？",
        ),
        options={
            "queries": Text("the two queries of example 1", "样本 1 的两个查询"),
            "examples": Text("the two examples", "两个样本"),
            "keys": Text("two keys", "两个键"),
        },
        answer=_what_a_row_is,
        because=Text(
            "The shape (2, 2, 4) means examples, queries and keys, so the matrix of example 1 has "
            "a row for each of its two queries.",
            "形状 (2, 2, 4) 依次是样本、查询和键的个数，所以在样本 1 的矩阵里，每个查询占一行。",
        ),
        wrong={
            "examples": Text(
                "The two examples are on the first axis, where the index 1 has chosen example 1.",
                "两个样本在第 0 个轴上，下标 1 已经取出了样本 1。",
            ),
            "keys": Text(
                "Two keys would be two columns, not two rows.",
                "键对应的是列，不是行。",
            ),
        },
        at={"example": 1},
    ),
    "fill": ChoiceRecord(
        text=Text(
            "Two keys count, and padding is filled with −1e6. Both real scores now move down "
            "to about −2,000,000. Which keys get the weight?",
            "有两个键有效，填充位置填入 −1e6。现在把两个有效键的分数降到约 −2,000,000，"
            "权重会分给谁？",
        ),
        options={
            "keys": Text("the two keys that count", "分给两个有效的键"),
            "padding": Text("padding alone", "全部给填充"),
            "NaN": Text("no key, because all weights are NaN", "谁也分不到，都是 NaN"),
        },
        answer=_receiver_of_the_weight,
        because=Text(
            "The fill of −1e6 is now the largest number of the row, far above both scores. So "
            "padding gets everything, and no error is raised.",
            "填入的 −1e6 成了这一行里最大的数，比两个有效键的分数高得多。权重全给了填充，"
            "而且不会报错。",
        ),
        wrong={
            "keys": Text(
                "The two keys would keep their weights if the fill moved down with the two "
                "scores, but the fill stays where it is.",
                "如果填入的数也跟着降，权重仍会分给两个键，可是填入的数不变。",
            ),
            "NaN": Text(
                "NaN appears only where numbers are infinite, but all numbers here are finite.",
                "只有出现无穷大，权重才会变成 NaN，可这里的数都是有限的。",
            ),
        },
        at={"level": -2e6},
    ),
    "fill_seen": ChoiceRecord(
        text=Text(
            "As the number *added to every score* falls from 0 to −10,000,000, how does the weight "
            "of padding change?",
            "“*给每个分数加上*”的数从 0 降到 −10,000,000，填充的权重会怎样变化？",
        ),
        options={
            "nothing": Text("0 all the way", "始终是 0"),
            "gradual": Text("a little more with each step", "一点一点地增加"),
            "jump": Text(
                "0 at first, and then all the weight at once",
                "先是 0，后来一下子变成 1",
            ),
        },
        answer=_way_of_the_padding,
        because=Text(
            "Padding gets 0 while the scores lie well above −1e6, and takes everything as soon as "
            "the scores lie below.",
            "分数远高于 −1e6 时，填充的权重是 0；分数一旦低于 −1e6，权重就全给了填充。",
        ),
        wrong={
            "nothing": Text(
                "0 all the way is what a fill of −∞ would give, but here the fill is −1e6.",
                "填入 −∞，填充的权重才始终是 0，这里填入的是 −1e6。",
            ),
            "gradual": Text(
                "The weight changes little by little only while the scores lie within a few units "
                "of the fill.",
                "只有当分数和填入的数只差几个单位时，权重才会一点一点地变。",
            ),
        },
        at={"level": -1e7},
    ),
    "empty_row": ChoiceRecord(
        text=Text(
            "Three ways to mask one row agree. Now no key counts any more. With which of the three "
            "do the weights still sum to 1?",
            "用三种办法掩蔽同一行，结果一样。如果一个键也不保留，用哪一种办法，权重之和仍然是 1？",
        ),
        options={
            "finite fill": Text("the fill −1e6", "填入 −1e6"),
            "infinite fill": Text("the fill −∞", "填入 −∞"),
            "masked_softmax": Text("masked_softmax", "masked_softmax"),
            "none": Text("none of the three ways", "三种办法都不是"),
        },
        answer=_row_that_sums_to_one,
        because=Text(
            "With the fill −1e6 all four scores are equal. Equal scores get 0.25 each, so the "
            "weights sum to 1, although no key counts.",
            "填入 −1e6 以后，四个分数都相等，四个被掩蔽的键各得 0.25，加起来是 1。",
        ),
        wrong={
            "infinite fill": Text(
                "The fill −∞ gives no sum of 1: every exponential is 0, and 0/0 is NaN.",
                "填入 −∞ 以后，指数值全是 0，0/0 得到 NaN，权重之和不会是 1。",
            ),
            "masked_softmax": Text(
                "`masked_softmax` gives an empty row a sum of 0, because all its weights are 0.",
                "`masked_softmax` 会让空行的权重全为 0，加起来是 0，不是 1。",
            ),
            "none": Text(
                "None of the three ways should give a sum of 1 where no key counts, but one way "
                "does.",
                "一个键也不保留，权重之和本来都不该是 1，可是有一种偏偏得到 1。",
            ),
        },
        at={"valid_lens": [0]},
    ),
    "leak": ChoiceRecord(
        text=Text(
            "Padding weighs exactly 0 here. Now it holds NaN, as unused memory sometimes does. "
            "What is the output?",
            "填充的权重恰好是 0。现在填充位置的值是 NaN，没有写过的内存里可能有这样的数。"
            "这时输出是多少？",
        ),
        options={
            "words alone": Text("1.35, as before", "仍是 1.35"),
            "zero": Text("0", "0"),
            "NaN": Text("NaN", "NaN"),
        },
        answer=_output_with_nan,
        because=Text(
            "0 · NaN is NaN, and every sum that contains NaN is NaN. Now tick *clear padding "
            "first*.",
            "0 × NaN 还是 NaN，再加上别的数，结果也是 NaN。接着勾选“先把填充清零”看看。",
        ),
        wrong={
            "words alone": Text(
                "1.35 is the output as long as padding holds finite numbers, which a weight of 0 "
                "removes.",
                "填充的值是有限的数，输出才仍是 1.35，可是 NaN 不是有限的数。",
            ),
            "zero": Text(
                "0 is only what finite padding adds to the output; the two words add 1.35.",
                "填充的值有限时，填充贡献 0，但两个词还要贡献 1.35。",
            ),
        },
        at={"held": "nan"},
    ),
    "leak_seen": ChoiceRecord(
        text=Text(
            "Let padding hold 0, then 5, then 1e6. Which weights change?",
            "让填充的值依次为 0、5、1e6，哪些权重会变？",
        ),
        options={
            "none": Text("none of the weights", "都不变"),
            "padding": Text("the weights of padding", "只有填充的权重变"),
            "all": Text("all four weights", "四个权重都变"),
        },
        answer=_weights_that_changed,
        because=Text(
            "Weights come from the query and the keys, and a value is only averaged with its "
            "weight.",
            "权重由查询和键算出，值只是按这些权重求平均。",
        ),
        wrong={
            "padding": Text(
                "The weights of padding are 0 because of the mask, whatever padding holds.",
                "填充的权重由掩码定为 0，不论填充的值是多少都一样。",
            ),
            "all": Text(
                "All four weights come from the scores, and no score has changed.",
                "四个权重都由分数算出，可是这里的分数一个也没变。",
            ),
        },
        at={"held": "1e6"},
    ),
}
