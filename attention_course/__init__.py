"""What the chapters' figures say and ask, in both languages: one file a chapter.

Beside the chapters lie their exercises, their data, and models that are trained on these. Importing
the course lets matplotlib write Chinese.
"""

from attention_course import fonts

fonts.register()
