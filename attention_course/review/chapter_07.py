"""Ask again for the ideas of chapter 7."""

import torch
from torch import nn

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text

_SENTENCES = {
    "en": ["we missed our bus", "the baker opens early", "my brother sings well"],
    "zh": ["我们 没 赶上 公交", "面包店 一早 就 开门", "弟弟 唱歌 真 好听"],
}
_KEYS = {
    "en": [["bread", "soup", "steak"], ["tea", "milk", "juice"], ["bus", "train", "ferry"]],
    "zh": [["包子", "米线", "火锅"], ["绿茶", "牛奶", "果汁"], ["公交", "地铁", "轮渡"]],
}
# What a program does with a new module before it uses it.
_CALLS = {
    "no_grad": Text(
        "The module is used inside `with torch.no_grad():`.",
        "程序直接在 `torch.no_grad()` 里使用这个模块。",
    ),
    "train eval": Text(
        "`.train()` is called, then `.eval()`.", "程序先调用 `.train()`，再调用 `.eval()`。"
    ),
    "eval train": Text(
        "`.eval()` is called, then `.train()`.", "程序先调用 `.eval()`，再调用 `.train()`。"
    ),
    "eval": Text("`.eval()` is called.", "程序调用了 `.eval()`。"),
    "": Text(
        "Nothing is called before the module is used.", "程序没有切换模式，直接使用这个模块。"
    ),
}


@family("kept-weight", figure="mia")
def kept_weight(draw: Draw, lang: Lang) -> Item:
    """Ask what dropout makes of a weight that it keeps."""
    say, words = say_in(lang), draw.one(_SENTENCES[lang]).split()
    p = draw.in_turn([0.5, 0.2, 0.75, 0.6, 0.2])
    before = torch.tensor(draw.shuffled([0.1, 0.2, 0.3, 0.4]), dtype=torch.float64)
    dropped, asked = draw.several(range(4), 2)
    after = torch.where(torch.arange(4) == dropped, 0, before / (1 - p))[asked]
    weight, hit, word = float(before[asked]), words[dropped], words[asked]
    mistakes = {
        say(
            f"{weight:g} is the weight in evaluation mode, where nothing is dropped or divided.",
            f"{weight:g} 是评估模式下的权重，训练时留下来的权重还要放大。",
        ): weight,
        say(
            f"With a mask on “{hit}” before the softmax, the other words would share its weight, "
            "but dropout comes after the softmax.",
            f"你当成了在 softmax 之前掩蔽“{hit}”，其实 dropout 是在 softmax 之后做的，"
            "不会重新分配权重。",
        ): weight / (1 - before[dropped]),
        say(
            "The weight has to be divided by 1 − p, not multiplied.",
            "你乘了 1 − p，应该除以 1 − p。",
        ): weight * (1 - p),
        say(
            "The divisor is the probability of keeping, 1 − p, not p.",
            "你除以了丢弃的概率 p，应该除以保留的概率 1 − p。",
        ): weight / p,
        say(
            f"Only “{hit}” is dropped in this step.", f"丢弃的只有“{hit}”的权重，别的都还在。"
        ): 0.0,
    }
    return Item(
        say(
            f"In this step of training, dropout with p = {p:g} drops the weight on “{hit}” and "
            "keeps the others.",
            f"训练的某一步里，p = {p:g} 的 dropout 丢弃了“{hit}”的权重，保留了其余的权重。",
        ),
        ask.number(
            say(f"The weight on “{word}” after dropout", f"dropout 之后“{word}”的权重"),
            after,
            unlike(after, mistakes),
            said=say(
                f"A weight that is kept is divided by 1 − p: {weight:g} / {1 - p:g}.",
                f"保留下来的权重要除以 1 − p，所以是 {weight:g} ÷ {1 - p:g}。",
            ),
        ),
        Table(words, {say("before dropout", "dropout 之前"): [f"{x:g}" for x in before.tolist()]}),
        answer=signed(float(after)),
    )


@family("dropped-score", figure="ways")
def dropped_score(draw: Draw, lang: Lang) -> Item:
    """Ask which key wins when dropout hits a score instead of a weight."""
    say, keys = say_in(lang), draw.one(_KEYS[lang])
    others = draw.in_turn([(-4, -1), (1, 4), (-3, -1), (-2, 3), (-4, -2)])
    hit = draw.whole(0, 2)
    scores = [float(x) for x in draw.several([x for x in range(others[0], others[1] + 1) if x], 2)]
    scores.insert(hit, float(draw.one([x for x in range(-5, 6) if x and x not in scores])))
    after = torch.where(torch.arange(3) == hit, 0, 2 * torch.tensor(scores))
    right, now = int(after.softmax(-1).argmax()), [signed(x) for x in after.tolist()]
    masked = max((k for k in range(3) if k != hit), key=lambda k: scores[k])

    def reply(k: int) -> str:
        if k == right:
            return say(
                f"Dropout sets the score of “{keys[hit]}” to 0 and doubles the other two. Of "
                f"{now[0]}, {now[1]} and {now[2]}, the score of “{keys[right]}” is the highest.",
                f"dropout 把“{keys[hit]}”的分数变成 0，另外两个加倍，"
                f"三个分数成了 {'、'.join(now)}，最高的是“{keys[right]}”。",
            )
        if k == hit:
            return say(
                f"The score of “{keys[k]}” becomes 0, which is lower than {now[right]}.",
                f"“{keys[k]}”的分数变成了 0，比 {now[right]} 低。",
            )
        if k == masked:
            return say(
                f"“{keys[k]}” would win if “{keys[hit]}” were masked, but a mask sets −∞, and "
                "dropout sets 0.",
                f"你把丢弃“{keys[hit]}”当成了掩蔽：掩蔽会把分数变成 −∞，而 dropout 只变成 0。",
            )
        return say(
            f"The score of “{keys[k]}” is now {now[k]}, and another score is higher.",
            f"“{keys[k]}”的分数现在是 {now[k]}，不是最高的。",
        )

    return Item(
        say(
            f"Dropout with p = ½ is put before the softmax by mistake. It drops the score of "
            f"“{keys[hit]}” and keeps the other two.",
            f"有人误把 p = ½ 的 dropout 放到了 softmax 之前。这一次丢弃了“{keys[hit]}”的分数，"
            "保留了另外两个。",
        ),
        ask.choice(
            say("Which key has the largest weight then?", "这时哪个键的权重最大？"),
            right,
            {keys[k]: reply(k) for k in range(3)},
        ),
        Table(keys, {say("score before", "原来的分数"): [signed(x) for x in scores]}),
    )


@family("all-or-nothing", figure="chances")
def all_or_nothing(draw: Draw, lang: Lang) -> Item:
    """Ask how often a row loses all its large weights."""
    say = say_in(lang)
    large, p = draw.in_turn([(1, 0.3), (2, 0.5), (3, 0.5), (2, 0.2), (1, 0.1)])
    weight, small = {1: (0.94, 0.02), 2: (0.48, 0.02), 3: (0.33, 0.01)}[large]
    row = torch.tensor(draw.shuffled([weight] * large + [small] * (4 - large)))
    keep = torch.cartesian_prod(*[torch.tensor([0.0, 1.0], dtype=torch.float64)] * 4)
    sums = keep @ row.double() / (1 - p)
    chance = torch.where(keep == 1, 1 - p, p).prod(dim=1)[sums < 0.2].sum()
    mistakes = {
        say(
            "With a probability of 0, every sum would have to stay near the mean, which is 1.",
            "概率不会是 0，因为大的权重有可能全部丢弃。",
        ): 0.0,
        say(
            "Dropping all four weights is not needed, because the small ones hardly count.",
            "不用四个权重全部丢弃，小的权重对和几乎没有影响。",
        ): p**4,
        say(
            f"You have counted the steps that drop one weight of {weight:g}, but another weight "
            "of this size may still be there.",
            f"你算的是丢弃某一个 {weight:g} 的概率，但别的 {weight:g} 可能还在。",
        ): p,
        say(
            "You have counted the steps in which at least one large weight is dropped.",
            "你算的是至少丢弃一个大权重的概率，不是全部。",
        ): 1 - (1 - p) ** large,
        say(
            "1 − p is the probability that a large weight is kept, not dropped.",
            "1 − p 是保留大权重的概率，不是丢弃的概率。",
        ): 1 - p,
    }
    because = (
        say(
            f"The sum is that small whenever {weight:g} is dropped, which happens with the "
            f"probability p = {p:g}.",
            f"只要丢弃 {weight:g}，和就小于 0.2，丢弃的概率是 p = {p:g}。",
        )
        if large == 1
        else say(
            f"The {large} large weights must all be dropped, and each of them is dropped "
            f"independently, with probability {p:g}.",
            f"{large} 个大权重要全部丢弃，每个被丢弃的概率都是 {p:g}，互不影响，所以要相乘。",
        )
    )
    return Item(
        say(
            f"A row has the weights {', '.join(f'{x:g}' for x in row.tolist())}. Dropout with "
            f"p = {p:g} is applied to them.",
            f"一行权重是 {'、'.join(f'{x:g}' for x in row.tolist())}，对这一行做 p = {p:g} 的 "
            "dropout。",
        ),
        ask.number(
            say("The probability that the row sums to less than 0.2", "这一行的和小于 0.2 的概率"),
            chance,
            unlike(chance, mistakes),
            said=because,
        ),
        answer=f"{float(chance):g}",
    )


@family("which-mode", figure="modes")
def which_mode(draw: Draw, lang: Lang) -> Item:
    """Ask what weight is used after some calls that do or do not switch dropout off."""
    say = say_in(lang)
    calls = draw.in_turn([*_CALLS])
    p, weight = draw.one([0.5, 0.2, 0.6]), draw.one([0.2, 0.4, 0.8])
    module = nn.Dropout(p)
    for call in calls.split():
        if call != "no_grad":
            getattr(module, call)()
    torch.manual_seed(0)
    used = module(torch.full((1000,), weight)).unique()
    grown, shrunk = signed(weight / (1 - p)), signed(weight * (1 - p))
    options = {
        say(f"0 or {grown}", f"0 或 {grown}"): say(
            "In training mode a weight is dropped or grows, but the module is in evaluation mode.",
            "丢弃和放大都是训练模式下的事，现在模块处于评估模式。",
        ),
        say(f"{weight:g} every time", f"每次都是 {weight:g}"): say(
            "In evaluation mode the weight stays as it is, but the module is in training mode.",
            "你当成了评估模式，其实模块处于训练模式，权重会被丢弃或放大。",
        ),
        say(f"{shrunk} every time", f"每次都是 {shrunk}"): say(
            "In the first papers, weights were multiplied by 1 − p after training, and not "
            "divided in training.",
            "使用时乘以 1 − p 是早期论文的做法，那时训练中不除以 1 − p。",
        ),
    }
    right = 1 if len(used) == 1 else 0
    options[[*options][right]] = {
        "no_grad": say(
            "A new module is in training mode, and `torch.no_grad()` only stops the gradients.",
            "新建的模块处于训练模式，`torch.no_grad()` 只是不求梯度，不会关掉 dropout。",
        ),
        "": say(
            "A new module is in training mode until `.eval()` is called.",
            "新建的模块处于训练模式，要调用 `.eval()` 才会切换到评估模式。",
        ),
        "eval train": say(
            "The last call decides, and `.train()` switches dropout on again.",
            "以最后一次调用为准，`.train()` 又打开了 dropout。",
        ),
    }.get(
        calls,
        say(
            "The last call decides, and in evaluation mode nothing is dropped or divided.",
            "最后调用了 `.eval()`，评估模式下不丢弃，也不放大。",
        ),
    )
    return Item(
        say(
            f"A new module has dropout with p = {p:g} on its attention weights. "
            f"{_CALLS[calls].en} Before dropout, a key has the weight {weight:g}.",
            f"新建的模块对注意力权重做 p = {p:g} 的 dropout。{_CALLS[calls].zh}某个键在 dropout "
            f"之前的权重是 {weight:g}。",
        ),
        ask.choice(
            say("By which weight is the value of this key multiplied?", "与值相乘的权重是多少？"),
            right,
            options,
        ),
    )


GIVEN = {
    "dropping": Text(
        "Three rows of four weights, *sloping*, *uniform* and *sharp*, each sum to 1. Dropout "
        "drops a weight where a random number is below `p`.",
        "“倾斜”“均匀”“集中”三行各有四个权重，每行之和是 1。随机数小于 `p` 的地方，权重被丢弃。",
    ),
    "far": Text(
        "The weights 0.4, 0.3, 0.2 and 0.1 average the values 0, 10, 20 and 30, and p = ½.",
        "权重是 0.4、0.3、0.2、0.1，值是 0、10、20、30，p = ½。",
    ),
    "stored": Text(
        "A module stores its weights before dropout. One could also store them after dropout.",
        "模块保存的是 dropout 之前的权重，也可以改为保存 dropout 之后的权重。",
    ),
}
