"""Serve kernels as a server on Binder does: below a path, with a token, for pages of all origins.

Binder starts a Jupyter server with `base_url`, `token`, `allow_origin` and `allow_origin_pat`
(https://github.com/jupyterhub/binderhub, binderspawner_mixin.py); mybinder.org allows all origins.
"""

import json
import sys
from pathlib import Path

from tools.serving.application import BookServer, book_server
from tools.serving.spare import SingleKernelSpec

BASE = "/user/someone-attention-0a1b2c3d/"


class BinderServer(BookServer):
    """The kernels of `make serve`, with CORS as on Binder."""

    def init_webapp(self) -> None:
        """Set what Binder passes on the command line, before the handlers are made."""
        self.base_url, self.allow_origin, self.allow_origin_pat = BASE, "*", ".*"
        super().init_webapp()


if __name__ == "__main__":
    kind = json.loads(sys.argv[1])
    *SingleKernelSpec.command, SingleKernelSpec.argument = kind["argv"]
    SingleKernelSpec.interrupt_mode = kind["interrupt_mode"]
    options = dict(word.removeprefix("--").split("=", 1) for word in sys.argv[2:])
    with book_server(Path(options["site"]), port=int(options["port"]), kind=BinderServer) as app:
        app.start()
