"""List the twenty items: what interviewers ask, and what notes and tutorials often get wrong."""

from __future__ import annotations

import math
from collections.abc import Hashable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attention_course.stand.item import Item, Option, Place, item, misreading, section, work
from attention_course.translated import Text
from attention_lib import DotProductAttention, masked_softmax, scores

NUMBERS = "{:.2f}"


def items() -> tuple[Item, ...]:
    """Return all items in the order in which a reader meets them."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return (
            one_value_grows(),
            padding_beside_two_keys(),
            three_keys(),
            larger_heads(),
            concatenated(),
            shuffled(),
            a_sum_as_length(),
            a_single_key(),
            heads_by_view(),
            shape_of_weights(),
            padding_in_front(),
            asking_after_the_step(),
            nine_tenths(),
            the_first_token(),
            one_new_query(),
            two_finite_masks(),
            a_masked_block(),
            weights_for_the_gradient(),
            one_new_word(),
            two_equal_logits(),
        )


def same(text: str, claim: Hashable, said: Text, source: Place | None = None) -> Option:
    """Return an option with the same text in both languages."""
    return Option(Text(text, text), claim, said, source)


def numbered(value: float, said: Text, source: Place | None = None) -> Option:
    """Return an option that is a number to two places."""
    text = NUMBERS.format(value)
    return same(text, text, said, source)


def one_value_grows() -> Item:
    """Ask what happens to the weights when a value grows."""
    attention = DotProductAttention(dropout=0)
    query, keys = torch.tensor([[[1.0]]]), torch.tensor([[[1.0], [0.5], [0.2]]])
    outputs, weights = [], []
    for last in (30.0, 300.0):
        outputs.append(attention(query, keys, torch.tensor([[[10.0], [20.0], [last]]])).item())
        weights.append(torch.as_tensor(attention.attention_weights))
    source = misreading("values")
    return item(
        "one-value-grows",
        Text(
            "A query reads three keys, whose values are 10, 20 and 30. Now the last value becomes "
            "300, and nothing else changes. What happens?",
            "一个查询读取三个键，对应的值是 10、20 和 30。现在把最后一个值改成 300，其余不变。"
            "结果会怎样？",
        ),
        Option(
            Text("The last weight becomes ten times as large", "最后一个权重变成原来的十倍"),
            ("tenfold", "larger"),
            Text(
                "A value is mistaken for a weight here. A value is averaged; its weight says "
                "how much it counts.",
                "这是把值当成了权重。值是参与平均的数，权重才说明这个数占多少。",
            ),
            source,
        ),
        Option(
            Text("The last weight grows, and the others shrink", "最后一个权重变大，另外两个变小"),
            ("larger", "larger"),
            Text(
                "A softmax does share out weight like that, but its input is the scores of the "
                "keys. The values are not part of it.",
                "softmax 确实是这样分配权重的，但输入 softmax 的是各个键的分数，值并不参与。",
            ),
            source,
        ),
        Option(
            Text("All weights stay the same, and the output grows", "权重都不变，输出变大"),
            ("same", "larger"),
            Text(
                "The weights come from the query and the keys, which have not changed. The "
                "output is a weighted average of the values, so it grows with them.",
                "权重由查询和键算出，两者都没有变。输出是值的加权平均，值变大，输出也就变大。",
            ),
        ),
        Option(
            Text("All weights stay the same, and so does the output", "权重都不变，输出也不变"),
            ("same", "same"),
            Text(
                "The softmax limits the weights, not the output, which is a weighted sum of the "
                "values, however large they are.",
                "softmax 只把权重限制在 0 和 1 之间，并不限制输出。输出是值的加权和，值变大，"
                "输出就跟着变大。",
            ),
            work("vaswani2017"),
        ),
        answer=(
            "same" if torch.equal(*weights) else "larger",
            "larger" if outputs[1] > outputs[0] else "same",
        ),
        treated=section("01-queries-keys-values", "qkv-pooling"),
    )


def padding_beside_two_keys() -> Item:
    """Ask for a weight under a mask."""
    given, keep = torch.tensor([2.0, 1, 3]), torch.tensor([True, True, False])
    late = torch.softmax(given, dim=0) * keep
    right = masked_softmax(given[None, None], torch.tensor([2]))[0, 0, 0].item()
    shared = (late[0] + (1 - late.sum()) / 2).item()
    return item(
        "padding-beside-two-keys",
        Text(
            "Three keys have the scores 2, 1 and 3. Key 2 is padding and is masked. Which weight "
            "does key 0 get? (e is about 2.72, and e² about 7.39.)",
            "三个键的分数是 2、1 和 3，其中键 2 是填充，应当掩蔽。键 0 的权重是多少？"
            "（e 约为 2.72，e² 约为 7.39。）",
        ),
        numbered(
            late[0].item(),
            Text(
                "A mask after the softmax gives this weight. The padding has then already taken "
                "its share, and the row no longer sums to 1.",
                "这是先做 softmax、再掩蔽的结果。填充在 softmax 里已经分走了一份，"
                "剩下的权重之和不到 1。",
            ),
            misreading("masking"),
        ),
        numbered(
            shared,
            Text(
                "Here the share of the padding was divided evenly between the two words. A "
                "softmax over two keys divides in the ratio e² : e instead.",
                "这是把填充的那一份平分给了两个词。只对两个键做 softmax，"
                "是按 e² : e 的比例来分的。",
            ),
            misreading("masking"),
        ),
        numbered(
            torch.softmax(given * keep, dim=0)[0].item(),
            Text(
                "A score of 0 hides nothing: its exponential is 1, and the padding keeps that "
                "share. Only −∞ lies below every score.",
                "分数为 0 并不等于掩蔽，因为 0 的指数是 1，填充照样分到一份。"
                "只有 −∞ 比任何分数都低。",
            ),
            misreading("fill"),
        ),
        numbered(
            right,
            Text(
                "The mask sets the score to −∞ before the softmax, so only two keys share the "
                "weight: e² / (e² + e).",
                "掩码在 softmax 之前就把键 2 的分数变成 −∞，所以权重只在前两个键之间分配，"
                "键 0 得 e² / (e² + e)。",
            ),
        ),
        answer=NUMBERS.format(right),
        treated=section("04-masked-softmax", "wrong-masks"),
    )


def three_keys() -> Item:
    """Ask which of three keys the scaled dot product prefers."""
    query, keys = torch.tensor([[[2.0, 1]]]), torch.tensor([[[2.0, 1], [4, 2], [7, -3]]])
    found = int(scores.scaled_dot(query, keys).argmax())
    return item(
        "three-keys",
        Text(
            "The query is (2, 1). Which key gets the largest weight in scaled dot-product "
            "attention?",
            "查询是 (2, 1)。在缩放点积注意力中，哪个键的权重最大？",
        ),
        Option(
            Text("Key 0, which is (2, 1)", "键 0，即 (2, 1)"),
            0,
            Text(
                "Key 0 is the nearest one, and a Gaussian kernel would prefer it. The dot product "
                "does not measure a distance.",
                "键 0 离查询最近，用高斯核的话，权重确实最大。可是点积衡量的不是距离。",
            ),
            work("watson1964"),
        ),
        Option(
            Text("Key 1, which is (4, 2)", "键 1，即 (4, 2)"),
            1,
            Text(
                "Direction alone counts for a cosine score. In a dot product a long key can make "
                "up for a worse direction.",
                "只看方向的是余弦评分。点积还要看模长，键只要足够长，方向差一些也能胜出。",
            ),
            work("graves2014"),
        ),
        Option(
            Text("Key 2, which is (7, −3)", "键 2，即 (7, −3)"),
            2,
            Text(
                "The dot products are 5, 10 and 11. Key 2 points elsewhere, but is so long that "
                "its score is the highest.",
                "三个点积是 5、10 和 11。键 2 的方向虽然偏了，但足够长，分数仍然最高。",
            ),
        ),
        Option(
            Text("Keys 0 and 1 get the same weight", "键 0 和键 1 的权重相同"),
            (0, 1),
            Text(
                "Keys 0 and 1 would tie if all vectors were normalised first, as in some "
                "models. Scaled dot-product attention only divides by √d.",
                "这是把向量先归一化的结果，有的模型这样做，键 0 和键 1 就会并列。"
                "缩放点积注意力只除以 √d，并不归一化。",
            ),
            work("henry2020"),
        ),
        answer=found,
        treated=section("03-scoring-functions", "score-length"),
    )


def larger_heads() -> Item:
    """Ask how the spread of dot products grows with the size of the vectors."""
    small, large = ((torch.randn(2, 10_000, d).prod(dim=0)).sum(dim=-1).std() for d in (16, 64))
    source = work("vaswani2017")
    return item(
        "larger-heads",
        Text(
            "All components of queries and keys are independent, with mean 0 and variance 1. "
            "Their size d grows from 16 to 64. What happens to the standard deviation of the dot "
            "products, before any scaling?",
            "查询和键的各个分量相互独立，均值为 0，方差为 1。维数 d 从 16 增加到 64，"
            "如果不缩放，点积的标准差会怎样变化？",
        ),
        Option(
            Text("It stays the same as before", "保持不变"),
            1,
            Text(
                "Positive and negative terms do balance, so the mean stays at 0. But each "
                "further term adds variance.",
                "各项有正有负，和的均值确实一直是 0，可是每多一项，方差就增加一份。",
            ),
            source,
        ),
        Option(
            Text("It becomes twice as large", "变成 2 倍"),
            2,
            Text(
                "The variance is d, so the standard deviation is √d: 4 becomes 8. That is why "
                "scores are divided by √d.",
                "点积的方差是 d，标准差是 √d，从 4 变成 8。正因为如此，分数要除以 √d。",
            ),
        ),
        Option(
            Text("It becomes 4 times as large", "变成 4 倍"),
            4,
            Text(
                "The variance becomes 4 times as large. The standard deviation is the square "
                "root of the variance.",
                "变成 4 倍的是方差，标准差是方差的平方根。",
            ),
            source,
        ),
        Option(
            Text("It becomes 8 times as large", "变成 8 倍"),
            8,
            Text(
                "A factor of 8 = √64 compares with d = 1. With d = 16, the standard deviation "
                "was already 4.",
                "√64 是与 d = 1 相比的倍数。d = 16 时，标准差已经是 4 了。",
            ),
            source,
        ),
        answer=round(float(large / small)),
        treated=section("06-scaled-dot-product", "scaled-variance"),
    )


def concatenated() -> Item:
    """Ask what additive attention concatenates, by the size of its matrix."""
    query, key, hidden = 20, 30, 8
    matrix = torch.cat([torch.zeros(hidden, query), torch.zeros(hidden, key)], dim=1)
    return item(
        "concatenated",
        Text(
            "Queries have 20 components, keys 30 and values 40. Additive attention can be "
            "written as one matrix that multiplies a concatenation. How many columns does the "
            "matrix have?",
            "查询有 20 维，键有 30 维，值有 40 维。加性注意力可以先把向量拼接起来，"
            "再用一个矩阵去乘，这个矩阵有多少列？",
        ),
        same(
            "50",
            50,
            Text(
                "A score compares a query with a key, so the concatenation has 20 + 30 components.",
                "评分要比较的是查询和键，所以拼接起来有 20 + 30 维。",
            ),
        ),
        same(
            "60",
            60,
            Text(
                "A query beside a value would have 60 components. But the value is not used "
                "until the weights are known.",
                "60 是查询与值拼接的维数。可是要等权重算好以后，才用得到值。",
            ),
            misreading("values"),
        ),
        same(
            "70",
            70,
            Text(
                "Key and value come in pairs, but they are not what is concatenated. Without the "
                "query there would be nothing to compare the key with.",
                "键和值虽然成对出现，但拼接的不是这两个。没有查询，键就没有比较的对象。",
            ),
            misreading("concatenation"),
        ),
        same(
            "90",
            90,
            Text(
                "All three vectors together have 90 components. The score needs only two of them, "
                "and the third is averaged afterwards.",
                "90 是三个向量合起来的维数。评分只用到前两个，第三个留到后面求平均。",
            ),
            misreading("values"),
        ),
        answer=matrix.shape[1],
        treated=section("05-additive-attention", "additive-perceptron"),
    )


def shuffled() -> Item:
    """Ask what self-attention makes of a word when the order changes."""
    words, attention = torch.randn(1, 3, 4), DotProductAttention(dropout=0)
    there = attention(words, words, words)[0, 0]
    words = words.flip(1)
    is_same = torch.allclose(attention(words, words, words)[0, 2], there)
    return item(
        "shuffled",
        Text(
            "A layer of self-attention, without positions and without a mask, reads “dog bites "
            "man” and then “man bites dog”. What does it return for the word “dog”?",
            "一层自注意力没有位置编码，也没有掩码，先读“狗 咬 人”，再读“人 咬 狗”。"
            "“狗”的输出会不会变？",
        ),
        Option(
            Text("The same vector in both sentences", "不变，是同一个向量"),
            "same",
            Text(
                "A score depends on two vectors, and a sum does not depend on the order of its "
                "terms. The three words are the same, so the output is the same.",
                "分数只取决于两个向量，求和又不分先后。三个词没有变，所以输出也不变。",
            ),
        ),
        Option(
            Text("Another one, because its place has changed", "会变，因为位置变了"),
            "by place",
            Text(
                "The place of a word would matter if a position were added to its vector. The "
                "layer alone does not know the place.",
                "把位置编码加到向量里，位置才会起作用。单凭这一层，模型并不知道词在哪里。",
            ),
            work("vaswani2017"),
        ),
        Option(
            Text("Another one, because other words precede it", "会变，因为前面的词变了"),
            "by what precedes",
            Text(
                "A causal mask would limit a word to what precedes it. Without a mask it reads all "
                "three words in both sentences.",
                "这是有因果掩码的情况。没有掩码，“狗”在两句话里读到的都是全部三个词。",
            ),
            misreading("order"),
        ),
        Option(
            Text("The same one, but only if all weights are equal", "只有权重全都相等，才不变"),
            "if uniform",
            Text(
                "The weights may well be unequal. Each depends only on the vectors of two "
                "words, so it moves along with them.",
                "各个词的权重可以不同。权重只取决于两个向量，词换到哪里，权重就跟到哪里。",
            ),
            misreading("order"),
        ),
        answer="same" if is_same else "other",
        treated=section("10-self-attention", "order"),
    )


def a_sum_as_length() -> Item:
    """Ask which keys are read when the sum of an attention mask is used as a length."""
    mask = torch.tensor([[0, 0, 1, 1, 1]])
    weights = masked_softmax(torch.zeros(1, 1, 5), mask.sum(dim=-1))
    return item(
        "a-sum-as-length",
        Text(
            "A tokenizer pads on the left and gives the `attention_mask` [0, 0, 1, 1, 1]. A "
            "program passes the sum of this mask on as the valid length. Which keys does the "
            "softmax read?",
            "分词器在左边填充，给出的 `attention_mask` 是 [0, 0, 1, 1, 1]。"
            "程序把这几个数的和当作有效长度。权重会落在哪些键上？",
        ),
        Option(
            Text("Keys 0 and 1", "键 0 和键 1"),
            (0, 1),
            Text(
                "Some functions do hide the keys that are marked with 1. But the program has "
                "already turned the mask into a number.",
                "有的函数确实用 1 表示掩蔽，可是程序传入的不是掩码，只是一个总和。",
            ),
            misreading("true"),
        ),
        Option(
            Text("Keys 0, 1 and 2", "键 0、键 1 和键 2"),
            (0, 1, 2),
            Text(
                "The sum is 3, and a length counts from the front, so two padding tokens and "
                "only one word are read.",
                "总和是 3，有效长度又总是从最前面数起，所以读到两个填充，只读到一个词。",
            ),
        ),
        Option(
            Text("Keys 2, 3 and 4", "键 2、键 3 和键 4"),
            (2, 3, 4),
            Text(
                "The number of words is right, but a length does not say where they stand. Only "
                "the mask does.",
                "词的个数没有错，可是光看长度，看不出词在哪里，要有掩码才知道。",
            ),
            misreading("attention-mask"),
        ),
        Option(
            Text("Keys 0 to 4", "键 0 到键 4"),
            (0, 1, 2, 3, 4),
            Text(
                "The 0s and 1s would hide nothing if they were added to the scores. But a valid "
                "length hides all keys after it.",
                "把 0 和 1 加到分数上，的确一个键也掩蔽不了。可是这里用的是有效长度，"
                "后面的键会被掩蔽。",
            ),
            misreading("true"),
        ),
        answer=tuple(weights[0, 0].nonzero()[:, 0].tolist()),
        treated=section("04-masked-softmax", "attention-mask"),
    )


def a_single_key() -> Item:
    """Ask for the weight of a single key under dropout."""
    dropped = F.dropout(torch.ones(64), p=0.5).tolist()
    source = work("srivastava2014")
    return item(
        "a-single-key",
        Text(
            "In training mode, PyTorch's layer applies dropout with p = 0.5 to the attention "
            "weights. A query has a single key. By what is the value of this key multiplied?",
            "PyTorch 的层处于训练模式，对注意力权重做 p = 0.5 的 dropout。如果只有一个键，"
            "这个键的值会乘以多少？",
        ),
        Option(
            Text("By 0.5, each time", "每次都是 0.5"),
            (0.5,),
            Text(
                "The factor 0.5 would be the mean without rescaling. But each pass either keeps "
                "the weight or drops it.",
                "0.5 是不放大时的平均值。单看每一次计算，权重不是保留，就是丢弃。",
            ),
            source,
        ),
        Option(
            Text("By 0 or by 1, by chance", "0 或 1，随机而定"),
            (0.0, 1.0),
            Text(
                "Dropout was first described like that, with smaller weights at test time. PyTorch "
                "scales in training: what is kept is divided by 1 − p.",
                "最早的做法确实如此，测试时再把权重缩小。PyTorch 改在训练时放大，"
                "保留下来的要除以 1 − p。",
            ),
            source,
        ),
        Option(
            Text("By 1, each time", "每次都是 1"),
            (1.0,),
            Text(
                "The softmax of a single key is 1, but dropout follows it. In training the "
                "weights of a row need not sum to 1.",
                "只有一个键时，softmax 确实得 1，可是后面还要做 dropout。训练时，"
                "一行权重之和不一定是 1。",
            ),
            misreading("dropout"),
        ),
        Option(
            Text("By 0 or by 2, by chance", "0 或 2，随机而定"),
            (0.0, 2.0),
            Text(
                "The weight is 1 after the softmax. Dropout sets it to 0 or divides it by "
                "1 − p = 0.5, so the mean stays 1.",
                "softmax 之后权重是 1，dropout 要么把权重变成 0，要么除以 1 − p = 0.5，"
                "平均值仍是 1。",
            ),
        ),
        answer=tuple(sorted({*dropped})),
        treated=section("07-dropout-on-weights", "dropout-rows"),
    )


def heads_by_view() -> Item:
    """Ask what head 0 holds when heads are split by view alone."""
    words = torch.arange(8.0).reshape(1, 2, 4)
    held = words.view(1, 2, 2, 2)[0, 0]

    def rows(*several: list[int]) -> tuple[str, tuple[tuple[int, ...], ...]]:
        return "{} / {}".format(*several), tuple(map(tuple, several))

    return item(
        "heads-by-view",
        Text(
            "Word 0 is [0, 1, 2, 3] and word 1 is [4, 5, 6, 7], so `x` has the shape (1, 2, 4). "
            "`x.view(1, 2, 2, 2)` is then used as (batch, heads, words, size). What does head 0 "
            "hold?",
            "词 0 是 [0, 1, 2, 3]，词 1 是 [4, 5, 6, 7]，`x` 的形状是 (1, 2, 4)。程序把 "
            "`x.view(1, 2, 2, 2)` 当作（批量，头，词，维数）来用。头 0 里是什么？",
        ),
        same(
            *rows([0, 1], [4, 5]),
            Text(
                "The first half of each word is what head 0 should get. For that, `view(1, 2, 2, "
                "2)` has to be followed by `transpose(1, 2)`.",
                "头 0 本来应该得到每个词的前一半，但在 `view(1, 2, 2, 2)` 之后，"
                "还要用 `transpose(1, 2)` 才行。",
            ),
            misreading("heads"),
        ),
        same(
            *rows([0, 2], [4, 6]),
            Text(
                "Heads take neighbouring components, not every second one, and `view` never "
                "skips a number.",
                "每个头取的是相邻的分量，不是隔一个取一个，何况 `view` 从不跳过任何一个数。",
            ),
            misreading("heads"),
        ),
        same(
            *rows([0, 1], [2, 3]),
            Text(
                "`view` only cuts the numbers as they lie in memory, word after word. Head 0 is "
                "word 0 in two pieces, and never sees word 1.",
                "`view` 只按内存里的次序来切，一个词接着一个词，所以头 0 里是切成两半的词 0，"
                "没有词 1。",
            ),
        ),
        same(
            "[0, 1, 2, 3] / [4, 5, 6, 7]",
            ((0, 1, 2, 3), (4, 5, 6, 7)),
            Text(
                "A head works with vectors of size d / h, a part of each word. Two heads that "
                "both hold two whole words would need 16 numbers.",
                "每个头只处理词的一部分，维数是 d / h。如果两个头都拿到两个完整的词，"
                "就有 16 个数了。",
            ),
            work("vaswani2017"),
        ),
        answer=tuple(tuple(map(int, row)) for row in held.tolist()),
        treated=section("10-self-attention", "split-heads"),
    )


def shape_of_weights() -> Item:
    """Ask for the shape of the weights that PyTorch's layer returns."""
    layer, texts = nn.MultiheadAttention(8, num_heads=4), torch.randn(2, 3, 8)
    shape = tuple(layer(texts, texts, texts)[1].shape)
    return item(
        "shape-of-weights",
        Text(
            "`x` holds two sentences of three words and has the shape (2, 3, 8). `layer` is "
            "`nn.MultiheadAttention(8, num_heads=4)`. Which shape do the weights returned by "
            "`layer(x, x, x)` have?",
            "`x` 里有两句话，每句三个词，形状是 (2, 3, 8)。`layer` 是 "
            "`nn.MultiheadAttention(8, num_heads=4)`。`layer(x, x, x)` 返回的权重是什么形状？",
        ),
        same(
            "(2, 4, 3, 3)",
            (2, 4, 3, 3),
            Text(
                "Weights for each head come only with `average_attn_weights=False`, and the "
                "batch comes first only with `batch_first=True`.",
                "只有写上 `average_attn_weights=False`，才有每个头的权重；"
                "只有写上 `batch_first=True`，"
                "批量才在最前面。",
            ),
            misreading("averaged"),
        ),
        same(
            "(2, 3, 3)",
            (2, 3, 3),
            Text(
                "The mean over the heads is taken into account here, but the batch comes first "
                "only with `batch_first=True`.",
                "你想到了要对各头求平均，可是只有写上 `batch_first=True`，批量才在最前面。",
            ),
            misreading("batch-first"),
        ),
        same(
            "(3, 4, 2, 2)",
            (3, 4, 2, 2),
            Text(
                "The order of the axes is taken into account here, but the weights of single heads "
                "come only with `average_attn_weights=False`.",
                "轴的次序想对了，可是只有写上 `average_attn_weights=False`，才有每个头的权重。",
            ),
            misreading("averaged"),
        ),
        same(
            "(3, 2, 2)",
            (3, 2, 2),
            Text(
                "By default the words come first, so the layer sees three sentences of two words. "
                "The weights are the mean over the four heads.",
                "默认把词放在最前面，所以这一层当成有三句话，每句两个词。"
                "返回的权重是四个头的平均。",
            ),
        ),
        answer=shape,
        treated=section("10-self-attention", "heads-in-torch"),
    )


def padding_in_front() -> Item:
    """Ask how much weight padding on the left gets under a causal mask alone."""
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    words = torch.zeros(1, 4, 2)
    weights = F.scaled_dot_product_attention(words, words, torch.eye(4)[None], attn_mask=causal)
    share = weights[0, 3, :2].sum().item()
    return item(
        "padding-in-front",
        Text(
            "A row of four tokens begins with two tokens of padding. The causal mask is the only "
            "mask, and all scores are equal. What share of its weight does the last token give to "
            "the padding?",
            "一行有四个词元，前两个是填充。掩码只有因果掩码，分数全都相等。"
            "最后一个词元把多少权重给了填充？",
        ),
        Option(
            Text("None of it", "一点也没有"),
            0.0,
            Text(
                "A causal mask does hide padding that comes after the words. But padding in "
                "front lies in the past of each word.",
                "填充排在词的后面时，因果掩码确实能把填充掩蔽掉。可是填充在前面，"
                "每个词往前读都会读到。",
            ),
            misreading("left-padding"),
        ),
        Option(
            Text("One half", "二分之一"),
            0.5,
            Text(
                "The last token may read all four, itself included, and two of these four are "
                "padding. A second mask has to hide them.",
                "最后一个词元可以读全部四个，包括自己，其中两个是填充。要掩蔽填充，"
                "还需要另一个掩码。",
            ),
        ),
        Option(
            Text("Two thirds", "三分之二"),
            round(2 / 3, 4),
            Text(
                "A causal mask lets a token read itself, too. The share would be two thirds if "
                "it read only what precedes it.",
                "这是没有把自己算在内。因果掩码允许词元读自己，所以要除以四，不是除以三。",
            ),
            misreading("order"),
        ),
        Option(
            Text("The result is NaN", "结果是 NaN"),
            "nan",
            Text(
                "NaN arises only in a row in which all keys are masked. The last token has four "
                "keys to read.",
                "整行的键都被掩蔽，才会出现 NaN，而最后一个词元有四个键可读。",
            ),
            misreading("finite"),
        ),
        answer=round(share, 4),
        treated=section("10-self-attention", "left-padding"),
    )


def asking_after_the_step() -> Item:
    """Ask what the context can change when the state after the step asks."""
    cell, writes = nn.GRUCell(4, 4), nn.Linear(8, 5)
    state = cell(torch.randn(1, 4), torch.zeros(1, 4))
    source = torch.randn(1, 3, 4)
    context = DotProductAttention(dropout=0)(state[None], source, source)[0]
    word = writes(torch.cat([state, context], dim=-1))
    changed = [
        torch.autograd.grad(one.sum(), context, allow_unused=True, retain_graph=True)[0] is not None
        for one in (state, word)
    ]
    return item(
        "asking-after-the-step",
        Text(
            "In each step a decoder first computes its new state. Like Luong's decoder, it then "
            "asks with the new state and reads a context. What can the context change in this "
            "step?",
            "解码器的每一步先算出新的状态，再像 Luong 的解码器那样用新的状态来查询，读出上下文。"
            "在这一步里，上下文能影响什么？",
        ),
        Option(
            Text("The new state, and the word that is written", "新的状态和写出的词"),
            (True, True),
            Text(
                "Bahdanau's decoder works like that: it asks with the state before the step, and "
                "the context enters the step.",
                "Bahdanau 的解码器才是这样，用这一步之前的状态来查询，上下文再用于这一步。",
            ),
            misreading("asks"),
        ),
        Option(
            Text("The word that is written, not the new state", "写出的词，不影响新的状态"),
            (False, True),
            Text(
                "The new state had to be there before it could ask. The context joins the state "
                "afterwards, and together they decide on the word.",
                "要用新的状态来查询，状态必须先算好。读到的内容随后才与状态合起来，决定写哪个词。",
            ),
        ),
        Option(
            Text("The new state, not the word that is written", "新的状态，不影响写出的词"),
            (True, False),
            Text(
                "The query comes from the new state, so the context is too late for that state. "
                "The context is read in order to choose the word.",
                "查询来自新的状态，等到有了上下文，状态早已算好。读上下文正是为了写这个词。",
            ),
            misreading("asks"),
        ),
        Option(
            Text("Neither, only the step that comes after it", "两者都不影响，只影响下一步"),
            (False, False),
            Text(
                "A context that is used one step too late is a classic slip of programs that mix "
                "up the two decoders.",
                "上下文晚一步才用上，这是把两种解码器弄混的程序里常见的错误。",
            ),
            work("luong2015"),
        ),
        answer=tuple(changed),
        treated=section("11-learning-to-align", "align-which-state"),
    )


def nine_tenths() -> Item:
    """Ask what a large weight proves."""
    return item(
        "nine-tenths",
        Text(
            "In the last attention layer of a model, the place of one word has the weight 0.9, "
            "and the answer is right. What follows from this weight alone?",
            "在模型的最后一个注意力层里，某个词所在位置的权重是 0.9，模型也答对了。"
            "单凭这个权重，能得出什么结论？",
        ),
        Option(
            Text("With another word there, the answer would change", "如果换掉这个词，答案会改变"),
            "would change",
            Text(
                "Only an experiment can show what would change. Very different weights can lead "
                "to the same answer.",
                "会不会改变，要做实验才知道。权重很不一样，答案也可能相同。",
            ),
            work("jain2019"),
        ),
        Option(
            Text("The model has based its answer on this word", "模型是根据这个词作出回答的"),
            "based on it",
            Text(
                "The vector at a place is made of the word and its neighbours. A large weight does "
                "not say which of them the content came from.",
                "这个位置上的向量是由这个词和前后的词一起算出来的，权重再大，"
                "也看不出内容来自哪个词。",
            ),
            misreading("reason"),
        ),
        Option(
            Text("Weights and answers have no connection at all", "权重与答案毫无关系"),
            "no connection",
            Text(
                "Doubts about weights as explanations do not go that far. Whether weights "
                "explain an answer depends on what is to be explained, and how this is tested.",
                "权重能不能当作解释，确实有争议，但并不等于毫无关系，要看解释的是什么、怎样检验。",
            ),
            work("wiegreffe2019"),
        ),
        Option(
            Text("The value at this place counts nine tenths here", "这一层里，此处的值占九成"),
            "share",
            Text(
                "A weight says which vector was read, and with which share. It does not say why, "
                "or where the content of this vector came from.",
                "权重只说明读的是哪个向量、占多少，既不说明原因，也不说明向量里的内容从哪里来。",
            ),
        ),
        answer="share",
        treated=section("11-learning-to-align", "align-reason"),
    )


def the_first_token() -> Item:
    """Ask why heads put weight on the first token."""
    return item(
        "the-first-token",
        Text(
            "In large language models, many heads give most of their weight to the first token, "
            "whichever token that is. What is the likeliest reason?",
            "在大语言模型里，许多头把大部分权重给了开头的词元，不论那是什么词元。"
            "最可能的原因是什么？",
        ),
        Option(
            Text("Spare weight has to go somewhere harmless", "用不上的权重要放在不碍事的位置"),
            "sink",
            Text(
                "A row sums to 1 even where nothing fits. Every token can see the first one, so "
                "heads learn to leave their spare weight there.",
                "即使没有合适的键，一行权重之和也是 1。每个词元都读得到开头的词元，"
                "所以头在训练中学会把用不上的权重放在那里。",
            ),
        ),
        Option(
            Text("The first token sets the topic of the text", "开头的词元决定了全文的主题"),
            "topic",
            Text(
                "A large weight is mistaken for importance here. It falls on the first token even "
                "if that is a mark without any meaning.",
                "这是把权重大当成了重要。即使开头的词元只是没有意义的记号，权重照样落在上面。",
            ),
            misreading("reason"),
        ),
        Option(
            Text("Positions give early tokens higher scores", "位置编码使靠前的词元分数更高"),
            "positions",
            Text(
                "Position methods that distinguish distances favour near tokens. The first "
                "token is the farthest from most queries.",
                "区分远近的位置编码，偏向的都是近处的词元，而开头的词元离大多数查询最远。",
            ),
            work("press2022"),
        ),
        Option(
            Text("These heads have learnt nothing of any use", "这些头没有学到任何有用的东西"),
            "useless",
            Text(
                "The same heads do their work wherever a key fits. And models break down "
                "without their first tokens, so this habit is useful.",
                "只要有合适的键，这些头照样工作。而且去掉最前面的词元，模型便会失效，"
                "可见这样做有用处。",
            ),
            work("xiao2024"),
        ),
        answer="sink",
        treated=section("10-self-attention", "attention-sink"),
    )


def one_new_query() -> Item:
    """Ask which weights a single new query gets under is_causal."""
    query, keys = torch.zeros(1, 1, 2), torch.zeros(1, 5, 2)
    weights = F.scaled_dot_product_attention(query, keys, torch.eye(5)[None], is_causal=True)

    def row(*numbers: float) -> tuple[str, tuple[float, ...]]:
        return ", ".join(f"{x:g}" for x in numbers), numbers

    source = misreading("causal")
    return item(
        "one-new-query",
        Text(
            "The cache holds five keys with equal scores. One new query calls "
            "`scaled_dot_product_attention` with `is_causal=True`. Which weights do the keys get?",
            "缓存里有五个键，分数全都相等。用一个新的查询调用 `scaled_dot_product_attention`，"
            "并写上 `is_causal=True`。各个键的权重是多少？",
        ),
        same(
            *row(1.0, 0.0, 0.0, 0.0, 0.0),
            Text(
                "The mask begins in the upper left corner, so it takes the newest query for the "
                "oldest, which may only read key 0.",
                "掩码从左上角开始，把最新的查询当成了最旧的，所以只能读键 0。",
            ),
        ),
        same(
            *row(0.2, 0.2, 0.2, 0.2, 0.2),
            Text(
                "Equal weights are what the query needs. It gets them without a mask, or with "
                "one that ends in the lower right corner.",
                "五个键本来都能读，权重应当相等。不用掩码，或者让掩码对齐右下角，结果才是这样。",
            ),
            source,
        ),
        same(
            *row(0.0, 0.0, 0.0, 0.0, 1.0),
            Text(
                "The newest query would read only its own key if there were no cache. With a "
                "cache it should read every key, but the mask knows nothing of the cache.",
                "没有缓存，单独一个查询才只读自己的键。有了缓存，就应当读前面的全部，"
                "可是掩码并没有考虑缓存。",
            ),
            source,
        ),
        same(
            *row(0.25, 0.25, 0.25, 0.25, 0.0),
            Text(
                "A causal mask does not hide a token from itself, and this mask does not even "
                "let the query read all four keys before it.",
                "因果掩码不会掩蔽词元自己，何况掩码对齐左上角时，连前面的四个键也读不全。",
            ),
            misreading("order"),
        ),
        answer=tuple(weights[0, 0].tolist()),
        treated=section("12-scores-today", "today-corner"),
    )


def two_finite_masks() -> Item:
    """Ask for a row of weights where the lowest finite number hides padding and the future."""
    lowest = torch.finfo(torch.float32).min
    row = torch.tensor([lowest, 0, 0]) + torch.tensor([0, lowest, lowest])
    weights = tuple(round(x, 2) for x in row.softmax(dim=-1).tolist())
    return item(
        "two-finite-masks",
        Text(
            "Key 0 is padding, and query 0 may not read the later keys 1 and 2. A program adds "
            "the lowest finite number of float32 to each score that is to be hidden. Which "
            "weights does query 0 get?",
            "键 0 是填充；查询 0 不能读后面的键 1 和键 2。凡是要掩蔽的分数，程序都加上 float32 "
            "最小的有限数。查询 0 的权重是多少？",
        ),
        Option(
            Text("0 for each key", "每个键都是 0"),
            (0.0, 0.0, 0.0),
            Text(
                "A row without a key should be 0, but the softmax does not do that by itself: it "
                "always divides by its own sum.",
                "没有键可读的一行应当是 0，可是 softmax 自己做不到，因为总要除以各项之和。",
            ),
            misreading("finite"),
        ),
        Option(
            Text("1 for key 0, 0 for the others", "键 0 是 1，其余是 0"),
            (1.0, 0.0, 0.0),
            Text(
                "With the causal mask alone, query 0 would read key 0. But the padding mask "
                "pushes the score of key 0 down as far as the others.",
                "如果只有因果掩码，查询 0 确实只读键 0。可是加上填充掩码，"
                "键 0 的分数也压得一样低。",
            ),
            misreading("left-padding"),
        ),
        Option(
            Text("1/3 for each key", "每个键都是 1/3"),
            (0.33, 0.33, 0.33),
            Text(
                "All three scores are equally low, and equal scores give equal weights. So the "
                "query reads the padding and the later keys.",
                "三个分数一样低，分数相等，权重也就相等，于是查询既读到填充，又读到后面的词。",
            ),
        ),
        Option(
            Text("NaN for each key", "每个键都是 NaN"),
            "nan",
            Text(
                "NaN comes out only if all scores are −∞. A finite number was chosen here "
                "precisely to avoid NaN.",
                "分数全是 −∞ 时，结果才是 NaN。改用有限的数，正是为了避开 NaN。",
            ),
            misreading("finite"),
        ),
        answer=weights,
        treated=section("12-scores-today", "today-finite"),
    )


def in_one_pass(blocks: list[Tensor]) -> float:
    """Return the sum of exponentials of a softmax in one pass, without any guard."""
    highest, total = torch.tensor(-torch.inf), torch.tensor(0.0)
    for block in blocks:
        higher = torch.maximum(highest, block.max())
        total = total * torch.exp(highest - higher) + torch.exp(block - higher).sum()
        highest = higher
    return total.item()


def a_masked_block() -> Item:
    """Ask for the running sum after a block in which all keys are masked."""
    masked, scored = torch.full((2,), -torch.inf), torch.tensor([1.0, 0])
    total, without = in_one_pass([masked, scored]), in_one_pass([scored])
    return item(
        "a-masked-block",
        Text(
            "A fused kernel reads scores in blocks: first −∞ and −∞ (masked keys), then 1 and 0. "
            "It subtracts the highest score so far, adds the exponentials to a sum, and rescales "
            "the sum when that score rises. Nothing guards against −∞. What is the sum at the end?",
            "融合算子一块一块地读分数，先是 −∞ 和 −∞（被掩蔽的键），再是 1 和 0。每读一块，"
            "减去到目前为止最高的分数，把指数加到总和里；最高分变大时，先缩小已有的总和。"
            "程序没有专门处理 −∞。最后的总和是多少？",
        ),
        Option(
            Text("0.00", "0.00"),
            "0.00",
            Text(
                "Rescaling shrinks only what was in the sum before. It cannot take away the "
                "exponentials of the second block.",
                "缩小的只是已有的总和，第二块的指数是后来才加上去的，不会变成 0。",
            ),
            work("milakov2018"),
        ),
        numbered(
            without,
            Text(
                "Masked keys do add nothing as long as the highest score so far is finite. But "
                "in the first block, the highest score is itself −∞.",
                "只要最高分是有限的数，被掩蔽的键确实什么也不加。可是在第一块里，"
                "最高分自己就是 −∞。",
            ),
            misreading("nan"),
        ),
        numbered(
            without + 2,
            Text(
                "Each masked key would add exp(0) = 1 if −∞ − (−∞) were 0. In floating point the "
                "difference is not a number.",
                "这是把 −∞ − (−∞) 当成了 0，每个被掩蔽的键加上 exp(0) = 1。可是在浮点运算里，"
                "这个差是 NaN。",
            ),
            misreading("nan"),
        ),
        Option(
            Text("NaN", "NaN"),
            "nan",
            Text(
                "−∞ − (−∞) is NaN in the first block, and a NaN stays in the sum, whatever is "
                "added later.",
                "第一块里的 −∞ − (−∞) 是 NaN，总和一旦成了 NaN，后面再加什么都没有用。",
            ),
        ),
        answer="nan" if math.isnan(total) else NUMBERS.format(total),
        treated=section("12-scores-today", "today-nan"),
    )


def weights_for_the_gradient() -> Item:
    """Ask what FlashAttention's backward pass does without stored weights."""
    given = torch.randn(3, 5)
    again = torch.exp(given - given.logsumexp(dim=-1, keepdim=True))
    is_exact = torch.allclose(again, given.softmax(dim=-1))
    return item(
        "weights-for-the-gradient",
        Text(
            "FlashAttention never writes the table of weights to memory. Where does its backward "
            "pass get the weights from?",
            "FlashAttention 从不把权重表写进内存。反向传播时，权重从哪里来？",
        ),
        Option(
            Text("It computes them again, block by block", "一块一块地重新计算"),
            "exact",
            Text(
                "One number for each query, the `logsumexp` of its scores, is stored. With it, "
                "each block of weights follows exactly from its scores.",
                "每个查询只存一个数，即分数的 `logsumexp`。有了这个数，"
                "由分数可以精确地重新算出每一块权重。",
            ),
        ),
        Option(
            Text("It makes do with approximate weights", "用近似的权重代替"),
            "approximate",
            Text(
                "Nothing is approximated, neither forwards nor backwards. What is saved is "
                "traffic with slow memory, not arithmetic.",
                "无论前向还是反向，都没有近似。省下的是读写慢速内存的工夫，运算并没有少做。",
            ),
            misreading("flash"),
        ),
        Option(
            Text("It keeps only the largest weights", "只保留最大的那些权重"),
            "largest",
            Text(
                "Leaving keys out is what sparse attention does, for instance with windows. "
                "FlashAttention uses every key.",
                "略去一部分键是稀疏注意力的做法，例如只看一个窗口。FlashAttention 要用到每一个键。",
            ),
            work("beltagy2020"),
        ),
        Option(
            Text("It reads them from slow memory", "从慢速内存里读取"),
            "stored",
            Text(
                "Ordinary implementations store the table in slow memory and read it back. "
                "FlashAttention was made to avoid exactly that.",
                "把权重表存进慢速内存再读回来，是普通的实现。FlashAttention 正是为了避免这样做。",
            ),
            work("dao2022"),
        ),
        answer="exact" if is_exact else "other",
        treated=section("12-scores-today", "today-flash"),
    )


def one_new_word() -> Item:
    """Ask what a head computes for one new word when there is a cache."""
    return item(
        "one-new-word",
        Text(
            "A decoder with a cache has read 1,000 tokens. What does each head have to compute "
            "to read one more token?",
            "带缓存的解码器已经读了 1000 个词元。再读一个，每个头要新算什么？",
        ),
        Option(
            Text("One key and one value, no query", "一个键、一个值，不算查询"),
            (0, 1, 1),
            Text(
                "Queries are not in the cache: each is used in one step and never again. The new "
                "token needs one of its own.",
                "缓存里不存查询，因为每个查询只在一步里用到。新的词元得有自己的查询。",
            ),
            misreading("cached"),
        ),
        Option(
            Text("One query, one key and one value", "一个查询、一个键、一个值"),
            (1, 1, 1),
            Text(
                "The new token asks with its own query, reads the stored keys and values, and "
                "adds one of each for the tokens that follow.",
                "新的词元用自己的查询去读存下的键和值，再添上一个键和一个值，供后面的词元使用。",
            ),
        ),
        Option(
            Text("One query, 1,001 keys and 1,001 values", "一个查询、1001 个键、1001 个值"),
            (1, 1001, 1001),
            Text(
                "All 1,001 keys and values are read, but only the last of them is new. The "
                "others are kept in the cache.",
                "1001 个键和值都要读，但只有最后一个是新算的。其余的存在缓存里，不必再算。",
            ),
            work("shazeer2019"),
        ),
        Option(
            Text("1,001 queries, one key and one value", "1001 个查询、一个键、一个值"),
            (1001, 1, 1),
            Text(
                "Under a causal mask no earlier token can see the new one, so none of them has to "
                "ask again.",
                "有了因果掩码，前面的词元读不到新的词元，所以不必重新查询。",
            ),
            misreading("cached"),
        ),
        answer=(1, 1, 1),
        treated=section("13-a-whole-decoder", "decoder-cache"),
    )


def two_equal_logits() -> Item:
    """Ask what a low temperature makes of two equal logits."""
    logits = torch.tensor([2.0, 2, 0])
    right, before = (torch.softmax(logits / T, dim=0)[0].item() for T in (0.1, 1))
    return item(
        "two-equal-logits",
        Text(
            "Three words have the logits 2, 2 and 0, and at temperature 1 the probabilities 0.47, "
            "0.47 and 0.06. The temperature is lowered to 0.1. Which probability does word 0 get?",
            "三个词的 logit 是 2、2 和 0，温度为 1 时，概率是 0.47、0.47 和 0.06。把温度降到 0.1，"
            "词 0 的概率是多少？",
        ),
        numbered(
            1 / 3,
            Text(
                "Equal probabilities for all words are the limit of a high temperature. A low one "
                "makes differences count more.",
                "你把方向弄反了：温度很高时，各个词的概率才趋于相等，温度降低，差别反而更大。",
            ),
            work("ackley1985"),
        ),
        numbered(
            before,
            Text(
                "The temperature divides the logits before the softmax, so it does change the "
                "probabilities. Only their order stays the same.",
                "温度是在 softmax 之前用来除 logit 的，所以概率会变，不变的只是大小次序。",
            ),
            misreading("temperature"),
        ),
        numbered(
            right,
            Text(
                "The probability of word 2 falls nearly to 0, and the other two share the rest "
                "equally, because equal logits stay equal.",
                "词 2 的概率几乎降到 0，另外两个词的 logit 相等，于是各得一半。",
            ),
        ),
        numbered(
            1.0,
            Text(
                "A low temperature does not make the model surer of which word is right. Equal "
                "logits remain equal at any temperature.",
                "降低温度，并不能让模型知道两个词哪个对。不论温度是多少，"
                "相等的 logit 除以温度以后还是相等。",
            ),
            misreading("temperature"),
        ),
        answer=NUMBERS.format(right),
        treated=section("13-a-whole-decoder", "decoder-temperature"),
    )
