"""Keep a spare kernel running, so that a page gets one at once."""

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
# -P: do not add the script's folder to sys.path.
COMMAND = [sys.executable, "-P", str(Path(__file__).with_name("preloaded.py"))]
SPARE_DELAY = 3  # seconds before the next spare starts, so the first cells run undisturbed


class SingleKernelSpec(KernelSpecManager):
    """Offers only the preloaded kernel, and none of the machine's kernelspecs."""

    command: ClassVar = COMMAND
    argument = "-f={connection_file}"
    interrupt_mode = "signal"

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the only kernelspec, which has no resource folder."""
        return {NAME: ""}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the kernelspec; raise NoSuchKernel for any other name."""
        if kernel_name != NAME:
            raise NoSuchKernel(kernel_name)
        return KernelSpec(
            argv=[*self.command, self.argument],
            display_name="Python",
            language="python",
            interrupt_mode=self.interrupt_mode,
        )


class SpareKernels(AsyncMappingKernelManager):
    """Returns a kernel that is already running, and starts the next spare."""

    _spare: "asyncio.Task[str] | None" = None
    _ended = False

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self._in_use: set[str] = set()

    def prepare(self) -> None:
        """Start the spare kernel."""
        if self._spare is None and not self._ended:
            self._spare = asyncio.ensure_future(self._start())

    async def _start(self) -> str:
        return await super()._async_start_kernel(
            kernel_name=NAME,
            path=ApiPath(""),
            stdout=DEVNULL,  # output of cells is sent as messages
            stderr=DEVNULL,
        )

    async def _async_start_kernel(self, **_: Any) -> str:
        """Return the id of the spare kernel or of a new one; name and path are ignored."""
        spare, self._spare = self._spare, None
        asyncio.get_running_loop().call_later(SPARE_DELAY, self.prepare)
        alive = spare is not None and await self._is_alive(spare)
        kernel_id = spare.result() if spare and alive else await self._start()
        self._in_use.add(kernel_id)
        return kernel_id

    start_kernel = _async_start_kernel  # type: ignore[assignment]  # as in the base class

    async def _async_shutdown_all(self, now: bool = False) -> None:
        """Shut down all kernels, and start no spare meanwhile."""
        self._ended = True
        await super()._async_shutdown_all(now)

    shutdown_all = _async_shutdown_all  # type: ignore[assignment]  # as in the base class

    async def _is_alive(self, spare: "asyncio.Task[str]") -> bool:
        """Wait for the spare kernel; return whether it is alive."""
        try:
            kernel = self.get_kernel(await spare)
        except Exception:  # starting another kernel will show the error
            return False
        return bool(await ensure_async(kernel.is_alive()))

    def list_kernels(self) -> list[dict[str, Any]]:
        """List the kernels in use, without the spare."""
        return list(map(self.kernel_model, filter(self.__contains__, self._in_use)))

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """Never cull the spare kernel."""
        if kernel_id in self._in_use:
            await super().cull_kernel_if_idle(kernel_id)  # type: ignore[no-untyped-call]
