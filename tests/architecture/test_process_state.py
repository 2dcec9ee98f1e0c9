"""What a process remembers is part of one object, which each test makes anew."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from typing import Any

import games
import lobby
from games.net.hub import hub
from games.net.process import process

TREES = ("games", "lobby")
FIXED = {"Frame", "Interface", "PreparedQuery", "Signal"}
"""Classes whose instances at module level hold nothing that a process remembers."""


def modules() -> Iterator[Any]:
    for tree in (games, lobby):
        for found in pkgutil.walk_packages(tree.__path__, f"{tree.__name__}."):
            if not {"migrations", "management"} & {*found.name.split(".")}:
                importlib.import_module(found.name)
    yield from [module for name, module in sys.modules.items() if name.split(".")[0] in TREES]


def remembers(value: Any) -> bool:
    """Whether an object is of a class of ours whose instances change."""
    kind = type(value)
    frozen = getattr(getattr(kind, "__dataclass_params__", None), "frozen", False)
    ours = kind.__module__.split(".")[0] in TREES and kind.__name__ not in FIXED
    return ours and not frozen and not isinstance(value, type | tuple | str | int)


def test_every_object_of_a_module_that_changes_is_part_of_the_process():
    found = {
        f"{module.__name__}.{name}": value
        for module in modules()
        for name, value in vars(module).items()
        if remembers(value)
    }
    parts = [*process.parts, process]
    assert {name for name, value in found.items() if not any(value is part for part in parts)} == set()
    assert any(value is hub for value in found.values())
