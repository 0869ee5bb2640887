"""Test the values of a class on Kubernetes, without a cluster: the pod, its server, the login."""

import asyncio
import json
import re
import sys
import tomllib
from contextlib import suppress
from copy import deepcopy
from math import ceil
from pathlib import Path
from typing import Any

import jsonschema
import psutil
import pytest
from chart import pod_and_claim, values
from jupyterhub.app import JupyterHub
from traitlets.config import Config

from benchmarks.pod import NAME, Pod, opened
from classroom import IDLE, MEMORY
from classroom.student import MAX_BYTES
from tests.coroutines import finished
from tests.dockerfile import CLASSROOM, copy, stage
from tools import limits
from tools.packages import ROOT

SCHEMA = json.loads(Path(__file__).with_name("values.schema.json").read_text("utf-8"))
GIVEN = values()
READER = GIVEN["singleuser"]


def container(pod: Any) -> Any:
    (one,) = pod["spec"]["containers"]
    return one


def environment(pod: Any) -> dict[str, str]:
    return {one["name"]: one.get("value", "") for one in container(pod)["env"]}


def image_says() -> dict[str, str]:
    """Return the last instruction of each name in the stage that makes the pod's image."""
    return dict(stage(CLASSROOM))


def test_the_chart_knows_every_value_and_its_type() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.validate(GIVEN, SCHEMA, jsonschema.Draft7Validator)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("singleuser.memory.limits", "2G"),
        ("singleuser.networkPolicy.egressAllowRules.nonPrivateIps", False),
        ("singleuser.storage.dynamic.storageAccessModes", "ReadWriteOnce"),
        ("cull.enabled", "yes"),
        ("hub.activeServerLimit", "1000"),
    ],
)
def test_a_value_that_the_chart_does_not_know_is_refused(path: str, value: object) -> None:
    broken = deepcopy(GIVEN)
    *above, last = path.split(".")
    tree = broken
    for name in above:
        tree = tree[name]
    tree[last] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA, jsonschema.Draft7Validator)


def test_a_pod_has_limits_that_leave_room_for_its_kernel() -> None:
    resources = container(pod_and_claim(NAME)[0])["resources"]
    limit, guarantee = resources["limits"], resources["requests"]
    assert limit["memory"] == 2 * 1024**3
    assert guarantee["memory"] == 768 * 1024**2
    assert limit["cpu"] == 1
    assert guarantee["cpu"] == 0.05
    # A kernel that takes too much gets an error before the pod is killed.
    assert MEMORY * 1e6 < limits.POD_MEMORY * 1e6 < limit["memory"]


def test_a_pod_is_not_root_and_can_change_nothing_but_its_volumes() -> None:
    pod = pod_and_claim(NAME)[0]
    assert container(pod)["securityContext"] == {
        "runAsUser": 1000,
        "runAsGroup": 100,
        "runAsNonRoot": True,
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    assert pod["spec"]["securityContext"] == {"fsGroup": 100}
    assert pod["spec"]["automountServiceAccountToken"] is False
    assert image_says()["USER"] == "1000:100"


def test_a_pod_runs_the_books_image_and_its_command() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    one = container(pod_and_claim(NAME)[0])
    assert one["image"] == f"registry.example.org/attention:{version}"
    assert "command" not in one  # which would replace the image's own entry point
    assert (
        one["args"] == json.loads(image_says()["CMD"]) == ["python", "-m", "classroom.kubernetes"]
    )
    assert one["ports"] == [{"containerPort": int(image_says()["EXPOSE"]), "name": "notebook-port"}]
    assert "ENTRYPOINT" not in image_says()


def test_each_reader_has_a_pod_and_a_volume_of_their_own() -> None:
    """Names that differ in what Kubernetes does not allow in a name must not meet."""
    names = ["ann", "Ann", "ann@x", "ann-x", "../ann", "安"]
    built = [pod_and_claim(name) for name in names]
    assert len({pod["metadata"]["name"] for pod, _ in built}) == len(names)
    assert len({claim["metadata"]["name"] for _, claim in built}) == len(names)
    for pod, claim in built:
        assert claim["spec"]["accessModes"] == ["ReadWriteOnce"]
        assert claim["spec"]["resources"]["requests"] == {"storage": "1Gi"}
        progress, temporary = pod["spec"]["volumes"]
        assert progress["persistentVolumeClaim"] == {"claimName": claim["metadata"]["name"]}
        assert temporary["emptyDir"] == {"sizeLimit": "256Mi"}
        home = image_says()["ENV"].split()[0].removeprefix("HOME=")
        assert container(pod)["volumeMounts"] == [
            {"name": progress["name"], "mountPath": home},
            {"name": temporary["name"], "mountPath": "/tmp"},
        ]


def test_a_pods_environment_has_one_thread_and_its_own_secret_only() -> None:
    said = environment(pod_and_claim(NAME)[0])
    assert said["OMP_NUM_THREADS"] == "1"
    assert said["JUPYTERHUB_API_URL"] == "http://hub:8081/hub/api"
    secret = {name for name, value in said.items() if value == "of-the-server"}
    assert secret == {"JUPYTERHUB_API_TOKEN", "JPY_API_TOKEN"}


def test_a_value_that_is_not_mapped_is_noticed() -> None:
    more = deepcopy(GIVEN)
    more["singleuser"]["defaultUrl"] = "/lab"
    with pytest.raises(KeyError, match="defaultUrl"):
        pod_and_claim(NAME, more)


def test_code_in_a_pod_reaches_the_hub_and_dns_only() -> None:
    policy = READER["networkPolicy"]
    assert policy["enabled"] is True
    rules = {name for name, value in policy["egressAllowRules"].items() if value is False}
    assert rules == {"cloudMetadataServer", "nonPrivateIPs", "privateIPs"}
    assert policy.keys() == {"enabled", "egressAllowRules"}  # nothing else is let in or out


def test_an_unused_server_ends_as_in_a_class_on_one_machine() -> None:
    cull = GIVEN["cull"]
    assert cull["enabled"] is True
    assert cull["timeout"] == 60 * IDLE
    assert cull["every"] <= cull["timeout"]
    assert cull["maxAge"] == 12 * 3600  # the end also of a cell that prints for ever


def measured(row: str) -> float:
    """Return the number of a row in RESULTS.md."""
    text = (ROOT / "benchmarks/RESULTS.md").read_text("utf-8")
    (number,) = re.findall(rf"^\| {re.escape(row)} \| ([\d.,]+) ", text, re.MULTILINE)
    return float(number.replace(",", ""))


def numbers(page: str) -> list[float]:
    """Return the numbers in the tables of a page, without the first column."""
    rows = re.findall(r"^\|[^|]*\|(.*\d.*)\|$", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    found = re.findall(r"\d[\d.,]*", "|".join(rows))
    return [float(number.rstrip(",.").replace(",", "")) for number in found]


def test_the_page_on_a_thousand_readers_has_our_numbers() -> None:
    """It rounds what was measured, which differs from run to run, the time more than the memory."""
    resources = container(pod_and_claim(NAME)[0])["resources"]
    memory, cores = resources["requests"]["memory"], resources["requests"]["cpu"]
    start = measured("a pod until then: processor time")
    chapter = measured("all cells of a chapter: processor time, median")
    per_node = min(int(0.9 * 64 * 1024**3 // memory), int(0.9 * 16 // cores))
    readers, some = 1000, 200
    expected = [
        (memory / 1024**2, 0),
        (measured("memory of a pod before its first kernel"), 0.2),
        (measured("memory of a pod at the end of a chapter, median"), 0.2),
        (resources["limits"]["memory"] / 1024**3, 0),
        (measured("memory of a pod while any chapter runs, at most"), 0.3),
        (MEMORY, 0),
        (cores, 0),
        (resources["limits"]["cpu"], 0),
        (1, 0),  # GiB of a volume
        (MAX_BYTES / 1e6, 0),
        (start, 0.5),
        (chapter, 0.5),
        (measured("all cells of a chapter: processor time, at most"), 0.5),
        (1000 * measured("memory of a class of 30, shared parts once") / 30, 0.2),
        (readers * memory / 1024**3, 0),
        (readers * cores, 0),
        (readers * start / 600, 0.5),
        (readers * chapter / 3600, 0.5),
        (readers, 0),
        (per_node, 0),
        (ceil(readers / per_node), 0),
        (ceil(some / per_node), 0),
    ]
    said = numbers("docs/thousand-readers.md")
    assert said == numbers("docs/thousand-readers.zh.md")
    assert len(said) == len(expected)
    for number, (right, tolerance) in zip(said, expected, strict=True):
        assert number == pytest.approx(right, rel=tolerance or 0.01)


def test_the_login_is_oauth_and_its_secret_is_not_in_the_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OAUTH_CLIENT_SECRET", "of-the-hub")
    config = GIVEN["hub"]["config"]
    named = JupyterHub(config=Config(JupyterHub=config["JupyterHub"])).authenticator_class
    assert f"{named.__module__}.{named.__name__}" == "oauthenticator.generic.GenericOAuthenticator"
    said = config["GenericOAuthenticator"]
    assert set(said) <= set(named.class_trait_names(config=True))
    assert not {"client_secret"} & set(said)
    login = named(config=Config(GenericOAuthenticator=said))
    addresses = [login.oauth_callback_url, login.authorize_url, login.token_url, login.userdata_url]
    assert all(one.startswith("https://") for one in addresses)
    assert (
        login.oauth_callback_url
        == f"https://{GIVEN['proxy']['https']['hosts'][0]}/hub/oauth_callback"
    )
    assert login.client_secret == "of-the-hub"
    assert login.user_info_to_username({"sub": "a1b2", "name": "Ann"}) == "a1b2"


def forks(pod: Pod) -> list[psutil.Process]:
    """Return the process that forks kernels, unless it has ended."""
    found = []
    for one in pod.process.children():
        with suppress(psutil.NoSuchProcess):  # also what has ended and is still listed
            if any(word.endswith("kernels.py") for word in one.cmdline()):
                found.append(one)
    return found


def test_the_pods_command_serves_its_reader_and_keeps_progress(site: Path, tmp_path: Path) -> None:
    """Run the pod's command with its environment and the image's files, and a stand-in for the hub.

    Python and its packages are those of the tests.
    """
    pod = pod_and_claim(NAME)[0]
    _, *words = container(pod)["args"]
    book, home = tmp_path / "book", tmp_path / "home"
    home.mkdir()
    variables = {**environment(pod), "HOME": str(home), "CLASS_SITE": str(site)}
    for name, rest in stage(CLASSROOM):
        if name == "COPY" and "--from" not in rest:
            copy(rest, book, {None: ROOT})

    async def use() -> None:
        async with opened(variables, [sys.executable, *words], book) as here:
            reader = here.reader
            async with reader.kernel() as kernel:
                said = await kernel.run(
                    "import resource, torch\n"
                    "print(torch.get_num_threads(), *resource.getrlimit(resource.RLIMIT_DATA))"
                )
                assert said.text == f"1 {MEMORY}000000 {MEMORY}000000\n", said.error
                full = await kernel.run("filled = [torch.ones(10_000_000) for _ in range(100)]")
                assert "memory" in full.error.lower()
                assert (await kernel.run("6 * 7")).text == "42"
            stored = await reader.ask("progress", "PUT", json={"solved": ["a"]})
            assert stored.status == 204
            del reader.http.headers["Authorization"]
            assert (await reader.ask("progress")).status == 403
            assert (await reader.ask("api/kernels", "POST", json={})).status == 403
            (forking,) = forks(here)
            forking.kill()
            async with asyncio.timeout(30):
                while forks(here) in ([], [forking]):
                    await asyncio.sleep(0.1)
            remaining.extend(one.pid for one in here.tree())

    remaining: list[int] = []
    finished(use())
    assert json.loads((home / "progress.json").read_text("utf-8")) == {"solved": ["a"]}
    assert remaining
    assert not [pid for pid in remaining if Path(f"/proc/{pid}").exists()]
