"""Configure JupyterHub for one trusted room; `python -m classroom` sets the environment."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classroom.password import ClassPassword, ascii_form
from tools.serving.application import jupyter_directories

if TYPE_CHECKING:
    from traitlets.config import Config

    def get_config() -> Config: ...


HERE = Path(__file__).parent
IDLE = int(os.environ["CLASS_IDLE"])  # seconds before an unused server is culled
ACTIVITY = max(1, min(300, IDLE // 4))  # seconds between two activity reports to the hub
folder, sockets = os.environ["CLASS_FOLDER"], os.environ["CLASS_SOCKETS"]
c: Any = get_config()


def _private(name: str) -> Any:
    """Return a callable for a reader's private folder; paths of sockets must be short."""
    return lambda spawner: jupyter_directories(f"{sockets}/{spawner.user.id}")[name]


c.JupyterHub.bind_url = os.environ["CLASS_ADDRESS"]
c.JupyterHub.hub_bind_url = os.environ["CLASS_HUB"]
c.JupyterHub.ssl_cert = os.environ.get("CLASS_CERTIFICATE", "")
c.JupyterHub.ssl_key = os.environ.get("CLASS_KEY", "")
c.JupyterHub.db_url = f"sqlite:///{folder}/hub.sqlite"
c.JupyterHub.cookie_secret_file = f"{folder}/cookie_secret"
c.JupyterHub.log_level = "ERROR"
c.ConfigurableHTTPProxy.command = os.environ["CLASS_PROXY"].split("\n")
c.ConfigurableHTTPProxy.api_url = os.environ["CLASS_PROXY_API"]
c.ConfigurableHTTPProxy.pid_file = f"{folder}/proxy.pid"
c.ConfigurableHTTPProxy.log_level = "error"

c.JupyterHub.authenticator_class = ClassPassword
c.ClassPassword.user_password = ascii_form(os.environ["CLASS_PASSWORD"])
c.Authenticator.allow_all = True
c.Authenticator.username_pattern = r"[^\W_][\w-]{0,31}\Z"  # also the name of a folder

c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = f"{folder}/readers/{{username}}"
c.Spawner.cmd = [sys.executable, "-c", "from classroom.student import main; main()"]
c.Spawner.environment = {
    "PYTHONPATH": str(HERE.parent),
    "JUPYTERHUB_ACTIVITY_INTERVAL": str(ACTIVITY),
    **{name: os.environ[name] for name in ("CLASS_SITE", "CLASS_KERNELS", "CLASS_MEMORY")},
    **{name: _private(name) for name in jupyter_directories("")},
}
c.Spawner.start_timeout = c.Spawner.http_timeout = 120

c.JupyterHub.load_roles = [
    {
        "name": "culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["culler"],
    }
]
c.JupyterHub.services = [
    {
        "name": "kernels",
        "command": [sys.executable, "-P", str(HERE / "kernels.py"), os.environ["CLASS_KERNELS"]],
        "environment": {"CLASS_MEMORY": os.environ["CLASS_MEMORY"]},
    },
    {
        "name": "culler",
        "command": [
            *(sys.executable, "-m", "jupyterhub_idle_culler"),
            *(f"--timeout={IDLE}", "--Application.log_level=ERROR"),
        ],
    },
]
