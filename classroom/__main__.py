"""Open the book for a class: `python -m classroom`; on this machine alone, unless told twice."""

import argparse
import ctypes
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import psutil

from tools.ports import port_number, refusal
from tools.serve import ROOT, SITE, is_built
from tools.serving.application import is_loopback

HERE = Path(__file__).parent
PROXY = HERE / "proxy"
FOLDER = Path.home() / ".attention-class"
PORT = 8080  # not that of `make serve`
MEMORY = 1500  # MB of a kernel
IDLE = 60  # minutes that a server stays which nobody uses
SHORTEST = 8  # characters of a password, as the hub has it
GRACE = 5  # seconds for what the hub has left behind to end by itself
ADOPT = 36  # PR_SET_CHILD_SUBREAPER, of Linux


def parse(words: list[str]) -> argparse.Namespace:
    """Read the command line; refuse to let others in unless that is said as well."""
    parser = argparse.ArgumentParser(prog="python -m classroom", description=__doc__)
    parser.add_argument("--ip", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=port_number, default=PORT)
    parser.add_argument("--site", type=Path, default=SITE, help="folder of the built book")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where readers' things are")
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB that a kernel may take")
    parser.add_argument(
        "--idle",
        type=float,
        default=IDLE,
        help="minutes after which a server ends, if nobody uses it",
    )
    parser.add_argument("--password", help="of the class; by default one that is made up and kept")
    parser.add_argument("--certificate", type=Path, help="for https, with --key")
    parser.add_argument("--key", type=Path)
    parser.add_argument(
        "--trusted-room",
        action="store_true",
        help="listen at an address that other machines reach: whoever knows the password runs "
        "code as you, and can read what all others have written",
    )
    options = parser.parse_args(words)
    if not is_loopback(options.ip) and not options.trusted_room:
        parser.error(
            f"{options.ip} can be reached from other machines, and whoever knows the password runs "
            "code as you. Say --trusted-room too if you want that; SECURITY.md says what it means."
        )
    if bool(options.certificate) != bool(options.key):
        parser.error("https needs both --certificate and --key")
    if not 2 <= 60 * options.idle < float("inf"):
        parser.error(f"--idle: expected minutes, at least 2 seconds of them; got {options.idle}")
    if options.password is not None and len(options.password) < SHORTEST:
        parser.error(f"--password: expected at least {SHORTEST} characters")
    return options


def password(folder: Path) -> str:
    """Return the class's password, which is made up once."""
    file = folder / "password"
    if not file.exists():
        file.touch(0o600)
        file.write_text(secrets.token_urlsafe(9), "utf-8")
    return file.read_text("utf-8").strip()


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port: int = door.getsockname()[1]
        return port


def install_proxy() -> list[str]:
    """Get the proxy from npm, unless it is there; return the command that starts it.

    Raises:
        RuntimeError: npm's registry is out of reach.
    """
    # By itself, as the library would load torch, which is of no use here.
    ours = run_path(str(ROOT / "attention_figures/frontend.py"))
    ours["FrontEnd"](PROXY, PROXY / "built").install()
    script = PROXY / "node_modules/configurable-http-proxy/bin/configurable-http-proxy"
    return [ours["node"](), str(script)]


def answers(hub: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait for the hub; tell whether it answers, or has ended instead."""
    while process.poll() is None:
        with suppress(OSError), urlopen(f"{hub}/hub/health"):
            return True
        time.sleep(0.1)
    return False


def adopt_orphans() -> None:
    """Be the parent of whatever loses its own, so that it can be found.

    A hub that is told to end before it is ready dies at once: proxy and services, each in a session
    of its own, would live on and keep the port.
    """
    ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)


def wait_for(process: subprocess.Popen[bytes]) -> None:
    """Wait until it has ended, and let go of adopted ones that have."""
    while process.returncode is None:
        with suppress(KeyboardInterrupt):  # it is interrupted too, and ends everybody's servers
            ended, status = os.wait()
            if ended == process.pid:
                process.returncode = os.waitstatus_to_exitcode(status)


def end_orphans() -> None:
    """End whatever is left of the hub."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        left = psutil.Process().children(recursive=True)
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(sign)
        psutil.wait_procs(left, GRACE)


def main(words: list[str]) -> int:
    """Run the hub until interrupted; return 1 if there is no book or the port is taken."""
    options = parse(words)
    if not is_built(options.site):
        return 1
    if reason := refusal(options.ip, options.port):
        print(reason, file=sys.stderr)
        return 1
    proxy = install_proxy()
    folder: Path = options.folder.resolve()
    (folder / "readers").mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    scheme = "https" if options.certificate else "http"
    port = options.port or free_port()
    address = f"{scheme}://{options.ip}:{port}"
    said = options.password or password(folder)
    with TemporaryDirectory(prefix="class-") as sockets:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "CLASS_FOLDER": str(folder),
            "CLASS_SITE": str(options.site.resolve()),
            "CLASS_SOCKETS": sockets,
            "CLASS_KERNELS": f"{sockets}/kernels",
            "CLASS_MEMORY": str(options.memory * 1_000_000),
            "CLASS_IDLE": str(round(60 * options.idle)),
            "CLASS_PASSWORD": said,
            "CLASS_ADDRESS": address,
            "CLASS_HUB": f"http://127.0.0.1:{free_port()}",
            "CLASS_PROXY": "\n".join(proxy),
            "CLASS_PROXY_API": f"http://127.0.0.1:{free_port()}",
        }
        if options.certificate:
            environment["CLASS_CERTIFICATE"] = str(options.certificate.resolve())
            environment["CLASS_KEY"] = str(options.key.resolve())
        hub = [sys.executable, "-m", "jupyterhub", "-f", str(HERE / "jupyterhub_config.py")]
        adopt_orphans()
        process = subprocess.Popen(hub, cwd=folder, env=environment)
        for sign in (signal.SIGTERM, signal.SIGHUP):  # the second: the terminal was closed
            signal.signal(sign, lambda *_: process.terminate())
        with suppress(KeyboardInterrupt):
            if answers(environment["CLASS_HUB"], process):
                print(f"The class: {address}/  password: {said}  (Ctrl+C stops)", flush=True)
        wait_for(process)
        end_orphans()
    print()
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
