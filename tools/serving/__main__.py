"""Serve the built book with kernels (localhost unless you pass --ip and --others-may-run-code)."""

import argparse
import sys
from pathlib import Path

from tools.ports import port_number, refusal
from tools.serve import LOCAL, SITE, USUAL_PORT, is_built
from tools.serving.application import book_server, is_loopback


def parse(words: list[str]) -> argparse.Namespace:
    """Parse the command line; refuse a public address without --others-may-run-code."""
    parser = argparse.ArgumentParser(prog="python -m tools.serving", description=__doc__)
    parser.add_argument("--ip", default=LOCAL, help="address to listen on")
    parser.add_argument(
        "--port", type=port_number, help=f"by default {USUAL_PORT}, or another if that is in use"
    )
    parser.add_argument("--site", type=Path, default=SITE, help="folder of the built book")
    parser.add_argument(
        "--others-may-run-code",
        action="store_true",
        help="listen on an address that other machines can reach: anyone who reads the token on "
        "the network, which is not encrypted, runs code as you",
    )
    options = parser.parse_args(words)
    if not is_loopback(options.ip) and not options.others_may_run_code:
        parser.error(
            f"{options.ip or 'every address'} can be reached from other machines, and anyone "
            "who learns the token runs code as you. Add --others-may-run-code to allow that; "
            "SECURITY.md describes the risk."
        )
    return options


def main(words: list[str]) -> int:
    """Serve until interrupted; return 1 if there is no book or no such port."""
    options = parse(words)
    if not is_built(options.site):
        return 1
    if reason := refusal(options.ip, options.port or 0):
        print(reason, file=sys.stderr)
        return 1
    port = USUAL_PORT if options.port is None else options.port
    with book_server(options.site, options.ip, port) as app:
        app.start()
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
