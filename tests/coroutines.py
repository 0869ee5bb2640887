"""Run a coroutine in a test."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def finished(coroutine: Coroutine[Any, Any, T], seconds: float = 120) -> T:
    """Return what a coroutine returns within these seconds.

    It runs in its own thread, because Playwright leaves an event loop running in that of the test.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(coroutine, seconds)).result()
