"""Processes keep the same ladder at the same time, and each step happens once."""

from __future__ import annotations

import pytest

from tests.conftest import Launcher
from tests.helpers.ladders import raced
from tests.helpers.samples import in_full
from tools.harness import subprocess_call


@pytest.mark.parametrize("pair", in_full("postgres+redis", "sqlite"))
def test_steps_taken_several_times_at_once_happen_once(launcher: Launcher, pair: str) -> None:
    orders = subprocess_call.call(launcher.store(pair).database_url, raced)
    # The challenge was not answered; then who was first has fallen by one place.
    assert orders == ["Cleo Ada Bo", "Cleo Bo Ada", "Cleo Bo Ada Dan"]
