"""Converts an imported match to the messages of a match page, so that the same board shows it."""

from __future__ import annotations

from typing import Any

from games.domain import codec
from games.domain.instants import milliseconds, timestamp
from games.domain.position import of_start
from games.finished.importing import ImportedMatch, Played


def messages(match: ImportedMatch) -> dict[str, Any]:
    """A `snapshot` of the end, and the `plies` up to it (docs/reference/protocol.md), as JSON values."""
    outcome = match.outcome
    told = {"winners": outcome.winners, "reason": outcome.reason, "scores": outcome.scores}
    last, flags = match.plies[-1], match.flags
    snapshot = {
        "type": "snapshot",
        "match": _match(match),
        "you": None,
        "ply": last.number,
        "start": match.start,
        "state": last.state,
        "outcome": told,
        "halted": flags.halted or None,
        "idle_due": None,
        "acted": sorted(flags.acted),
        "left": sorted(flags.left),
        "caretaken": sorted(flags.caretaken),
        "offers": [],
        "time": milliseconds(match.ended),
        "watchers": 0,
        "names": [],
        "present": [],
        "away": [],
        "hidden": False,
        "hidden_by": [],
    }
    plies = {"type": "plies", "after": 0, "plies": [_ply(ply) for ply in match.plies], "outcome": told}
    return codec.plain({"snapshot": snapshot, "plies": plies})


def _match(match: ImportedMatch) -> dict[str, Any]:
    return {
        "id": match.id,
        "game": match.game.slug,
        "options": match.start.options,
        "from_position": of_start(match.game, match.start, len(match.names)) is not None,
        "rated": match.rated,
        "draws": match.game.draws,
        "shared": False,
        "absence": None,
        # Files do not record which players were computers.
        "seats": [{"seat": seat, "name": name, "level": None} for seat, name in enumerate(match.names)],
        "offered": [],
        "rematch": None,
        # Clocks of a file are claims, and none is running.
        "clock": None,
        "dice": None,
    }


def _ply(ply: Played) -> dict[str, Any]:
    return {
        "number": ply.number,
        "seat": ply.seat,
        "action": ply.text,
        "dice": ply.dice,
        "events": [codec.encode_event(event) for event in ply.events],
        "state": ply.state,
        "command": None,
        "at": timestamp(ply.at),
    }
