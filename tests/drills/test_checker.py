"""The checker of the drills accepts what keeps every promise, and rejects whatever breaks one."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from bench.fault_injection.checker import violations
from bench.fault_injection.history import Event, History, StoredMatch, StoredPly

Change = Callable[[StoredMatch, History], StoredMatch | None]


def clocks(first: int, second: int, running: int | None, at: int) -> dict[str, Any]:
    return {"left": [first, second], "running": running, "at": at, "fresh": [], "budget": [2000, 2000]}


PLIES = (
    StoredPly(1, 0, "3", "command-a", clocks(100_000, 100_000, 1, 1_000)),
    StoredPly(2, 1, "4", "command-b", clocks(100_000, 98_000, 0, 5_000)),
    StoredPly(3, None, "throw", None, clocks(100_000, 98_000, 0, 5_000)),
    StoredPly(4, 0, "5", "command-c", clocks(94_000, 98_000, None, 13_000)),
)


def told(ply: StoredPly) -> dict[str, Any]:
    fields = {"number": ply.number, "seat": ply.seat, "action": ply.action, "command": ply.command}
    return {**fields, "clocks": deepcopy(ply.clocks)}


def plies(*numbers: int) -> dict[str, Any]:
    some = [told(PLIES[number - 1]) for number in numbers]
    return {"type": "plies", "after": numbers[0] - 1, "plies": some, "outcome": None}


def heard(*messages: dict[str, Any]) -> list[Event]:
    return [Event(0.0, "heard", message) for message in messages]


def accepted(command: str, ply: int) -> dict[str, Any]:
    return {"type": "accepted", "id": command, "ply": ply}


def refused(command: str, code: str) -> dict[str, Any]:
    return {"type": "refused", "id": command, "code": code}


def good() -> tuple[StoredMatch, History]:
    """A match of four plies, of which seat 1 made two and heard all, over two connections."""
    match = StoredMatch("m", PLIES, increment=2_000, finished=True, results=2)
    match.exported = [ply.action for ply in PLIES]
    history = History("m", "seat 1", 1)
    history.events = [
        Event(0.0, "opened", {}),
        *heard({"type": "snapshot", "ply": 0}, plies(1), plies(2, 3)),
        *heard(refused("command-b", "unavailable"), accepted("command-b", 3), accepted("command-b", 3)),
        *heard(refused("command-x", "stale"), refused("command-x", "stale")),
        *heard(refused("command-y", "not-your-turn"), refused("command-y", "stale")),
        Event(0.0, "opened", {}),
        *heard({"type": "snapshot", "ply": 2}, plies(4), {"type": "plies", "after": 4, "plies": []}),
        *heard(plies(2, 3, 4), {"type": "pong", "t": 1, "ply": 4}),
    ]
    return match, history


def test_history_without_violation_accepted() -> None:
    match, history = good()
    assert violations(match, [history]) == []


def without(number: int) -> Change:
    return lambda match, _: replace(match, plies=[p for p in match.plies if p.number != number])


def hears(*messages: dict[str, Any]) -> Change:
    return lambda _, history: history.events.extend(heard(*messages))


def renumbered(match: StoredMatch, *plies: StoredPly) -> StoredMatch:
    return replace(match, plies=plies, exported=[ply.action for ply in plies])


def doubled(match: StoredMatch, _: History) -> StoredMatch:
    again = PLIES[1]._replace(number=5, clocks=PLIES[3].clocks)
    return renumbered(match, *PLIES, again)


def swapped(match: StoredMatch, _: History) -> StoredMatch:
    return renumbered(match, PLIES[0], PLIES[1]._replace(action="5"), PLIES[2], PLIES[3]._replace(action="4"))


def at(ply: int, **changes: Any) -> Change:
    """The clocks of a ply are others, and everybody is told the same."""

    def change(match: StoredMatch, history: History) -> StoredMatch:
        wrong = {**(PLIES[ply - 1].clocks or {}), **changes}
        for message in history.heard("plies"):
            for fields in message["plies"]:
                if fields["number"] == ply:
                    fields["clocks"] = wrong
        return replace(match, plies=[p._replace(clocks=wrong) if p.number == ply else p for p in PLIES])

    return change


def flag(match: StoredMatch, _: History) -> StoredMatch:
    """It falls half a minute early."""
    early = StoredPly(5, 0, "left:0:time", None, clocks(24_000, 98_000, None, 83_000))
    running = PLIES[3]._replace(clocks=clocks(94_000, 98_000, 0, 13_000))
    return renumbered(match, *PLIES[:3], running, early)


def forgets(match: StoredMatch, history: History) -> None:
    """A client never hears of a ply on its last connection."""
    history.events = [e for e in history.events if 3 not in numbers(e)]
    history.events.append(Event(0.0, "opened", {}))
    history.events += heard({"type": "snapshot", "ply": 0}, plies(1), plies(4))


def numbers(event: Event) -> list[int]:
    return [ply["number"] for ply in event.message.get("plies", [])]


def disorder(_: StoredMatch, history: History) -> None:
    message = plies(1, 2)
    message["plies"].reverse()
    history.events += heard(message)


BROKEN: dict[str, tuple[str, Change]] = {
    "an acknowledged move is not there": ("lost", hears(accepted("command-z", 4))),
    "the last ply is lost": ("told and not stored", without(4)),
    "a hole in the store": ("hole", without(2)),
    "a command acted twice": ("doubled", doubled),
    "two moves changed places": ("told differently", swapped),
    "plies are told backwards": ("reordered", disorder),
    "the file has another order": (
        "reordered",
        lambda match, _: replace(match, exported=["3", "throw", "4", "5"]),
    ),
    "a client misses a ply": ("hole", forgets),
    "a ply that was never stored": ("told and not stored", hears({**plies(4), "after": 4, "plies": [
        {**told(PLIES[3]), "number": 5}]})),
    "a position that was never stored": ("told and not stored", hears({"type": "pong", "t": 1, "ply": 5})),
    "accepted with another number": ("false number", hears(accepted("command-b", 2))),
    "refused, and played all the same": ("false refusal", hears(refused("command-b", "stale"))),
    "refused in two ways": ("two answers", hears(refused("command-x", "game-over"))),
    "refused in two ways where it stands": ("two answers", hears(refused("command-y", "illegal-move"))),
    "acknowledged and refused": ("two answers", hears(refused("command-b", "stale"))),
    "charged more than has passed": ("false clock", at(4, left=[90_000, 98_000])),
    "charged less than has passed": ("false clock", at(4, left=[99_000, 98_000])),
    "charged to somebody else": ("false clock", at(4, left=[94_000, 95_000])),
    "a flag falls early": ("false clock", flag),
    "a clock is told that is not stored": ("told differently", lambda match, _: replace(
        match, plies=[*PLIES[:3], PLIES[3]._replace(clocks=clocks(94_001, 98_000, None, 13_000))])),
    "results are missing": ("settled", lambda match, _: replace(match, results=1)),
    "results are there twice": ("settled", lambda match, _: replace(match, results=4)),
    "results of a match that goes on": ("settled", lambda match, _: replace(match, finished=False)),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_history_with_violation_rejected(name: str) -> None:
    (breach, change), (match, history) = BROKEN[name], good()
    changed = change(match, history) or match
    found = violations(changed, [history])
    assert any(breach in words for words in found), found


def test_time_in_which_the_site_was_away_is_charged_to_nobody() -> None:
    match, history = good()
    match = at(4, left=[100_000, 98_000])(match, history) or match
    assert violations(match, [history])
    assert violations(match, [history], away=6_000) == []


def test_a_clock_that_is_set_back_gives_nobody_time() -> None:
    match, history = good()
    same = at(4, at=-3_600_000, left=[102_000, 98_000])(match, history) or match
    assert violations(same, [history]) == []
    match, history = good()
    more = at(4, at=-3_600_000, left=[3_702_000, 98_000])(match, history) or match
    assert violations(more, [history])
