"""Ask a reader twenty questions on attention, before and after the course.

Every wrong option is a known misconception with its source, which readers see in their result.
"""

from attention_course.stand.page import questionnaire

__all__ = ["questionnaire"]
