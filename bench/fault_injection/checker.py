"""Decides from the histories of all clients and from the store whether a promise was broken. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from bench.fault_injection.history import History, StoredMatch, StoredPly

CREDIT = 500
"""Milliseconds by which a ply may be charged less than it took: the lag that `games.domain.clock` credits."""
OPEN = "unavailable"
"""The refusal that leaves open whether anything was stored."""
STALE, GAME_OVER = "stale", "game-over"
"""The refusals of a match that has gone on from where a command saw it, and of one that is over."""


def violations(match: StoredMatch, histories: Iterable[History], away: int = 0) -> list[str]:
    """Every breach of a promise, in words; none if all were kept.

    `away` is for how many milliseconds at most the site was not there, which is charged to nobody.
    """
    found = [*_holes(match), *_doubled(match), *_false_clocks(match, away), *_unsettled(match)]
    for history in histories:
        found += [f"{history.client}: {breach}" for breach in _breaches(match, history)]
    return found


def _breaches(match: StoredMatch, history: History) -> Iterator[str]:
    yield from _answers(match, history)
    yield from _told(match, history)
    yield from _missed(history)


# The store alone


def _holes(match: StoredMatch) -> Iterator[str]:
    numbers = [ply.number for ply in match.plies]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"hole: the store has the plies {numbers}"
    if match.exported is not None and list(match.exported) != [ply.action for ply in match.plies]:
        yield "reordered: the file of the match is not what the store has"


def _doubled(match: StoredMatch) -> Iterator[str]:
    made = Counter((ply.seat, ply.command) for ply in match.plies if ply.command is not None)
    for (seat, command), times in made.items():
        if times > 1:
            yield f"doubled: {command} of seat {seat} was carried out {times} times"


def _unsettled(match: StoredMatch) -> Iterator[str]:
    if match.results not in ((match.seats,) if match.finished else (0,)):
        yield f"settled: {match.results} results of {match.seats} seats"


def _false_clocks(match: StoredMatch, away: int) -> Iterator[str]:
    """Whoever was on turn is charged what has passed, but for lag and for what nobody is charged."""
    timed = [ply for ply in match.plies if ply.clocks is not None]
    for before, after in pairwise(timed):
        yield from _false_step(match, before, after, away)


def _false_step(match: StoredMatch, before: StoredPly, after: StoredPly, away: int) -> Iterator[str]:
    then, now = before.clocks, after.clocks
    assert then is not None
    assert now is not None
    # The clock of the computer may have been set back, which gives nobody time.
    elapsed = max(0, now["at"] - then["at"])
    for seat, (had, has) in enumerate(zip(then["left"], now["left"], strict=True)):
        least = most = had
        if seat == then["running"] and seat not in then["fresh"]:
            gained = match.increment if after.seat == seat and not after.action.startswith("left:") else 0
            least = max(0, had - elapsed) + gained
            most = min(had + gained, least + CREDIT + away)
        if not least <= has <= most:
            yield f"false clock: seat {seat} has {has} after ply {after.number}, not {least} to {most}"
    if after.action.startswith("left:") and after.action.endswith(":time"):
        seat = int(after.action.split(":")[1])
        if then["left"][seat] > elapsed:
            yield f"false clock: the flag of seat {seat} fell {then['left'][seat] - elapsed} ms early"


# What a client was answered


def _answers(match: StoredMatch, history: History) -> Iterator[str]:
    stored = {ply.command: ply for ply in match.plies if ply.command is not None and ply.seat == history.seat}
    answers: dict[str, list[dict[str, Any]]] = {}
    for answer in history.heard("accepted", "refused"):
        if answer["id"] is not None:
            answers.setdefault(answer["id"], []).append(answer)
    for command, heard in answers.items():
        accepted = {answer["ply"] for answer in heard if answer["type"] == "accepted"}
        refused = {answer["code"] for answer in heard if answer["type"] == "refused"} - {OPEN}
        if accepted and command not in stored:
            yield f"lost: {command} was acknowledged and is not in the store"
        if refused and command in stored:
            yield f"false refusal: {command} was refused as {refused} and is in the store"
        # What a position says of a command holds while the match stands there; once over, it does for ever.
        final = refused if GAME_OVER in refused else refused - {STALE}
        if len(accepted) + len(final) > 1 or (accepted and refused):
            yield f"two answers: {command} was answered {accepted | refused}"
        if command in stored and accepted - {_last_of(match, stored[command])}:
            yield f"false number: {command} made ply {_last_of(match, stored[command])}, and not {accepted}"


def _last_of(match: StoredMatch, ply: StoredPly) -> int:
    """The last ply that a command made: throws that follow are nobody's."""
    last = ply.number
    for after in match.plies[ply.number :]:
        if after.seat is not None:
            break
        last = after.number
    return last


# What a client was told


def _told(match: StoredMatch, history: History) -> Iterator[str]:
    stored = {ply.number: ply for ply in match.plies}
    for message in history.heard("plies"):
        for index, ply in enumerate(message["plies"]):
            number = ply["number"]
            if number != message["after"] + index + 1:
                yield f"reordered: ply {number} was told as number {message['after'] + index + 1}"
            if number not in stored:
                yield f"told and not stored: ply {number} ({ply['action']})"
            elif _fields(ply) != stored[number][1:]:
                yield f"told differently: ply {number} as {_fields(ply)}, stored as {stored[number][1:]}"
    for message in history.heard("snapshot", "pong"):
        if message.get("ply", 0) > len(match.plies):
            yield f"told and not stored: a {message['type']} of ply {message['ply']}"


def _fields(ply: dict[str, Any]) -> tuple[Any, ...]:
    return ply["seat"], ply["action"], ply["command"], ply.get("clocks")


def _missed(history: History) -> Iterator[str]:
    """At the end of its last connection a client knows all that came after the snapshot."""
    *_, last = [[], *history.connections()]
    known: set[int] = set()
    first = None
    for event in last:
        if event.kind == "heard" and event.message["type"] == "snapshot" and first is None:
            first = event.message["ply"]
        if event.kind == "heard" and event.message["type"] == "plies":
            known |= {ply["number"] for ply in event.message["plies"]}
    if first is not None and known:
        missing = set(range(first + 1, max(known) + 1)) - known
        if missing:
            yield f"hole: never heard of the plies {sorted(missing)}"
