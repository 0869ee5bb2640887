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
            "*Mia lost her key.* shares a batch with a longer sentence, so two padding tokens "
            "follow it. *her* reads all seven keys, and no key is masked. How much of the weight "
            "goes to padding?",
            "“*小雨丢了一把钥匙。*”和一个更长的句子放在同一个批量里，所以末尾补了一个填充。如果"
            "由“*丢了*”提问，七个键都不掩蔽，填充会分到多少权重？",
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
            "填充的分数比多数词都高，而 softmax 只看分数，并不区分词和填充。再把边线拖到 6 看看。",
        ),
        wrong={
            "none": Text(
                "Masked padding gets none of the weight, but here nothing is masked.",
                "你说的是掩蔽以后的情况，这里还没有掩蔽。",
            ),
            "equal": Text(
                "Exactly 2/7 is what seven equal scores would give to two keys.",
                "你以为七个键平分权重，其实分数有高有低。",
            ),
        },
        at={"valid_lens": [7]},
    ),
    "wider": ChoiceRecord(
        text=Text(
            "Suppose that we mask the weights instead: softmax runs over all four scores, and then "
            "the two weights of padding are set to 0. What do the weights of *good* and *morning* "
            "add up to?",
            "如果先对四个分数做 softmax，再把两个填充的权重设为 0，那么“*早上*”和“*好*”的权重"
            "加起来是多少？",
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
            "做 softmax 时，填充已经分走了 53%，两个词加起来只剩 47%。再试试掩蔽分数：把边线拖到 "
            "2。",
        ),
        wrong={
            "one": Text(
                "1 is the sum when the scores are masked, before the softmax.",
                "你把顺序弄反了，先掩蔽再做 softmax，结果才是 1。",
            ),
            "half": Text(
                "Exactly 0.5 is what four equal scores would leave to two keys.",
                "四个键的分数并不相等，不会平分权重。",
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
            "none": Text("both weights stay the same", "都不变"),
            "factor": Text("both weights grow by the same factor", "都变大同样的倍数"),
            "amount": Text("both weights grow by the same amount", "都增加同样多"),
        },
        answer=_change_of_two_weights,
        because=Text(
            "The masked scores drop out of the sum, so the exponentials of both words are divided "
            "by the same smaller sum.",
            "掩蔽以后，总和里少了填充的两项，两个词的指数值都除以这个变小的总和。",
        ),
        wrong={
            "none": Text(
                "Both weights stay the same when weights are masked, but here scores are masked.",
                "掩蔽权重的话确实不变，但这里掩蔽的是分数。",
            ),
            "amount": Text(
                "Growth by the same amount changes the ratio of two weights, but here the ratio "
                "does not change.",
                "如果增加同样多，两个权重之比就会改变。",
            ),
        },
        at={"valid_lens": [2]},
    ),
    "steps": ChoiceRecord(
        text=Text(
            "Keys 0 and 1 weigh 0.646 and 0.354, a ratio of 1.82. Now the length becomes 3, and "
            "key 2 has the highest score. What ratio follows?",
            "`X[0]` 第 0 行的键 0 和键 1，权重分别是 0.646 和 0.354，比值为 1.82。现在把长度改为 "
            "3，分数最高的键 2 也参与计算，这个比值会怎么变？",
        ),
        options={
            "smaller": Text("smaller than before", "变小"),
            "same": Text("still 1.82", "仍是 1.82"),
            "larger": Text("larger than before", "变大"),
        },
        answer=_ratio_with_a_third,
        because=Text(
            "The same larger sum divides keys 0 and 1: they get 0.377 and 0.207.",
            "总和里多了一项，两个键的指数值都除以这个更大的总和，权重缩小同样的倍数，变成 0.377 "
            "和 0.207。",
        ),
        wrong={
            "smaller": Text(
                "A smaller ratio would mean that key 0 loses a larger part of its weight than key "
                "1 does.",
                "两个权重缩小的倍数相同，键 0 不会缩小得更多。",
            ),
            "larger": Text(
                "A larger ratio would mean that key 1 loses a larger part of its weight than key "
                "0 does.",
                "两个权重缩小的倍数相同，键 1 不会缩小得更多。",
            ),
        },
        at={"valid_lens": [3, 3], "step": 5},
    ),
    "steps_seen": ChoiceRecord(
        text=Text(
            "What does the mask (step 2) say at the keys whose weight (step 5) is 0?",
            "如果键的权重（第 5 步）是 0，在掩码（第 2 步）里对应的是 `True` 还是 `False`？",
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
                "你说的是 `nn.MultiheadAttention` 的约定，本书正好相反。",
            ),
        },
        at={"step": 2},
    ),
    "staircase": ChoiceRecord(
        text=Text(
            "A text is generated word by word, so each word may read itself and the words before "
            "it. *the* comes first and has a low score on itself, 0.1. What weight does it give "
            "itself?",
            "逐词生成一句话时，每个词只能看到自己和前面的词。“*火车*”在句首，给自己的分数只有 0."
            "1，那么给自己的权重是多少？",
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
            "“*火车*”能看到的只有自己这一个键，所以分数再低，权重也是 1。",
        ),
        wrong={
            "small": Text(
                "Less than 0.25 is left for *the* if all four words are read, but *the* may read "
                "no other key.",
                "你把后面三个词也算进去了，“*火车*”只能看到自己。",
            ),
            "quarter": Text(
                "A quarter is what four keys with equal scores would get, but *the* reads only one "
                "key.",
                "0.25 是四个键平分的结果，“*火车*”只能看到一个键。",
            ),
        },
        at={"valid_lens": [[1, 2, 3, 4]]},
    ),
    "left_padding": ChoiceRecord(
        text=Text(
            "The `attention_mask` of this sentence is `[0, 0, 1, 1, 1]`, and its sum is 3. With "
            "3 as the valid length, which keys have weight?",
            "这句话的 `attention_mask` 是 `[0, 0, 1, 1, 1]`，加起来是 3。如果把 3 当作有效长度，"
            "哪些键会分到权重？",
        ),
        options={
            "words": Text("the three words", "三个词"),
            "both": Text("two padding tokens and one word", "两个填充和一个词"),
            "all": Text("all five keys", "全部五个键"),
        },
        answer=_keys_with_weight,
        because=Text(
            "A valid length of 3 keeps the three leftmost keys, which are here the two padding "
            "tokens and one word.",
            "有效长度是从左往右数的，所以长度为 3 时保留左边三个键，即两个填充和一个词。",
        ),
        wrong={
            "words": Text(
                "The three words get the weight only if the padding stands on the right.",
                "你以为填充在右边，其实填充在左边。",
            ),
            "all": Text(
                "All five keys get weight only if the length is 5.",
                "有效长度是 3，不可能保留全部五个键。",
            ),
        },
        at={"valid_lens": [3]},
    ),
    "left_padding_seen": ChoiceRecord(
        text=Text(
            "Move the edge from 0 to 5. At which length do the three words have weight, and "
            "padding none?",
            "把边线从 0 拖到 5，看看长度取多少，才能让三个词都有权重，而填充没有权重？",
        ),
        options={
            "none": Text("no length", "哪个长度都不行"),
            "2": Text("length 2", "长度 2"),
            "3": Text("length 3", "长度 3"),
        },
        answer=_length_that_keeps_the_words,
        because=Text(
            "Every length above 0 keeps the first key, and the first key is padding.",
            "只要长度不是 0，就会保留最左边的键，可这个键偏偏是填充。",
        ),
        wrong={
            "2": Text(
                "Length 2 keeps just the two padding tokens and none of the words.",
                "如果长度取 2，留下的正好是两个填充，词全被掩蔽了。",
            ),
            "3": Text(
                "Length 3 fits a sentence with padding on the right, but here two of the first "
                "three keys are padding.",
                "如果填充在右边，长度取 3 是对的；但这里保留的三个键中有两个是填充。",
            ),
        },
        at={"valid_lens": [3]},
    ),
    "pipeline": ChoiceRecord(
        text=Text(
            "In example 0, *good* and the last padding token are equal keys. Set `valid_lens[0]` "
            "to 4. Which key then weighs as much as *good* in every row?",
            "在样本 0 中，“*早上*”和最后一个填充的键完全相同。把 `valid_lens[0]` 调到 4，每一行"
            "里哪个键的权重都和“*早上*”相等？",
        ),
        options={
            "no key": Text("no key", "没有这样的键"),
            "this module": Text(
                "the last padding token, only with this num_hiddens",
                "最后一个填充，但换了 num_hiddens 就不行",
            ),
            "every module": Text(
                "the last padding token, with any num_hiddens", "最后一个填充，与 num_hiddens 无关"
            ),
        },
        answer=_modules_with_equal_weights,
        because=Text(
            "*good* and the last padding token are equal keys, and equal keys get equal weights "
            "from any module.",
            "“*早上*”和这个填充的键完全相同，所以用哪个模块算出的分数都一样，权重也就一样。",
        ),
        wrong={
            "no key": Text(
                "A score does not depend on where its key stands, only on what the key holds.",
                "分数由查询和键算出，与键排在哪里无关。",
            ),
            "this module": Text(
                "Another `num_hiddens` would change the scores of both keys alike.",
                "换了 `num_hiddens`，两个键的分数会一起变，仍然相等。",
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
                "下标 1 已经取出了样本 1，剩下的是查询和键两个轴。",
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
            "四个键里有两个有效，填充的分数换成了 −1e6。如果把两个有效键的分数降到约 −2,000,000，"
            "权重会分给哪些键？",
        ),
        options={
            "keys": Text("the two keys that count", "分给两个有效的键"),
            "padding": Text("padding alone", "全部分给填充"),
            "NaN": Text("no key, because all weights are NaN", "哪个键都分不到，全是 NaN"),
        },
        answer=_receiver_of_the_weight,
        because=Text(
            "The fill of −1e6 is now the largest number of the row, far above both scores. So "
            "padding gets everything, and no error is raised.",
            "这时 −1e6 反而成了一行里最大的数，比两个有效键的分数高得多，权重就全给了填充，而且程"
            "序不会报错。",
        ),
        wrong={
            "keys": Text(
                "The two keys would keep their weights if the fill moved down with the two "
                "scores, but the fill stays where it is.",
                "别忘了 −1e6 是固定的，不会跟着分数一起降。",
            ),
            "NaN": Text(
                "NaN appears only where numbers are infinite, but all numbers here are finite.",
                "这里的数都是有限的，不会算出 NaN。",
            ),
        },
        at={"level": -2e6},
    ),
    "fill_seen": ChoiceRecord(
        text=Text(
            "As the number *added to every score* falls from 0 to −10,000,000, how does the weight "
            "of padding change?",
            "把“*给每个分数加上*”的数从 0 降到 −10,000,000，填充的权重会怎样变化？",
        ),
        options={
            "nothing": Text("0 all the way", "始终是 0"),
            "gradual": Text("a little more with each step", "一点一点地增加"),
            "jump": Text(
                "0 at first, and then all the weight at once",
                "先是 0，后来突然变成 1",
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
                "填入 −∞ 的话确实如此，可这里填入的是 −1e6。",
            ),
            "gradual": Text(
                "The weight changes little by little only while the scores lie within a few units "
                "of the fill.",
                "只有分数与 −1e6 相差无几，权重才会逐渐变化，图里几乎看不出来。",
            ),
        },
        at={"level": -1e7},
    ),
    "empty_row": ChoiceRecord(
        text=Text(
            "Three ways to mask one row agree. Now no key counts any more. With which of the three "
            "do the weights still sum to 1?",
            "用三种办法掩蔽同一行，得到的权重相同。如果一个键也不保留，哪种办法算出的权重之和仍然"
            "是 1？",
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
            "四个分数都换成了 −1e6，彼此相等，于是四个键各得 0.25，加起来正好是 1。",
        ),
        wrong={
            "infinite fill": Text(
                "The fill −∞ gives no sum of 1: every exponential is 0, and 0/0 is NaN.",
                "如果填入 −∞，指数值全是 0，最后算出 0/0，也就是 NaN。",
            ),
            "masked_softmax": Text(
                "`masked_softmax` gives an empty row a sum of 0, because all its weights are 0.",
                "`masked_softmax` 会把空行的权重都设为 0，加起来也是 0。",
            ),
            "none": Text(
                "None of the three ways should give a sum of 1 where no key counts, but one way "
                "does.",
                "按理说权重之和都不该是 1，可是有一种办法偏偏得到了 1。",
            ),
        },
        at={"valid_lens": [0]},
    ),
    "leak": ChoiceRecord(
        text=Text(
            "Padding weighs exactly 0 here. Now it holds NaN, as unused memory sometimes does. "
            "What is the output?",
            "填充的权重恰好是 0。未初始化的内存里可能有 NaN，假如填充的值正好是 NaN，输出是多少？",
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
            "0 × NaN 等于 NaN，加上别的数还是 NaN。勾选“先把填充清零”再看看。",
        ),
        wrong={
            "words alone": Text(
                "1.35 is the output as long as padding holds finite numbers, which a weight of 0 "
                "removes.",
                "权重 0 只能消去有限的数，消不掉 NaN。",
            ),
            "zero": Text(
                "0 is only what finite padding adds to the output; the two words add 1.35.",
                "你只算了填充，别忘了两个词还贡献 1.35。",
            ),
        },
        at={"held": "nan"},
    ),
    "leak_seen": ChoiceRecord(
        text=Text(
            "Let padding hold 0, then 5, then 1e6. Which weights change?",
            "把填充的值依次改成 0、5、1e6，哪些权重会变？",
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
            "权重由查询和键算出，值只在最后求加权平均时用到。",
        ),
        wrong={
            "padding": Text(
                "The weights of padding are 0 because of the mask, whatever padding holds.",
                "填充被掩蔽了，不管值是多少，权重都是 0。",
            ),
            "all": Text(
                "All four weights come from the scores, and no score has changed.",
                "权重由分数算出，改了填充的值，分数并没有变。",
            ),
        },
        at={"held": "1e6"},
    ),
}
