"""Store each chapter's questions for review in its notebook, in five variants each.

A family asks for the idea of one of the chapter's figures with other numbers or words each time.
The front page asks its variants days after the reader has met the figure (book/web/review).
"""

from attention_course.review.sheet import review_variants

__all__ = ["review_variants"]
