"""A socket in process, as Channels tests one."""

from __future__ import annotations

from typing import Any

from channels.testing import WebsocketCommunicator

from tools.harness.patience import patience


class Communicator(WebsocketCommunicator):
    """Waits ten seconds for what Channels' own waits for one second, and longer on a busy machine."""

    async def receive_output(self, timeout: float = 1) -> Any:  # noqa: ASYNC109 - overrides
        return await super().receive_output(patience(10 * timeout))

    async def wait(self, timeout: float = 1) -> None:  # noqa: ASYNC109 - overrides
        await super().wait(patience(10 * timeout))
