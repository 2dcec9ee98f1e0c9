"""A pytest plugin for `tools.test`: writes failures and the time of each file to PARLOUR_OUTCOMES."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

TIMED = {"processes", "asyncio"}
"""Marks of the tests that wait for processes or timers; the others depend on nothing but their input."""


class Outcomes:
    """Collects the outcomes of all tests; in a parallel run, in the controller."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failed: dict[str, bool] = {}
        self._seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up seconds by file, and note failures."""
        self._seconds[report.nodeid.partition("::")[0]] += report.duration
        if report.failed:
            self._failed[report.nodeid] = bool(TIMED & report.keywords.keys())

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note files that could not be collected."""
        if report.failed:
            self._failed[report.nodeid] = False

    def pytest_sessionfinish(self) -> None:
        """Write `failed`, by test whether it may be rerun, and the `seconds` of each file."""
        self._path.write_text(json.dumps({"failed": self._failed, "seconds": self._seconds}))


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin in the main process, if PARLOUR_OUTCOMES is set."""
    path = os.environ.get("PARLOUR_OUTCOMES")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Outcomes(Path(path)))
