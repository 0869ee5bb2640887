"""Serve the book as `make serve` does, with forked kernels; their kernel spec is an argument."""

import json
import sys

from tools.serving.__main__ import main
from tools.serving.spare import SingleKernelSpec

if __name__ == "__main__":
    kind = json.loads(sys.argv[1])
    *SingleKernelSpec.command, SingleKernelSpec.argument = kind["argv"]
    SingleKernelSpec.interrupt_mode = kind["interrupt_mode"]
    sys.exit(main(sys.argv[2:]))
