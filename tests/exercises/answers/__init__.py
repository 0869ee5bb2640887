"""List answers to the exercises, one file per exercise.

RIGHT and WRONG map names to answers: right in unusual ways, and wrong in subtle ones (explained in
a docstring or comment). FORBIDDEN are right but use a method that the task forbids; each comes with
a part of its verdict. NAMED maps a wrong answer to the mistake of the exercise's table that it
truly makes, or to two as "one + other": the verdict may name these and no others. MESSAGES maps
other wrong answers to a part of their verdict.
"""
