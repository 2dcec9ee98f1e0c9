"""The reads: what is stored of a match, as the service and the sockets need it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
from django.db.models import Max

from games import codec, dice
from games.journal import PlyRow
from games.models import Match, Ply, Seating
from games.registry import GAMES
from games.rules.base import Roll, Seat


class UnknownMatch(LookupError):
    """There is no match of that id."""


class Unfinished(Exception):
    """The match is still being played; what is sealed stays sealed."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as the database has it; JSON columns are text."""

    match: Match
    players: Mapping[int, Seat]
    names: tuple[str, ...]
    words: tuple[str, ...]
    offered: tuple[Seat, ...]
    rematch: str | None
    last: PlyRow | None
    answers: dict[tuple[Seat, str], int]


def load(match_id: str) -> Stored:
    """Everything a process needs to serve a match. Raises `UnknownMatch`."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise UnknownMatch(match_id)
    seatings = list(Seating.objects.filter(match=match).select_related("user"))
    words = orjson.loads(match.words) if match.words is not None else [s.words for s in seatings]
    last = Ply.objects.filter(match=match).order_by("-number").first()
    return Stored(
        match=match,
        players={s.user_id: s.seat for s in seatings},
        names=tuple(s.user.get_username() for s in seatings),
        words=tuple(words),
        offered=tuple(s.seat for s in seatings if s.wants_rematch),
        rematch=Match.objects.filter(rematch_of=match).values_list("pk", flat=True).first(),
        last=None if last is None else _row(last),
        answers=_answers(match_id),
    )


def _answers(match_id: str) -> dict[tuple[Seat, str], int]:
    """The commands that were played, by seat and id, with the last ply each of them made.

    The plies of chance that follow a command carry no id of their own and belong to it.
    """
    answers: dict[tuple[Seat, str], int] = {}
    command: tuple[Seat, str] | None = None
    plies = Ply.objects.filter(match=match_id).order_by("number").values_list("number", "seat", "command")
    for number, seat, command_id in plies:
        if seat is not None:
            command = None if command_id is None else (seat, command_id)
        if command is not None:
            answers[command] = number
    return answers


def plies_since(match_id: str, after: int) -> list[PlyRow]:
    """The stored plies with numbers above `after`, in order."""
    return [_row(ply) for ply in Ply.objects.filter(match=match_id, number__gt=after).order_by("number")]


def last_numbers(match_ids: Iterable[str]) -> dict[str, int]:
    """The number of the last ply of each match that has any."""
    plies = Ply.objects.filter(match__in=match_ids).values("match_id").annotate(last=Max("number"))
    return {row["match_id"]: row["last"] for row in plies}


def sealed_dice(match_id: str) -> dict[str, Any]:
    """All that is needed to throw the throws of a finished match again (`games.dice.sealed_file`).

    Raises `UnknownMatch`, also if the game has no dice, and `Unfinished`.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None or not GAMES[match.game].dice:
        raise UnknownMatch(match_id)
    if match.status != Match.Status.FINISHED or match.words is None:
        raise Unfinished(match_id)
    return dice.sealed_file(match.pk, match.game, orjson.loads(match.words), match.secret, _throws(match))


def _throws(match: Match) -> Iterator[dice.Throw]:
    """Every throw with the dice that were due, as the rules say of the position before it."""
    rules, before = GAMES[match.game].rules, match.start
    plies = Ply.objects.filter(match=match).order_by("number")
    for number, faces, after in plies.values_list("number", "dice", "state"):
        if faces is not None:
            due = rules.chance(codec.decode(rules.State, before))
            assert due is not None, f"{match}: nobody was to throw at ply {number}"
            yield dice.Throw(number, due, Roll(tuple(orjson.loads(faces))))
        before = after


def _row(ply: Ply) -> PlyRow:
    return PlyRow(
        number=ply.number,
        seat=ply.seat,
        action=ply.action,
        dice=ply.dice,
        events=ply.events,
        state=ply.state,
        command=ply.command,
        at=ply.at,
    )


def ply_fields(row: PlyRow) -> dict[str, Any]:
    """A ply as it goes over the wire (`games.messages.PlyFields`); stored JSON is passed on unparsed."""
    return {
        "number": row.number,
        "seat": row.seat,
        "action": row.action,
        "dice": None if row.dice is None else orjson.Fragment(row.dice),
        "events": orjson.Fragment(row.events),
        "state": orjson.Fragment(row.state),
        "command": row.command,
        "at": timestamp(row.at),
    }


def timestamp(at: datetime) -> str:
    """A moment as RFC 3339 text in UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def row_of(fields: Mapping[str, Any]) -> PlyRow:
    """The ply that `ply_fields` wrote, read back from JSON."""
    return PlyRow(
        number=fields["number"],
        seat=fields["seat"],
        action=fields["action"],
        dice=None if fields["dice"] is None else orjson.dumps(fields["dice"]).decode(),
        events=orjson.dumps(fields["events"]).decode(),
        state=orjson.dumps(fields["state"]).decode(),
        command=fields["command"],
        at=datetime.fromisoformat(fields["at"]),
    )


def plies_message(after: int, rows: Sequence[PlyRow], outcome: Any) -> dict[str, Any]:
    """The message that carries plies, whether they were just played or asked for again."""
    return {
        "type": "plies",
        "after": after,
        "plies": [ply_fields(row) for row in rows],
        "outcome": outcome,
    }
