"""What an action comes to: the plies it makes, and where they lead. Nothing is stored here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from games.law import acts, clock, codec, dice, instants
from games.law.acts import Act
from games.law.clock import Clocks, Control
from games.law.plies import PlyRow
from games.models import Match
from games.play.live import LiveMatch
from games.rules.base import Outcome, Seat


def deadline(control: Control, clocks: Clocks | None) -> datetime | None:
    """When the time of the seat on turn is up, as the store has it."""
    due = None if clocks is None else clock.deadline(control, clocks)
    return None if due is None else instants.moment(due)


def status_after(action: Any) -> str | None:
    """What becomes of the status of a match by an act, None if it stays; its end is told apart."""
    if not isinstance(action, Act):
        return None
    return {acts.SAVED: Match.Status.SAVED, acts.RESUMED: Match.Status.PLAYING}.get(action.kind)


def bot_to_move(live: LiveMatch, rows: Sequence[PlyRow], state: Any, outcome: Outcome | None) -> bool | None:
    """Whether a bot is to move after `rows`, which lead to that; None where none has a part in the match."""
    before, after = live.situation, live.situation_after(rows)
    bots = after.caretaken | live.levels.keys()
    if not bots | before.caretaken:
        return None
    return outcome is None and not after.halted and state.turn in bots


def plies_of(
    live: LiveMatch, seat: Seat, action: Any, command_id: str | None, now: int, lag: int, before: Any | None
) -> tuple[list[PlyRow], Any, Clocks | None, Outcome | None]:
    """The plies that `action` makes, throws of dice included, and what they lead to: state, clocks, outcome.

    `before` is the state that a take-back leads to. Raises `IllegalMove` or `clock.OutOfTime`.
    """
    rules, state, clocks, situation = live.game.rules, live.state, live.clocks, live.situation
    at = instants.moment(now)
    rows: list[PlyRow] = []
    actor: Seat | None = seat
    while True:
        step = acts.play(rules, state, action, lambda _: before)
        state, text = step.state, codec.action_text(action)
        situation = situation.after(actor, text)
        outcome = acts.outcome(rules, state, text, situation.remaining(len(live.names)))
        faces = codec.action_dice(action)
        if clocks is not None:
            if acts.is_move(action):
                clocks = clock.press(live.control, clocks, now, lag)
            stands = outcome is not None or situation.halted
            clocks = clock.turn_to(clocks, now, None if stands else state.turn)
        rows.append(
            PlyRow(
                number=live.ply + len(rows) + 1,
                seat=actor,
                action=text,
                dice=None if faces is None else codec.encode(faces).decode(),
                events=codec.encode([codec.encode_event(event) for event in step.events]).decode(),
                state=codec.encode_state(rules, state).decode(),
                command=command_id,
                at=at,
                clocks=None if clocks is None else codec.encode(clocks).decode(),
            )
        )
        due = None if outcome is not None else rules.chance(state)
        if due is None:
            return rows, state, clocks, outcome
        actor, command_id = None, None
        action = dice.throw(live.secret, live.words, live.id, live.ply + len(rows) + 1, due)
