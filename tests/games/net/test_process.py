"""The state of a process is one object, which can be made anew."""

from __future__ import annotations

import pytest

from games.net.process import Process


class Tally:
    def __init__(self, first: int = 0, above: Tally | None = None) -> None:
        self.count = first
        if above is not None:
            above.count += 1


@pytest.fixture
def process() -> Process:
    return Process()


def test_a_part_made_anew_is_the_same_object_as_at_first(process: Process) -> None:
    tally = process.part(Tally, 3)
    tally.count, tally.more = 9, "more"  # type: ignore[attr-defined]
    process.renew()
    assert process.parts == (tally,)
    assert vars(tally) == {"count": 3}


def test_parts_are_made_anew_in_their_order(process: Process) -> None:
    one = process.part(Tally)
    process.part(Tally, above=one)
    process.at_start(lambda: setattr(one, "count", one.count * 10))
    assert one.count == 10
    process.renew()
    assert one.count == 10
