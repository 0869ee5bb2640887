"""The book for a class in one trusted room: a login, and a kernel for each reader.

`python -m classroom`, which `make class` runs, starts JupyterHub (`jupyterhub_config`). Each reader
has a server of their own (`student`), and its kernels are forked (`kernels`, asked by
`ask_for_kernel`) from one process that has loaded torch, so that a class shares its memory. `proxy`
holds the hub's proxy, a package of npm's. SECURITY.md says what this does not prevent.
"""

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    """Tell Jupyter Server of the extension that `Student` is."""
    from classroom.student import Student

    return [{"module": "classroom.student", "app": Student}]
