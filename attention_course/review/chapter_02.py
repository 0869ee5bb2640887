"""Ask again for the ideas of chapter 2."""

import torch
from torch import Tensor

from attention_course.exercises import ask
from attention_course.review.draw import Draw
from attention_course.review.family import Item, Table, family, say_in, unlike
from attention_course.review.written import signed
from attention_course.translated import Lang, Text
from attention_lib.kernels import boxcar, kernel_weights, nadaraya_watson, triangular

_NARROW = 8.0  # so large a w that the nearest key takes all the weight


@family("boxcar-share", figure="kernels", exercise="moving-average")
def boxcar_share(draw: Draw, lang: Lang) -> Item:
    """Ask for a weight of the boxcar, which does not fall with the distance."""
    say, within = say_in(lang), draw.in_turn([3, 2, 4, 3, 5])
    near = draw.numbers(within, 0.1, 0.9)
    far = draw.numbers(6 - within, 1.2, 3)
    distances = draw.shuffled([*near, *far])
    asked = far[0] if draw.turn == 3 else min(near)
    place = distances.index(asked)
    weights, falling = (
        kernel_weights(torch.zeros(1).double(), _row(distances), kernel)[0, place]
        for kernel in (boxcar, triangular)
    )
    mistakes = {
        say(
            "A sixth shares the weight among all six measurements, but the boxcar is 0 beyond 1 "
            "km.",
            "你让六个测量点平分了权重，但一公里之外的测量点核值是 0，分不到权重。",
        ): 1 / 6,
        say(
            f"A weight of 1 needs a single measurement within 1 km, but here there are {within}.",
            f"一公里之内有 {within} 个测量点，哪一个也不会独占全部权重。",
        ): 1.0,
        say(
            f"A share of 1/{within} goes to each of the {within} measurements within 1 km, but "
            f"{asked} km is farther away.",
            f"1/{within} 是一公里之内每个测量点的权重，但 {asked} 公里已经超出范围。",
        )
        if draw.turn == 3
        else say(
            "A weight of 0 goes only to measurements beyond 1 km.",
            "测量点在一公里之内，权重不会是 0。",
        ): 1 / within if draw.turn == 3 else 0.0,
        say(
            "The triangular kernel gives that weight. Unlike the boxcar, it falls with the "
            "distance.",
            "你用成了三角核：三角核随距离下降，矩形核在范围之内处处是 1。",
        ): falling,
    }
    because = (
        say(
            f"The kernel is 0 at {asked} km, because this distance is more than 1 km.",
            f"{asked} 公里超出了一公里，核值是 0，分不到权重。",
        )
        if draw.turn == 3
        else say(
            f"The kernel is 1 for the {within} measurements within 1 km, so each of them gets the "
            "same share.",
            f"一公里之内有 {within} 个测量点，核值都是 1，所以平分全部权重。",
        )
    )
    listed = [f"{x}" for x in distances]
    return Item(
        say(
            "A boxcar kernel is 1 up to a distance of 1 km and 0 beyond. Six measurements lie "
            f"{', '.join(listed[:-1])} and {listed[-1]} km from the query.",
            "矩形核在一公里之内是 1，一公里之外是 0。"
            f"六个测量点到查询的距离依次是 {'、'.join(listed)} 公里。",
        ),
        ask.number(
            say(
                f"The weight of the measurement at {asked} km",
                f"距离 {asked} 公里的测量点，权重是多少？",
            ),
            weights,
            unlike(weights, mistakes, 0.004),
            within=0.004,
            said=because,
        ),
        answer="0" if draw.turn == 3 else f"1/{within}",
    )


def _row(numbers: list[float] | list[int]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


@family("beyond-the-ends", figure="walk")
def beyond_the_ends(draw: Draw, lang: Lang) -> Item:
    """Ask what a narrow kernel answers before the first measurement or after the last one."""
    say, before = say_in(lang), draw.turn % 2 == 1
    start, step = draw.whole(3, 5), draw.in_turn([2, 2, -2, -3, 3])
    first = draw.whole(2, 5) - min(0, 3 * step)
    heights = [first + step * i for i in range(4)]  # a straight path
    places = [start + i for i in range(4)]
    query = start - 2 if before else start + 5
    x, y = _row(places), _row(heights)
    output = nadaraya_watson(_row([query]), x, y, w=_NARROW)[0]
    line = heights[0] + step * (query - start)
    nearest, last = (places[0], heights[0]) if before else (places[-1], heights[-1])
    mistakes = {
        say(
            f"A straight line through the measurements gives {signed(line)}, but kernel pooling "
            "averages, and an average never leaves the range of its values.",
            f"{signed(line)} 是沿直线往外推的结果。核汇聚求的是加权平均，超不出测量值的范围。",
        ): line,
        say(
            f"The mean of all four heights, {float(y.mean()):g}, is what a very wide kernel gives.",
            f"{float(y.mean()):g} 是四处海拔的平均，核非常宽时才会得到这个数。",
        ): y.mean(),
        say(
            "All heights are above 0, so their weighted average cannot be 0.",
            "四处海拔都大于 0，权重之和又是 1，加权平均不可能是 0。",
        ): 0.0,
    }
    rising = say("rises", "上升") if step > 0 else say("falls", "下降")
    return Item(
        say(
            f"A path {rising} evenly. Heights are measured at four places and pooled with a very "
            "narrow Gaussian kernel.",
            f"一段山路均匀{rising}，在四处测了海拔，再用很窄的高斯核汇聚。",
        ),
        ask.number(
            say(
                f"The output at kilometre {query} (in units of 100 m)",
                f"{query} 公里处的预测值（× 100 米）",
            ),
            output.round(decimals=4),
            unlike(output, mistakes, 0.2),
            within=0.2,
            said=say(
                f"With so narrow a kernel, the nearest place, at kilometre {nearest}, takes all "
                f"the weight, and its height is {last}.",
                f"{nearest} 公里处的测量点最近，几乎占了全部权重，预测值就是那里的海拔 {last}。",
            ),
        ),
        Table(
            [f"{place} km" if lang == "en" else f"{place} 公里" for place in places],
            {say("height (100 m)", "海拔（× 100 米）"): [f"{height}" for height in heights]},
        ),
    )


@family("wider-or-narrower", figure="map", exercise="extremes")
def wider_or_narrower(draw: Draw, lang: Lang) -> Item:
    """Ask how the weight of a key changes with w."""
    say = say_in(lang)
    asked, grows = draw.in_turn(
        [("near", True), ("far", True), ("tie", True), ("near", False), ("far", False)]
    )
    query, small = draw.whole(4, 6), draw.number(0.2, 0.6, 0.1)
    large = small if asked == "tie" else round(small + draw.number(0.4, 0.8, 0.2), 1)
    side = draw.one([-1, 1])
    keys = [round(query + side * small, 1), round(query - side * large, 1)]
    if asked == "far":
        keys.reverse()
    widths = sorted(draw.several([0.5, 1, 2, 3], 2), reverse=not grows)
    (before, after) = (
        float(kernel_weights(_row([query]), _row(keys), w=w)[0, 0].round(decimals=9))
        for w in widths
    )
    right = 1 if after == before else 0 if after > before else 2
    distance = say("nearer", "更近") if asked == "near" else say("farther", "更远")
    if asked == "tie":
        because = say(
            f"Both keys lie {small} km from the query, so they get the same weight at any w.",
            f"两处到查询的距离都是 {small} 公里，不管 w 取多少，权重都相等。",
        )
    elif grows:
        because = say(
            "A larger w makes the kernel narrower, which favours the nearer key, and the key at "
            f"{keys[0]} km is the {distance} one.",
            f"w 变大，核就变窄，近处的权重变大，远处的变小，{keys[0]} 公里处离查询{distance}。",
        )
    else:
        because = say(
            "A smaller w makes the kernel wider, which gives the farther key more, and the key at "
            f"{keys[0]} km is the {distance} one.",
            f"w 变小，核就变宽，远处的权重变大，近处的变小，{keys[0]} 公里处离查询{distance}。",
        )
    opposite = (
        say(
            "A change of w favours the nearer or the farther key, but here both are equally far.",
            "改变 w，影响的是远处和近处怎样分配权重，但这两处一样远。",
        )
        if asked == "tie"
        else say("A smaller w would have this effect.", "方向反了，w 变小时才会这样。")
        if grows
        else say("A larger w would have this effect.", "方向反了，w 变大时才会这样。")
    )
    same = say(
        "The weight stays the same only if both keys are equally far, but here one is nearer.",
        "两处离查询一近一远，w 变了，权重就会变。",
    )
    replies = [opposite, same, opposite]
    replies[right] = because
    options = [
        say("a larger weight", "变大"),
        say("the same weight", "不变"),
        say("a smaller weight", "变小"),
    ]
    return Item(
        say(
            f"A query at kilometre {query} pools two measurements, at {keys[0]} and {keys[1]} km, "
            f"with the kernel exp(−½ (w · distance)²). Then w goes from {widths[0]:g} to "
            f"{widths[1]:g}.",
            f"查询在 {query} 公里处，用核 exp(−½ (w · 距离)²) 汇聚 {keys[0]} 公里处和 {keys[1]} "
            f"公里处的测量值。现在 w 从 {widths[0]:g} 变成 {widths[1]:g}。",
        ),
        ask.choice(
            say(
                f"What happens to the weight of the measurement at {keys[0]} km?",
                f"{keys[0]} 公里处的权重怎样变化？",
            ),
            right,
            dict(zip(options, replies, strict=True)),
        ),
    )


@family("left-out", figure="left-out")
def left_out(draw: Draw, lang: Lang) -> Item:
    """Ask for a prediction at a training point, with and without its own height."""
    say = say_in(lang)
    places = [1, 2 + draw.whole(0, 1)]
    places += [places[1] + 3, places[1] + 3 + draw.whole(1, 2)]
    heights, here = draw.several(range(3, 15), 4), draw.whole(0, 3)
    itself = draw.turn == 2
    others = [i for i in range(4) if itself or i != here]
    x, y = _row(places), _row(heights)
    output = nadaraya_watson(x[[here]], x[others], y[others], w=_NARROW)[0]
    gaps = (x - x[here]).abs()
    gaps[here] = torch.inf
    nearest = int(gaps.argmin())
    mistakes = {
        say(
            f"{heights[here]} is the place's own height, but leave-one-out does not use it.",
            f"{heights[here]} 是这一处自己的海拔，用留一法预测时，要先把自己去掉。",
        ): heights[here],
        say(
            f"{heights[nearest]} is the prediction with leave-one-out, but here the place also "
            "reads itself.",
            f"{heights[nearest]} 是用留一法得到的，但题目没有用留一法，不用去掉自己。",
        ): heights[nearest],
        say(
            "The mean of the other heights is what a very wide kernel gives with leave-one-out.",
            "你把其余三处平均了，但核很窄，只有最近的一处起作用。",
        ): (y.sum() - y[here]) / 3,
    }
    because = (
        say(
            f"The nearest key is the place itself, at distance 0, so its own height, "
            f"{heights[here]}, comes back.",
            f"最近的键就是自己，距离为 0，所以预测值就是自己的海拔 {heights[here]}。",
        )
        if itself
        else say(
            f"Without its own height, the nearest key is at kilometre {places[nearest]}, where the "
            f"height is {heights[nearest]}.",
            f"去掉自己以后，最近的键在 {places[nearest]} 公里处，那里的海拔是 {heights[nearest]}。",
        )
    )
    return Item(
        say(
            "The four places are both queries and keys, and the kernel is so narrow that the "
            "nearest key takes all the weight. "
            + ("Leave-one-out is not used." if itself else "Leave-one-out is used."),
            "四个测量点既是查询，又是键。核非常窄，权重全部落在最近的键上。"
            + ("预测时不用留一法。" if itself else "预测时用留一法。"),
        ),
        ask.number(
            say(
                f"The prediction at kilometre {places[here]}",
                f"{places[here]} 公里处的预测值",
            ),
            output.round(decimals=4),
            unlike(output, mistakes, 0.1),
            within=0.1,
            said=because,
        ),
        Table(
            [f"{place} km" if lang == "en" else f"{place} 公里" for place in places],
            {say("height (100 m)", "海拔（× 100 米）"): [f"{height}" for height in heights]},
        ),
    )


@family("between-two", figure="three")
def between_two(draw: Draw, lang: Lang) -> Item:
    """Ask what the triangle kernel answers between two measurements."""
    say, part = say_in(lang), draw.in_turn([0.25, 0.5, 0.75, 0.25, 0.75])
    start = draw.whole(2, 6)
    places = [start, start + 1, start + draw.whole(3, 4)]
    heights = draw.several(range(1, 13), 3)
    query = start + part
    x, y = _row(places), _row(heights)
    output = nadaraya_watson(_row([query]), x, y, kernel=triangular)[0]
    first, second, _ = heights
    mistakes = {
        say(
            f"{float(y.mean()):.3g} is the mean of all three heights, but the last place is beyond "
            "the triangle.",
            f"{float(y.mean()):.3g} 是三处的平均，但最后一处在三角核之外，权重是 0。",
        ): y.mean(),
        say(
            "The mean of the two near heights would need equal distances.",
            "要离这两处一样远，才能取两处的平均。",
        ): (first + second) / 2,
        say(
            "The nearest height alone is the answer at the nearest place itself.",
            "查询正好落在测量点上，结果才等于最近一处的海拔。",
        ): first if part < 0.5 else second,
        say(
            "The weights belong the other way round: the nearer place weighs more.",
            "你把两个权重弄反了，离得近的一处权重更大。",
        ): part * first + (1 - part) * second,
    }
    return Item(
        say(
            "The triangle kernel is 1 at distance 0, falls evenly to 0 at distance 1 km and stays "
            "0 beyond.",
            "三角核在距离 0 处等于 1，均匀下降，到 1 公里处降为 0，再远也是 0。",
        ),
        ask.number(
            say(
                f"The answer at kilometre {query:g} (in units of 100 m)",
                f"{query:g} 公里处的预测值（× 100 米）",
            ),
            output.round(decimals=4),
            unlike(output, mistakes, 0.06),
            within=0.06,
            said=say(
                f"The distances {part:g} and {1 - part:g} give the weights {1 - part:g} and "
                f"{part:g}: {1 - part:g} · {first} + {part:g} · {second} = {float(output):g}.",
                f"距离是 {part:g} 和 {1 - part:g}，权重是 {1 - part:g} 和 {part:g}，"
                f"{1 - part:g} × {first} + {part:g} × {second} = {float(output):g}。",
            ),
        ),
        Table(
            [f"{place} km" if lang == "en" else f"{place} 公里" for place in places],
            {say("height (100 m)", "海拔（× 100 米）"): [f"{height}" for height in heights]},
        ),
        answer=f"{float(output):g}",
    )


_HIKE = Text(
    "A phone measures the height at sixteen places along a path of eight kilometres, with errors. "
    "A Gaussian kernel pools the sixteen heights; the larger w is, the narrower is the kernel.",
    "在八公里长的山路上，手机在十六处测了海拔，都有误差。我们用高斯核把十六个海拔汇聚起来，"
    "w 越大，核越窄。",
)
GIVEN = {
    "value": Text(
        "Sixteen heights along a path are pooled with a Gaussian kernel.",
        "沿山路测了十六处海拔，用高斯核汇聚。",
    ),
    "width": _HIKE,
    "itself": _HIKE,
    "edge": _HIKE,
    "path": _HIKE,
    "mia": Text(
        "The sentence is *Mia lost her key.*, and its full stop has a place of its own.",
        "两个词的距离等于位置之差。各个词依次是“小雨、丢了、钥匙、她、在、花园、里”。",
    ),
}
