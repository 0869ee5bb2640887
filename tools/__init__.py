"""Scripts behind the Makefile; each runs as `python -m tools.NAME`."""
