"""Serve the book as `make serve` does, with forked kernels: a program, told of their kind first."""

import json
import sys

from tools.serving.__main__ import main
from tools.serving.spare import OneKind

if __name__ == "__main__":
    kind = json.loads(sys.argv[1])
    *OneKind.command, OneKind.argument = kind["argv"]
    OneKind.interrupt_mode = kind["interrupt_mode"]
    sys.exit(main(sys.argv[2:]))
