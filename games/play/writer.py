"""Turns validated actions into plies, writes them to the store, and broadcasts them once they are durable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from games.domain import clock, codec, dice, instants, match_actions
from games.domain.clock import Clocks
from games.domain.match_actions import Act, MatchFlags
from games.domain.plies import PlyRow
from games.models import Match
from games.net.hub import Hub
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.play import permissions
from games.play.live import LiveMatch, topic
from games.play.signals import call_changed, match_over, match_resumed, match_saved, turn_passed
from games.rules.base import Outcome, Seat
from games.store import bot_queue, history
from games.store.journal import ClockChange, Entry, Journal


class Writer:
    """Hands the plies of this process to the journal.

    Args:
        now: the time in milliseconds.
        set_alarm: called with each match whose clocks a ply has changed.

    Attributes:
        played: called with each match after its ply was stored and broadcast.
    """

    def __init__(
        self,
        hub: Hub,
        now: Callable[[], int],
        journal: Journal,
        set_alarm: Callable[[LiveMatch], None],
    ) -> None:
        self._hub, self._now, self._journal = hub, now, journal
        self._set_alarm = set_alarm
        self.played: Callable[[LiveMatch], None] | None = None

    async def write(
        self, live: LiveMatch, seat: Seat, action: Any, command_id: str | None, now: int, lag: int = 0
    ) -> int:
        """Apply an action and the dice rolls it leads to. Returns the ply number once all is durable.

        Args:
            now: time in milliseconds.
            lag: measured one-way delay of the sender in milliseconds.
        """
        before = await _take_back_state(live, action) if isinstance(action, Act) else None
        played = _plies_of(live, seat, action, command_id, now, lag, before)
        rows, clocks, outcome = played.rows, played.clocks, played.outcome
        bots = _bot_to_move(live, played)

        def stored() -> None:
            mover_before, halted_before = live.mover, live.flags.halted
            live.advance(rows, played.state, played.flags, outcome, clocks)
            self._set_alarm(live)
            self._tell(live, rows)
            if bots:
                self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)
            self._tell_of_saving(live, halted_before)
            if live.mover != mover_before:
                due = None if live.mover is None else instants.deadline(live.control, clocks)
                turn_passed(live.id, live.players, live.mover, due)
            if self.played is not None:
                self.played(live)

        entry = Entry(
            live.id,
            rows,
            stored,
            words=codec.encode(live.words).decode() if live.ply == 0 and live.game.dice else None,
            outcome=None if outcome is None else codec.encode(outcome).decode(),
            status=_status_after(action),
            clock=None
            if clocks is None
            else ClockChange(instants.deadline(live.control, clocks), live.paused),
            bots=bots,
        )
        await self._journal.write(entry)
        return rows[-1].number

    def _tell(self, live: LiveMatch, rows: Sequence[PlyRow]) -> None:
        """Broadcast plies that are stored and cached."""
        message = live.plies_message(rows[0].number - 1, rows)
        if live.clocks is not None:
            message["time"] = self._now()
        self._hub.publish(topic(live.id), message, permissions.for_seats(live))
        if live.outcome is not None:
            spawn(match_over.together(live.id, live.terms))

    def _tell_of_saving(self, live: LiveMatch, halted_before: str) -> None:
        """Send the signals about saving. `halted_before` is the halt state before the last ply."""
        if halted_before == match_actions.SAVED:
            # Any ply voids the offers before it.
            spawn(call_changed.together(live.id))
            if live.running:
                spawn(match_resumed.together(live.id, live.terms))
        elif live.flags.halted == match_actions.SAVED:
            spawn(match_saved.together(live.id, live.terms))


async def _take_back_state(live: LiveMatch, act: Act) -> Any | None:
    """The state that a take-back returns to; None for other actions."""
    return None if act.ply is None else await in_thread(history.state_after)(live.id, act.ply)


class _Played(NamedTuple):
    """The plies of an action, dice rolls included, and the result."""

    rows: list[PlyRow]
    state: Any
    flags: MatchFlags
    clocks: Clocks | None
    outcome: Outcome | None


def _status_after(action: Any) -> str | None:
    """The new status of a match after an action; None if unchanged.

    The end of a match is handled elsewhere.
    """
    if not isinstance(action, Act):
        return None
    return {match_actions.SAVED: Match.Status.SAVED, match_actions.RESUMED: Match.Status.PLAYING}.get(
        action.kind
    )


def _bot_to_move(live: LiveMatch, played: _Played) -> bool | None:
    """Whether a bot is to move next; None if no bot takes part in the match."""
    after = played.flags
    if not (live.levels or after.caretaken or live.flags.caretaken):
        return None
    bots = after.caretaken | live.levels.keys()
    return played.outcome is None and not after.halted and played.state.turn in bots


def _plies_of(  # noqa: PLR0913 - the command and the moment it came
    live: LiveMatch, seat: Seat, action: Any, command_id: str | None, now: int, lag: int, before: Any | None
) -> _Played:
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
            if clocks is live.clocks and live.control.per_move:
                # The same turn goes on: its vacations are counted anew from its beginning.
                clocks = live.without_pause(clocks)
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
            return _Played(rows, state, flags, clocks, outcome)
        actor, command_id = None, None
        action = dice.throw(live.secret, live.words, live.id, live.ply + len(rows) + 1, due)
