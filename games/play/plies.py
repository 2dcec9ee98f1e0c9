"""Turns an action into plies and the resulting state. Stores nothing."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from games.domain import clock, codec, dice, instants, match_actions
from games.domain.clock import Clocks, Control
from games.domain.match_actions import Act, MatchFlags
from games.domain.plies import PlyRow
from games.models import Match
from games.play.live import LiveMatch
from games.rules.base import Outcome, Seat


class Played(NamedTuple):
    """The plies of an action, dice rolls included, and the result."""

    rows: list[PlyRow]
    state: Any
    flags: MatchFlags
    clocks: Clocks | None
    outcome: Outcome | None


def deadline(control: Control, clocks: Clocks | None) -> datetime | None:
    """When the time of the seat on turn is up, for the database column; None without a running clock."""
    due = None if clocks is None else clock.deadline(control, clocks)
    return None if due is None else instants.moment(due)


def status_after(action: Any) -> str | None:
    """The new status of a match after an action; None if unchanged. The end of a match is handled
    elsewhere."""
    if not isinstance(action, Act):
        return None
    return {match_actions.SAVED: Match.Status.SAVED, match_actions.RESUMED: Match.Status.PLAYING}.get(
        action.kind
    )


def bot_to_move(live: LiveMatch, played: Played) -> bool | None:
    """Whether a bot is to move next; None if no bot takes part in the match."""
    after = played.flags
    if not (live.levels or after.caretaken or live.flags.caretaken):
        return None
    bots = after.caretaken | live.levels.keys()
    return played.outcome is None and not after.halted and played.state.turn in bots


def plies_of(
    live: LiveMatch, seat: Seat, action: Any, command_id: str | None, now: int, lag: int, before: Any | None
) -> Played:
    """The plies of `action`, and the result.

    Args:
        now: time in milliseconds.
        lag: measured one-way delay of the sender in milliseconds.
        before: the state to return to, for a take-back.

    Raises `IllegalMove` or `clock.OutOfTime`.
    """
    rules, state, clocks, flags = live.game.rules, live.state, live.clocks, live.flags
    rows: list[PlyRow] = []
    actor: Seat | None = seat
    while True:
        step = match_actions.play(rules, state, action, lambda _: before)
        state, text = step.state, codec.action_text(action)
        flags = flags.after(actor, text)
        outcome = match_actions.outcome(rules, state, text, flags.remaining(len(live.names)))
        faces = codec.action_dice(action)
        if clocks is not None:
            if match_actions.is_move(action):
                clocks = clock.press(live.control, clocks, now, lag)
            stands = outcome is not None or flags.halted
            clocks = clock.turn_to(live.control, clocks, now, None if stands else state.turn)
        rows.append(
            PlyRow(
                number=live.ply + len(rows) + 1,
                seat=actor,
                action=text,
                dice=None if faces is None else codec.encode(faces).decode(),
                events=codec.encode_events(step.events).decode(),
                state=codec.encode_state(rules, state).decode(),
                command=command_id,
                at=now,
                clocks=None if clocks is None else codec.encode(clocks).decode(),
            )
        )
        due = None if outcome is not None else rules.chance(state)
        if due is None:
            return Played(rows, state, flags, clocks, outcome)
        actor, command_id = None, None
        action = dice.throw(live.secret, live.words, live.id, live.ply + len(rows) + 1, due)
