"""Functions of the tests run in a process of their own on the store of a server, as the site's code would be.

What is stored that way needs no page: registered people, finished matches. It is also how two processes
do the same thing at the same time.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tests.helpers.servers import parlour_environment
from tests.helpers.services import ROOT


def start(database_url: str, function: Callable[..., Any], *arguments: Any) -> subprocess.Popen[str]:
    """Begin to call a function of a module; arguments and result go as JSON. `result` waits for it."""
    name, told = f"{function.__module__}:{function.__qualname__}", json.dumps(arguments)
    return subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.inside", name, told],
        cwd=ROOT,
        env=parlour_environment(DATABASE_URL=database_url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def result(process: subprocess.Popen[str]) -> Any:
    """What the function of `start` returned."""
    said, complaints = process.communicate(timeout=120)
    assert process.returncode == 0, complaints
    return json.loads(said)


def call(database_url: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a process on a store."""
    return result(start(database_url, function, *arguments))


if __name__ == "__main__":
    import django

    django.setup()
    module, _, name = sys.argv[1].partition(":")
    sys.stdout.write(json.dumps(getattr(import_module(module), name)(*json.loads(sys.argv[2]))))
