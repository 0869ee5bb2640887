"""Print the built book as one PDF for each language: `python -m tools.pdf`.

`part` turns a page of the site into a part of the book on paper, `book` joins the parts behind a
cover and a table of contents, and `printing` lets Chromium draw the figures and print.
"""
