"""Exercises that take an answer where they stand: on the page, and in JupyterLab."""
