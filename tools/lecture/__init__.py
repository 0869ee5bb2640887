"""Serve a lecture: `python -m tools.lecture`, which `make lecture` runs.

One process has two listeners. The lecturer's, on this machine only, is the server of
`tools.serving` with commands for the room. The room's gives phones the pages of the book and takes
their guesses (`phones`); it has no kernels. `room` holds the votes and describes the messages.
"""
