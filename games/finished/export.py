"""Exports a finished match in the format of docs/reference/match-file.md."""

from __future__ import annotations

from typing import Any

from games.domain import dice
from games.domain.instants import timestamp
from games.domain.matchfile import FORMAT, VERSION, rules_version
from games.domain.record import Entry, Record


def match_file(record: Record) -> dict[str, Any]:
    """The file of a match, as JSON values."""
    rules = record.game.rules
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": record.id,
        "game": record.game.slug,
        "rules": rules_version(rules),
        "options": record.start.options,
        "seats": [{"name": name} for name in record.names],
        "terms": {"clock": record.terms.clock, "rated": record.terms.rated},
        "begun": timestamp(record.begun),
        "ended": timestamp(record.ended),
        "start": record.start,
        "plies": [_ply(entry) for entry in record.plies],
        "outcome": record.outcome,
        "dice": _dice(record),
    }


def _ply(entry: Entry) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "number": entry.number,
        "seat": entry.seat,
        "action": entry.text,
        "dice": entry.dice,
        "at": timestamp(entry.at),
    }
    if entry.left is not None:
        fields["clocks"] = entry.left
    return fields


def _dice(record: Record) -> dict[str, Any] | None:
    if record.seal is None:
        return None
    # The same field order as on the page that checks the dice.
    return dice.published(record.seal.secret, record.seal.words, over=True)
