"""Turn values of Zero to JupyterHub into the pod of a reader, as its hub does, without a cluster.

The chart's own `jupyterhub_config.py` maps `singleuser` to settings of KubeSpawner. Here the same
is done for the values that we set. A value of ours that is not mapped is an error.
"""

import warnings
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import yaml
from kubernetes_asyncio.client import ApiClient
from traitlets.config import Config

from tests.coroutines import finished
from tools.packages import ROOT

with warnings.catch_warnings():  # it declares a trait as traitlets no longer likes
    warnings.simplefilter("ignore", DeprecationWarning)
    from kubespawner import KubeSpawner

VALUES = ROOT / "classroom/kubernetes/values.yaml"
TRAITS = {
    "cmd": "cmd",
    "uid": "uid",
    "fsGid": "fs_gid",
    "memory.limit": "mem_limit",
    "memory.guarantee": "mem_guarantee",
    "cpu.limit": "cpu_limit",
    "cpu.guarantee": "cpu_guarantee",
    "extraEnv": "environment",
    "storage.capacity": "storage_capacity",
    "storage.dynamic.pvcNameTemplate": "pvc_name_template",
    "storage.dynamic.storageAccessModes": "storage_access_modes",
}
# Values that are mapped together, and those that Helm's templates read and the hub does not.
OTHERS = {
    *("image.name", "image.tag"),
    *("storage.type", "storage.homeMountPath", "storage.dynamic.volumeNameTemplate"),
    *("storage.extraVolumes", "storage.extraVolumeMounts"),
    "networkPolicy",
}


def values() -> Any:
    """Return our values."""
    return yaml.safe_load(VALUES.read_text("utf-8"))


def leaves(tree: dict[str, Any], above: str = "") -> dict[str, Any]:
    """Return the values by their paths, down to those that are mapped as a whole."""
    found = {}
    for key, value in tree.items():
        path = f"{above}{key}"
        if isinstance(value, dict) and path not in TRAITS | dict.fromkeys(OTHERS):
            found |= leaves(value, f"{path}.")
        else:
            found[path] = value
    return found


def spawner_settings(given: Any) -> dict[str, Any]:
    """Return the settings of KubeSpawner that the chart makes of our values.

    Raises:
        KeyError: a value is not mapped here.
    """
    said = leaves(given["singleuser"])
    if unknown := said.keys() - TRAITS.keys() - OTHERS:
        raise KeyError(f"not mapped: {sorted(unknown)}")
    if said["storage.type"] != "dynamic":
        raise KeyError("only storage of type dynamic is mapped")
    name = said["storage.dynamic.volumeNameTemplate"]
    claim = {"name": name, "persistentVolumeClaim": {"claimName": "{pvc_name}"}}
    mounts = [{"name": name, "mountPath": said["storage.homeMountPath"]}]
    return {
        **{trait: said[path] for path, trait in TRAITS.items() if path in said},
        "image": f"{said['image.name']}:{said['image.tag']}",
        "storage_pvc_ensure": True,
        "volumes": [claim, *said["storage.extraVolumes"]],
        "volume_mounts": [*mounts, *said["storage.extraVolumeMounts"]],
        **given["hub"]["config"]["KubeSpawner"],
    }


def pod_and_claim(name: str, given: Any = None) -> tuple[Any, Any]:
    """Let KubeSpawner build a reader's pod and the claim of its volume, as Kubernetes gets them."""
    return finished(_built(name, Config(KubeSpawner=spawner_settings(given or values()))))


async def _built(name: str, config: Config) -> tuple[Any, Any]:
    user = SimpleNamespace(name=name, id=1, url=f"/user/{name}/", escaped_name=name)
    hub = SimpleNamespace(api_url="http://hub:8081/hub/api", base_url="/hub/", public_host="")
    # They connect to the cluster, whose answers only matter when a pod is started.
    with patch("kubespawner.spawner.load_config"), patch("kubespawner.spawner.shared_client"):
        spawner = KubeSpawner(user=user, hub=hub, api_token="of-the-server", config=config)
    async with ApiClient() as client:
        plain = client.sanitize_for_serialization
        return plain(await spawner.get_pod_manifest()), plain(spawner.get_pvc_manifest())
