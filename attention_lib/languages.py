"""The languages that figures, exercises and sentence pairs speak, by their codes."""

LANGUAGES = ("en", "zh")
