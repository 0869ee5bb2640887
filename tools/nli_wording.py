"""Render a scene as an English or a Chinese sentence."""

from tools.nli_scenes import ANIMALS, Scene

ENGLISH = {
    "person": "person",
    "man": "man",
    "woman": "woman",
    "child": "child",
    "boy": "boy",
    "girl": "girl",
    "animal": "animal",
    "dog": "dog",
    "cat": "cat",
    "old": "old",
    "young": "young",
    "black": "black",
    "white": "white",
    "run": "running",
    "sleep": "sleeping",
    "read": "reading",
    "read-book": "reading a book",
    "read-newspaper": "reading a newspaper",
    "play-music": "playing an instrument",
    "play-guitar": "playing the guitar",
    "play-piano": "playing the piano",
    "play-sport": "playing a sport",
    "play-football": "playing football",
    "play-tennis": "playing tennis",
    "chase-ball": "chasing a ball",
    "chase-cat": "chasing a cat",
    "outdoors": "outdoors",
    "park": "in the park",
    "beach": "on the beach",
    "indoors": "indoors",
    "kitchen": "in the kitchen",
    "bedroom": "in the bedroom",
    "alone": "alone",
    "friend": "with a friend",
    "night": "at night",
    "noon": "at noon",
}
CHINESE = {
    "person": "一个 人",
    "man": "一个 男人",
    "woman": "一个 女人",
    "elder": "一位 老人",
    "child": "一个 孩子",
    "boy": "一个 男孩",
    "girl": "一个 女孩",
    "animal": "一只 动物",
    "dog": "一只 狗",
    "cat": "一只 猫",
    "black": "黑色 的",
    "white": "白色 的",
    "red": "穿 红 衣服 的",
    "blue": "穿 蓝 衣服 的",
    "run": "跑步",
    "sleep": "睡觉",
    "read": "阅读",
    "read-book": "看 书",
    "read-newspaper": "看 报纸",
    "play-music": "演奏 乐器",
    "play-guitar": "弹 吉他",
    "play-piano": "弹 钢琴",
    "play-sport": "运动",
    "play-football": "踢 足球",
    "play-tennis": "打 网球",
    "chase-ball": "追 球",
    "chase-cat": "追 猫",
    "outdoors": "户外",
    "park": "公园 里",
    "beach": "海滩 上",
    "indoors": "室内",
    "kitchen": "厨房 里",
    "bedroom": "卧室 里",
    "alone": "独自",
    "friend": "和 朋友 一起",
    "night": "晚上",
    "noon": "中午",
}


def english(scene: Scene, time_first: bool) -> str:
    """Render a scene in English.

    >>> english(Scene("woman", look="old", act="read", place="park", time="noon"), time_first=True)
    'At noon, an old woman is reading in the park.'
    """
    who, look, act, place, company, time = (ENGLISH.get(value, "") for value in scene)
    noun = f"{look} {who}".strip()
    article = "an" if noun[0] in "aeiou" else "a"
    rest = f"{article} {noun} is {act} {company} {place}"
    words = f"{time}, {rest}" if time and time_first else f"{rest} {time}"
    sentence = " ".join(words.split())
    return f"{sentence[0].upper()}{sentence[1:]}."


def chinese(scene: Scene, time_first: bool) -> str:
    """Render a scene in Chinese.

    >>> chinese(Scene("woman", look="red", act="read-book", place="park", time="noon"), True)
    '中午，一个穿红衣服的女人在公园里看书。'
    """
    if scene.time and time_first:
        words = [CHINESE[scene.time], "，", *chinese_words(scene._replace(time=""))]
    else:
        words = chinese_words(scene)
    return "".join([*words, "。"])


def chinese_words(scene: Scene) -> list[str]:
    """Return the words in order: time, company and place precede the verb."""
    who, look, act, place, company, time = (CHINESE.get(value, "") for value in scene)
    measure, noun = who.split()  # people are counted in 个 or, with respect, 位; animals in 只
    if scene.act == "run" and scene.who in ANIMALS.split():
        act = "奔跑"
    if not act:
        company = company.removesuffix(" 一起")  # 一起 needs a shared activity
    if place:
        place = f"在 {place}"
    elif not company:
        act = f"在 {act}"  # progressive aspect; place and company imply it
    return f"{measure} {look} {noun} {time} {company} {place} {act}".split()
