"""Matches that were played, stored as the site stores them, without playing them over sockets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

from games.domain import codec, match_actions
from games.domain.match_actions import Act, MatchFlags
from games.domain.terms import Terms
from games.models import Match, Ply
from games.play import begin
from games.registry import GAMES
from games.rules.base import Leave, Roll


def begun(
    users: Sequence[Any], game: str = "kalah", options: Any = None, *, rated: bool = True, first: int = 0
) -> Match:
    """A match of these people by seat, under the first preset if no options are given."""
    rules = GAMES[game].rules
    options = options or next(iter(rules.PRESETS.values()))
    return begin.create(game, options, users, first, Terms(rated=rated))


def play(match: Match, *actions: Any, at: datetime | None = None) -> Match:
    """Store actions as the plies of a match: moves as text, and `Leave`, `Roll` and `Act` as they are.

    No command is stored with them, as if flags and bots had done it all. Where the last of them ends
    the match, it ends `at` that time, now by default.
    """
    rules = GAMES[match.game].rules
    last = match.plies.order_by("-number").first()
    state = codec.decode_state(rules, match.start if last is None else last.state)
    number, at = (0 if last is None else last.number), at or datetime.now(UTC)
    flags = MatchFlags()
    for ply in match.plies.order_by("number"):
        flags = flags.after(ply.seat, ply.action)
    for action in actions:
        chance = rules.chance(state) is not None
        seat = action.seat if isinstance(action, Leave | Act) else None if chance else state.turn
        action = rules.parse(action) if isinstance(action, str) else action
        state, events = match_actions.play(rules, state, action, at=_no_take_back)
        flags = flags.after(seat, codec.action_text(action))
        number += 1
        faces = codec.action_dice(action)
        Ply.objects.create(
            match=match,
            number=number,
            seat=seat,
            action=codec.action_text(action),
            dice=None if faces is None else codec.encode(faces).decode(),
            events=codec.encode([codec.encode_event(event) for event in events]).decode(),
            state=codec.encode(state).decode(),
            at=at,
        )
    text = codec.action_text(actions[-1]) if isinstance(actions[-1], Act) else None
    outcome = match_actions.outcome(rules, state, text, flags.remaining(match.seatings.count()))
    if outcome is not None:
        match.status, match.ended, match.deadline = Match.Status.FINISHED, at, None
        match.outcome = codec.encode(outcome).decode()
        match.save()
    return match


def at_random(users: Sequence[Any], game: str, most: int, seed: int = 1) -> Match:
    """A casual match of some random actions; after so many everybody who is on turn resigns."""
    match, rules, rng = begun(users, game, rated=False), GAMES[game].rules, Random(seed)
    state, played = codec.decode_state(rules, match.start), 0
    while match.status != Match.Status.FINISHED:
        due = rules.chance(state)
        if due is not None:
            action: Any = Roll(tuple(rng.randint(1, due.sides) for _ in range(due.count)))
        elif played < most:
            action = rng.choice(rules.legal_moves(state))
        else:
            action = Leave(state.turn)
        play(match, action)
        state, played = rules.play(state, action).state, played + 1
    return match


def _no_take_back(number: int) -> Any:
    raise NotImplementedError(f"nothing is taken back to ply {number} here")


def won(users: Sequence[Any], winner: int = 0, at: datetime | None = None, **terms: Any) -> Match:
    """A match of two in which both moved and one resigned."""
    match = begun(users, **terms)
    rules = GAMES[match.game].rules
    state = codec.decode_state(rules, match.start)
    while {ply.seat for ply in match.plies.all()} != {0, 1}:
        move = rules.legal_moves(state)[0]
        play(match, str(move), at=at)
        state = rules.play(state, move).state
    return play(match, Leave(1 - winner), at=at)
