"""Provide the course: texts and questions of each chapter's figures, exercises, data and models.

Each chapter has a file, with both languages side by side. Importing the package registers a Chinese
font with matplotlib.
"""

from attention_course import fonts

fonts.register()
