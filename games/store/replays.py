"""Replays stored matches, to verify them."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from games.domain import codec
from games.domain.record import DiceProof
from games.domain.verification import NotReproducible, VerifiablePly, verify
from games.models import Match, Ply
from games.registry import GAMES
from games.rules.base import Outcome


def replay(match: Match) -> Outcome | None:
    """Replay a match from its plies and return its outcome, None if it is still in play.

    Raises:
        NotReproducible: the match is not what its plies give.
    """
    game = GAMES[match.game]
    words = None if match.words is None else tuple(orjson.loads(match.words))
    seal = DiceProof(words, match.secret) if game.dice and words is not None else None
    try:
        start = codec.decode_state(game.rules, match.start)
        outcome = verify(match.pk, game, start, _plies(match), match.seatings.count(), seal)
        stored = None if match.outcome is None else codec.decode(Outcome, match.outcome)
    except codec.Undecodable as error:
        raise NotReproducible(str(error)) from error
    if outcome != stored:
        raise NotReproducible("its outcome is another one")
    return outcome


def _plies(match: Match) -> Iterator[VerifiablePly]:
    columns = ("number", "seat", "action", "dice", "state")
    for number, seat, action, dice, state in (
        Ply.objects.filter(match=match).order_by("number").values_list(*columns)
    ):
        yield VerifiablePly(number, seat, action, None if dice is None else tuple(orjson.loads(dice)), state)
