"""Names that the doctests use without importing them, and no test that is left out."""

import os
from collections.abc import Generator

import pytest
import torch

# Also of the kernels that run the notebooks: on small tensors threads mostly wait for each other.
os.environ["OMP_NUM_THREADS"] = "1"
torch.set_num_threads(1)

# As modules with doctests they would clash by name; as conftests they are loaded all the same.
collect_ignore_glob = ["tests/*conftest.py"]


@pytest.fixture(autouse=True)
def _doctest_names(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["torch"] = torch


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that drive a browser: `pytest -m "not browser"` does without."""
    for item in items:
        if {"browser", "firefox"} & {*getattr(item, "fixturenames", ())}:
            item.add_marker("browser")
            # A page on a busy machine may be late for once. What is tried again is counted.
            item.add_marker(pytest.mark.flaky(reruns=1))


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
