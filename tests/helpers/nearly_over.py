"""Matches that are nearly over: the last moves are left to whoever tests, the others are stored already."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.domain import codec, dice
from games.registry import GAMES
from games.rules.base import Roll
from tools.harness import subprocess_call
from tools.harness.servers import ParlourServer

SECRETS = [f"{number:064x}" for number in range(60)]


class Decision(NamedTuple):
    """A move, whose it is, and the number of its ply."""

    ply: int
    seat: int
    move: str


@dataclass(frozen=True, slots=True)
class NearlyOver:
    """A match that somebody wins by what is left to play of it.

    Attributes:
        match_id: of the match.
        last: the number of its last ply.
        decisions: what is left, the throws of the dice left out, which come by themselves.
    """

    match_id: str
    last: int
    decisions: list[Decision]

    @property
    def ply(self) -> int:
        """The number of the last ply that is stored."""
        return self.decisions[0].ply - 1


def begin(server: ParlourServer, game: str, options: Any, names: list[str], most: int) -> NearlyOver:
    """A match of people by seat, of which `most` plies are left to play, or fewer.

    Of many random ones it is the shortest, but for those in which hardly anything happens.
    """
    told = subprocess_call.at(server, _stored, game, codec.encode(options).decode(), names, most)
    match_id, last, decisions = told
    return NearlyOver(match_id, last, [Decision(*each) for each in decisions])


def _stored(game: str, options: str, names: list[str], most: int) -> tuple[str, int, list[Decision]]:
    from games.models import Match
    from games.play.begin import create
    from lobby.people.models import User
    from tests.helpers import finished

    rules = GAMES[game].rules
    users = [User.objects.get(username=name) for name in names]
    match = create(game, codec.decode(rules.Options, options), users)
    start, words = codec.decode_state(rules, match.start), ("",) * len(names)
    won = {
        secret: plies
        for secret in SECRETS
        if len(plies := _at_random(game, start, match.pk, secret, words)) >= 12
    }
    secret, plies = min(won.items(), key=lambda each: len(each[1]))
    Match.objects.filter(pk=match.pk).update(secret=secret, words=codec.encode(words).decode())
    # A throw is of one piece with the decision before it.
    played = max(0, len(plies) - most)
    while isinstance(plies[played][1], Roll):
        played += 1
    if played:
        finished.play(match, *(action for _, action in plies[:played]))
    decisions = [
        Decision(ply, seat, str(action))
        for ply, (seat, action) in enumerate(plies, 1)
        if ply > played and not isinstance(action, Roll)
    ]
    return str(match.pk), len(plies), decisions


def _at_random(
    game: str, state: Any, match_id: str, secret: str, words: tuple[str, ...]
) -> list[tuple[int, Any]]:
    """The plies of a random match with the dice of a secret, by the seat on turn; none where nobody wins."""
    lot, rules, plies = random.Random(secret), GAMES[game].rules, list[tuple[int, Any]]()
    while (outcome := rules.outcome(state)) is None:
        due = rules.chance(state)
        action = (
            lot.choice(rules.legal_moves(state))
            if due is None
            else dice.throw(secret, words, match_id, len(plies) + 1, due)
        )
        plies.append((state.turn, action))
        state = rules.play(state, action).state
    return plies if len(outcome.winners) == 1 else []
