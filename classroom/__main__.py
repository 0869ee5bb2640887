"""Serve the book to a class (localhost unless you pass --ip and --trusted-room)."""

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

from classroom import IDLE, MEMORY
from tools.ports import port_number, refusal
from tools.serve import ROOT, SITE, is_built
from tools.serving.application import is_loopback

HERE = Path(__file__).parent
PROXY = HERE / "proxy"
FOLDER = Path.home() / ".attention-class"
PORT = 8080  # other than that of `make serve`
SHORTEST = 8  # characters of a password, as JupyterHub requires
GRACE_PERIOD = 5  # seconds for orphaned processes to exit on SIGTERM
SET_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER (Linux)


def parse(words: list[str]) -> argparse.Namespace:
    """Parse the command line; refuse a public address without --trusted-room."""
    parser = argparse.ArgumentParser(prog="python -m classroom", description=__doc__)
    parser.add_argument("--ip", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=port_number, default=PORT)
    parser.add_argument("--site", type=Path, default=SITE, help="folder of the built book")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where readers' files are kept")
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB that a kernel may take")
    parser.add_argument(
        "--idle",
        type=float,
        default=IDLE,
        help="minutes after which an unused server is stopped",
    )
    parser.add_argument(
        "--password", help="of the class; by default a random one, kept in the folder"
    )
    parser.add_argument("--certificate", type=Path, help="for https, with --key")
    parser.add_argument("--key", type=Path)
    parser.add_argument(
        "--trusted-room",
        action="store_true",
        help="listen on an address that other machines can reach: anyone with the password runs "
        "code as you, and can read the files of all readers",
    )
    options = parser.parse_args(words)
    if not is_loopback(options.ip) and not options.trusted_room:
        parser.error(
            f"{options.ip} can be reached from other machines, and anyone with the password runs "
            "code as you. Add --trusted-room to allow that; SECURITY.md describes the risk."
        )
    if bool(options.certificate) != bool(options.key):
        parser.error("https needs both --certificate and --key")
    if not 2 <= 60 * options.idle < float("inf"):
        parser.error(f"--idle: expected minutes, at least 2 seconds of them; got {options.idle}")
    if options.password is not None and len(options.password) < SHORTEST:
        parser.error(f"--password: expected at least {SHORTEST} characters")
    return options


def password(folder: Path) -> str:
    """Return the class's password; generate and store it the first time."""
    file = folder / "password"
    if not file.exists():
        file.touch(0o600)
        file.write_text(secrets.token_urlsafe(9), "utf-8")
    return file.read_text("utf-8").strip()


def free_port() -> int:
    """Return a free port on localhost."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def install_proxy() -> list[str]:
    """Install the proxy from npm if it is missing; return the command that starts it.

    Raises:
        RuntimeError: the npm registry cannot be reached.
    """
    # Run the file by its path: importing its package would load torch.
    frontend = run_path(str(ROOT / "attention_figures/frontend.py"))
    frontend["FrontEnd"](PROXY, PROXY / "built").install()
    script = PROXY / "node_modules/configurable-http-proxy/bin/configurable-http-proxy"
    return [frontend["node"](), str(script)]


def wait_until_ready(hub: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until the hub responds; return False if it has exited."""
    while process.poll() is None:
        with suppress(OSError), urlopen(f"{hub}/hub/health"):
            return True
        time.sleep(0.1)
    return False


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants, so that we can find them.

    A hub that is stopped before it is ready dies at once; its proxy and services, each in its own
    session, would survive and keep the port.
    """
    ctypes.CDLL(None).prctl(SET_SUBREAPER, 1, 0, 0, 0)


def wait_for(process: subprocess.Popen[bytes]) -> None:
    """Wait until the process exits, and reap adopted processes."""
    while process.returncode is None:
        with suppress(KeyboardInterrupt):  # the hub is interrupted too, and stops all servers
            ended, status = os.wait()
            if ended == process.pid:
                process.returncode = os.waitstatus_to_exitcode(status)


def kill_orphans() -> None:
    """Terminate the remaining descendants of the hub."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        remaining = psutil.Process().children(recursive=True)
        for process in remaining:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(sign)
        psutil.wait_procs(remaining, GRACE_PERIOD)


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
    class_password = options.password or password(folder)
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
            "CLASS_PASSWORD": class_password,
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
        for sign in (signal.SIGTERM, signal.SIGHUP):  # SIGHUP: the terminal was closed
            signal.signal(sign, lambda *_: process.terminate())
        with suppress(KeyboardInterrupt):
            if wait_until_ready(environment["CLASS_HUB"], process):
                print(
                    f"The class: {address}/  password: {class_password}  (Ctrl+C stops)", flush=True
                )
        wait_for(process)
        kill_orphans()
    print()
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
