"""The book with a kernel behind it: `python -m tools.serving`, which is what `make serve` runs.

Jupyter Server, stripped to its kernels (`application`), beside the pages of the site (`site`). A
kernel stands ready with torch loaded (`spare`, `preloaded`). SECURITY.md says against whom all
this is guarded, and how.
"""
