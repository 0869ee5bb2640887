"""List the locales of figures, exercises and sentence pairs, and the characters of Chinese."""

LANGUAGES = ("en", "zh")
# A character class for a regular expression: letters and numerals of Unicode's script Han
# (including 々 and 〇) and 〆. Planes 2 and 3 are reserved for ideographs, so both are included.
HAN = (
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00016fe3\U00016ff0-\U00016fff\U00020000-\U0003fffd"
)
