"""Serve the book with Jupyter kernels: `python -m tools.serving`, which `make serve` runs.

A Jupyter Server reduced to kernels (`application`) also serves the pages of the site (`site`). A
spare kernel is always running with torch loaded (`spare`, `preloaded`). SECURITY.md describes the
threats and the defences.
"""
