"""Names that the doctests use without importing them, and no test that is left out."""

import gc
import importlib
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from tests import forked

# Also of the kernels that run the notebooks: on small tensors threads mostly wait for each other.
os.environ["OMP_NUM_THREADS"] = "1"  # before anything loads torch

# Thousands of tests and of parsed pages stay to the end: to look for garbage among them as often as
# Python does takes a twentieth of the time of all tests.
gc.set_threshold(50_000, 20, 20)

# What a shell starts in the background ignores interrupts, and so would all that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent / "tests"
RERUNS = int(os.environ.get("RERUNS", "0"))  # .ci/run sets it
# What waits for other processes: servers, kernels, a hub, an answer that is stopped at its limit.
WAITING = [TESTS / name for name in ("classroom", "exercises", "lab", "serving")]

# As modules with doctests they would clash by name; as conftests they are loaded all the same.
collect_ignore_glob = ["tests/*conftest.py"]
# The first has no doctest, and loads the compiler; the second runs in Jupyter alone.
collect_ignore = ["attention_lib/_graph.py", "tools/lab/jupyter_server_config.py"]


@pytest.fixture(autouse=True)
def _doctest_names(request: pytest.FixtureRequest, doctest_namespace: dict[str, object]) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        doctest_namespace["torch"] = importlib.import_module("torch")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare what `make exhaustive` adds."""
    parser.addoption("--exhaustive", action="store_true", help="run the redundant variants too")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave redundant variants to `make exhaustive`, and group and mark the other tests.

    `pytest -m "not browser"` does without the tests that drive a browser.

    Of the processes that share the tests, one gets all of a file: the cells of a notebook stand in
    order, and servers and kernels are for a file. Tests of the site say themselves what they share.
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
        drives = not {"browser", "firefox"}.isdisjoint(getattr(item, "fixturenames", ()))
        if drives:
            item.add_marker("browser")
        # In CI, whose machine may be busy, they may be late. What is tried again is counted.
        if RERUNS and (drives or item.path.parent in WAITING):
            item.add_marker(pytest.mark.flaky(reruns=RERUNS))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Give a notebook, which nbval starts with its first cell, a kernel that is there at once."""
    with pytest.MonkeyPatch.context() as patch:
        if item.path.suffix == ".ipynb":
            patch.setattr("ipykernel.kernelspec.get_kernel_dict", forked.kind)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that is skipped, or expected to fail: it proves nothing."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail a file that is skipped."""
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped:
        report.outcome = "failed"
        report.__dict__.pop("wasxfail", None)  # pytest does not count what it expected to fail
        report.longrepr = f"no test may be left out: {report.longrepr}"
