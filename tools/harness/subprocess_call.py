"""Functions run in a process of their own on a server's store, with the site's code.

This stores data without pages: registered users, finished matches. It also lets two processes do the same
thing at the same time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from tempfile import TemporaryFile
from typing import Any

from tools.harness import preloaded
from tools.harness.patience import patience
from tools.harness.servers import ParlourServer, parlour_environment

SECONDS = 120.0


class Call:
    """A function running in a process of its own."""

    def __init__(self, name: str, told: str, environment: Mapping[str, str]) -> None:
        self._said, self._complaints = TemporaryFile(), TemporaryFile()  # noqa: SIM115 - `result` closes them
        self.process = preloaded.start(
            "tools.harness.subprocess_call",
            *(name, told),
            environment=environment,
            out=self._said,
            err=self._complaints,
        )

    def result(self) -> Any:
        """Wait for its end; the return value."""
        code = self.process.wait(patience(SECONDS))
        with self._said as said, self._complaints as complaints:
            for file in (said, complaints):
                file.seek(0)
            assert code == 0, complaints.read().decode()
            return json.loads(said.read())


def start(database_url: str, function: Callable[..., Any], *arguments: Any) -> Call:
    """Start a call of a module's function; arguments and result are sent as JSON."""
    return _start(parlour_environment(DATABASE_URL=database_url), function, arguments)


def _start(environment: Mapping[str, str], function: Callable[..., Any], arguments: tuple[Any, ...]) -> Call:
    return Call(f"{function.__module__}:{function.__qualname__}", json.dumps(arguments), environment)


def call(database_url: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a process on a store."""
    return start(database_url, function, *arguments).result()


def at(server: ParlourServer, function: Callable[..., Any], *arguments: Any) -> Any:
    """The same with all settings of a server, so that the server receives the events."""
    return _start(server.environment(), function, arguments).result()


if __name__ == "__main__":
    import django

    django.setup()
    module, _, name = sys.argv[1].partition(":")
    sys.stdout.write(json.dumps(getattr(import_module(module), name)(*json.loads(sys.argv[2]))))
