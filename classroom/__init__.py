"""Serve the book to a class in a trusted room, with a login and kernels for each reader.

`python -m classroom`, which `make class` runs, starts JupyterHub (`jupyterhub_config`). Each reader
has their own server (`student`). Its kernels are forked from one process that has loaded torch
(`kernels`, requested by `ask_for_kernel`), so that the kernels share memory. `proxy` contains the
hub's proxy, an npm package. SECURITY.md describes what this does not prevent. `kubernetes` gives
each reader a pod instead.
"""

from typing import Any

MEMORY = 1500  # MB per kernel
IDLE = 60  # minutes before an unused server is culled


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    """Register `Student` as an extension of Jupyter Server."""
    from classroom.student import Student

    return [{"module": "classroom.student", "app": Student}]
