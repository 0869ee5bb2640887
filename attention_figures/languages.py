"""The languages that figures, exercises and sentence pairs speak, by their codes."""

LANGUAGES = ("en", "zh")
# For a class of characters in a regular expression: letters and numerals of Unicode's script Han,
# among them 々 and 〇, and 〆. All of planes 2 and 3 is kept for ideographs, those that a later
# Unicode adds too.
HAN = (
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00016fe3\U00016ff0-\U00016fff\U00020000-\U0003fffd"
)
