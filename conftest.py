"""Put `torch` into the doctest namespace, turn skips into failures, and group the tests."""

import gc
import importlib
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from tests import forked

# Also for the notebooks' kernels: with small tensors, threads mostly wait for each other.
os.environ["OMP_NUM_THREADS"] = "1"  # before anything loads torch

# Thousands of tests and parsed pages stay in memory: Python's default garbage collection would take
# a twentieth of the time of all tests.
gc.set_threshold(50_000, 20, 20)

# Background jobs of a shell ignore SIGINT; processes that tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent / "tests"
RERUNS = int(os.environ.get("RERUNS", "0"))  # .ci/run sets it
# Tests that wait for other processes: servers, kernels, a hub, an answer with a time limit.
WAITS_FOR_PROCESSES = [TESTS / name for name in ("classroom", "exercises", "lab", "serving")]

# As doctest modules their names would clash; pytest still loads them as conftests.
collect_ignore_glob = ["tests/*conftest.py"]
# The first has no doctest and imports the compiler; the second only runs in Jupyter, and the third
# only in MicroPython.
collect_ignore = [
    "attention_lib/_graph.py",
    "tools/lab/jupyter_server_config.py",
    "book/web/torch/python",
    "book/web/judge",
]


@pytest.fixture(autouse=True)
def _doctest_names(request: pytest.FixtureRequest, doctest_namespace: dict[str, object]) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        doctest_namespace["torch"] = importlib.import_module("torch")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make exhaustive`."""
    parser.addoption("--exhaustive", action="store_true", help="run the redundant variants too")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect redundant variants unless --exhaustive, and add markers.

    `pytest -m "not browser"` deselects the tests that drive a browser.

    All tests of a file run in one xdist worker, since the cells of a notebook depend on each other,
    and servers and kernels are fixtures of a file. Tests of the site define their own groups.
    """
    if not config.getoption("exhaustive"):
        kept, redundant = list[pytest.Item](), list[pytest.Item]()
        for item in items:
            (redundant if item.get_closest_marker("exhaustive") else kept).append(item)
        config.hook.pytest_deselected(items=redundant)
        items[:] = kept
    for item in items:
        if item.path.parent != TESTS / "site":
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
        uses_browser = not {"browser", "firefox"}.isdisjoint(getattr(item, "fixturenames", ()))
        if uses_browser:
            item.add_marker("browser")
        # On a busy CI machine such tests may time out; pytest reports the reruns.
        if RERUNS and (uses_browser or item.path.parent in WAITS_FOR_PROCESSES):
            item.add_marker(pytest.mark.flaky(reruns=RERUNS))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Run notebooks in a forked kernel, which starts at once."""
    with pytest.MonkeyPatch.context() as patch:
        if item.path.suffix == ".ipynb":
            patch.setattr("ipykernel.kernelspec.get_kernel_dict", forked.kind)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail tests that are skipped or expected to fail."""
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail files that are skipped."""
    report = yield
    _fail_if_skipped(report)
    return report


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped:
        report.outcome = "failed"
        report.__dict__.pop("wasxfail", None)  # otherwise pytest would count it as xfailed
        report.longrepr = f"no test may be left out: {report.longrepr}"
