"""Reveals the seeds of the dice of finished matches, so that anyone can verify them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from games.domain import codec, dice
from games.domain.refusals import UnknownMatch
from games.models import Match, Ply
from games.registry import GAMES
from games.rules.base import Roll


class Unfinished(Exception):
    """The match is not over; its server seed stays secret."""


def sealed_dice(match_id: str) -> dict[str, Any]:
    """The data to verify the dice of a finished match (`games.domain.dice.sealed_file`).

    Raises `Unfinished`, and `UnknownMatch` also for games without dice.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None or not GAMES[match.game].dice:
        raise UnknownMatch(match_id)
    if match.status != Match.Status.FINISHED or match.words is None:
        raise Unfinished(match_id)
    return dice.sealed_file(match.pk, match.game, orjson.loads(match.words), match.secret, _throws(match))


def _throws(match: Match) -> Iterator[dice.Throw]:
    """All dice rolls, each with the dice that the rules required in the position before."""
    rules, before = GAMES[match.game].rules, match.start
    plies = Ply.objects.filter(match=match).order_by("number")
    for number, faces, after in plies.values_list("number", "dice", "state"):
        if faces is not None:
            due = rules.chance(codec.decode_state(rules, before))
            assert due is not None, f"{match}: nobody was to throw at ply {number}"
            yield dice.Throw(number, due, Roll(tuple(orjson.loads(faces))))
        before = after
