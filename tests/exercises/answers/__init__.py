"""Answers to the exercises, a file each, named for the exercise.

RIGHT and WRONG are answers by name: right in unusual ways, and wrong in subtle ones (a docstring or
a comment says how). FORBIDDEN are right in ways that the task rules out, each with a part of what
is said to it. NAMED gives, for a wrong answer, the mistake of the exercise's table that it
truly makes, or two as "one + other": the verdict may name that and nothing else.
"""
