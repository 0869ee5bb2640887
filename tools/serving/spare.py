"""Kernels of one kind, of which one more than is used stands ready."""

import asyncio
import sys
from pathlib import Path
from subprocess import DEVNULL
from typing import Any, ClassVar

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_core.utils import ensure_async
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from jupyter_server.utils import ApiPath

NAME = "attention"
# -P: the folder of the script is not one to import from.
COMMAND = [sys.executable, "-P", str(Path(__file__).with_name("preloaded.py"))]
PAUSE = 3  # seconds for the kernel that was handed out to run its first cells by itself


class OneKind(KernelSpecManager):
    """Knows the preloaded kernel alone, whatever else the machine has."""

    command: ClassVar = COMMAND
    argument = "-f={connection_file}"
    interrupt_mode = "signal"

    def find_kernel_specs(self) -> dict[str, str]:
        """Name it; it has no folder."""
        return {NAME: ""}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Say how it is started; raise NoSuchKernel for any other."""
        if kernel_name != NAME:
            raise NoSuchKernel(kernel_name)
        return KernelSpec(
            argv=[*self.command, self.argument],
            display_name="Python",
            language="python",
            interrupt_mode=self.interrupt_mode,
        )


class SpareKernels(AsyncMappingKernelManager):
    """Hands out a kernel that has started before anybody asked, and starts the next one."""

    _spare: "asyncio.Task[str] | None" = None
    _ended = False

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self._taken: set[str] = set()

    def prepare(self) -> None:
        """Start a kernel for whoever comes next."""
        if self._spare is None and not self._ended:
            self._spare = asyncio.ensure_future(self._start())

    async def _start(self) -> str:
        return await super()._async_start_kernel(
            kernel_name=NAME,
            path=ApiPath(""),
            stdout=DEVNULL,  # what a cell prints comes as a message
            stderr=DEVNULL,
        )

    async def _async_start_kernel(self, **_: Any) -> str:
        """Return the id of a kernel, the one there is, in the folder of all, whatever is asked."""
        spare, self._spare = self._spare, None
        asyncio.get_running_loop().call_later(PAUSE, self.prepare)
        useful = spare is not None and await self._lives(spare)
        kernel_id = spare.result() if spare and useful else await self._start()
        self._taken.add(kernel_id)
        return kernel_id

    start_kernel = _async_start_kernel  # type: ignore[assignment]  # as in the base class

    async def _async_shutdown_all(self, now: bool = False) -> None:
        """End them all, and start no other meanwhile."""
        self._ended = True
        await super()._async_shutdown_all(now)

    shutdown_all = _async_shutdown_all  # type: ignore[assignment]  # as in the base class

    async def _lives(self, spare: "asyncio.Task[str]") -> bool:
        """Wait for the spare kernel, and tell whether it is of use."""
        try:
            kernel = self.get_kernel(await spare)
        except Exception:  # whatever it was, starting another one will show it
            return False
        return bool(await ensure_async(kernel.is_alive()))

    def list_kernels(self) -> list[dict[str, Any]]:
        """Describe the kernels that are somebody's."""
        return list(map(self.kernel_model, filter(self.__contains__, self._taken)))

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """Let the spare kernel wait as long as it takes."""
        if kernel_id in self._taken:
            await super().cull_kernel_if_idle(kernel_id)  # type: ignore[no-untyped-call]
