"""Label the sentence pairs independently of their generator, by possible-world semantics.

Each word is true in a set of worlds. A premise entails a hypothesis that is true in all worlds of
the premise, contradicts one that is true in none of them, and is otherwise neutral. No code is
shared with the generator. As in SNLI, both sentences describe the same individual at the same
moment.
"""

import re

WORLDS = {
    "who": "man woman old-man old-woman boy girl dog cat bird",
    "look": "old young black white red blue plain",
    "act": "nothing run sleep book newspaper letter guitar piano drum football tennis golf "
    "ball cat",
    "place": "park beach hill kitchen bedroom hall",
    "company": "nobody friend crowd",
    "time": "night noon morning",
}
# Activities that are possible at once: these pairs are worlds too.
TOGETHER = ("run football", "run tennis", "run ball", "run cat", "football ball", "tennis ball")

WORDS = {
    "who": {
        "person 人": "man woman old-man old-woman boy girl",
        "man 男人": "man old-man",
        "woman 女人": "woman old-woman",
        "老人": "old-man old-woman",
        "child 孩子": "boy girl",
        "boy 男孩": "boy",
        "girl 女孩": "girl",
        "animal 动物": "dog cat bird",
        "dog 狗": "dog",
        "cat 猫": "cat",
    },
    "look": {
        "old": "old",
        "young": "young",
        "black 黑色": "black",
        "white 白色": "white",
        "红": "red",
        "蓝": "blue",
    },
    "act": {
        "running 跑步 奔跑": "run",
        "sleeping 睡觉": "sleep",
        "reading 看 阅读": "book newspaper letter",
        "book 书": "book",
        "newspaper 报纸": "newspaper",
        "playing": "guitar piano drum football tennis golf",
        "instrument 演奏 乐器 弹": "guitar piano drum",
        "guitar 吉他": "guitar",
        "piano 钢琴": "piano",
        "sport": "football tennis golf",
        "运动": "football tennis golf run",
        "football 足球 踢": "football",
        "tennis 网球 打": "tennis",
        "chasing 追": "ball cat",
        "ball 球": "ball",
        "chased-cat": "cat",
    },
    "place": {
        "outdoors 户外": "park beach hill",
        "park 公园": "park",
        "beach 海滩": "beach",
        "indoors 室内": "kitchen bedroom hall",
        "kitchen 厨房": "kitchen",
        "bedroom 卧室": "bedroom",
    },
    "company": {"alone 独自": "nobody", "friend 朋友": "friend"},
    "time": {"night 晚上": "night", "noon 中午": "noon"},
}
FUNCTION_WORDS = "a an is in on at the with 一个 一位 一只 穿 衣服 的 在 里 上 和 一起"

World = frozenset[str]


def judge(premise: list[str], hypothesis: list[str]) -> str:
    """Label a pair of tokenised sentences.

    Raises:
        ValueError: a word is unknown.

    >>> judge("a dog is sleeping".split(), "an animal is outdoors".split())
    'neutral'
    """
    worlds = [(truth(premise, slot), truth(hypothesis, slot)) for slot in WORLDS]
    if any(p.isdisjoint(h) for p, h in worlds):
        return "contradiction"
    return "entailment" if all(p <= h for p, h in worlds) else "neutral"


def truth(words: list[str], slot: str) -> set[World]:
    """Return the worlds of a slot in which all the words are true."""
    text = re.sub(r"chasing a cat|追 猫", "chasing chased-cat", " ".join(words))
    worlds = _worlds(slot)
    for word in text.split():
        if word not in FUNCTION_WORDS.split() and _slot(word) == slot:
            worlds = {world for world in worlds if world & _MEANINGS[slot][word]}
    return worlds


def _worlds(slot: str) -> set[World]:
    both = TOGETHER if slot == "act" else ()
    return {frozenset(world.split()) for world in (*WORLDS[slot].split(), *both)}


def _slot(word: str) -> str:
    for slot, meanings in _MEANINGS.items():
        if word in meanings:
            return slot
    raise ValueError(f"the judge must know every word; got {word!r}")


_MEANINGS = {
    slot: {
        word: frozenset(meaning.split())
        for words, meaning in meanings.items()
        for word in words.split()
    }
    for slot, meanings in WORDS.items()
}
