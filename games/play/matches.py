"""The service: nobody else changes a match.

A process keeps the matches it serves in memory, each behind its own lock. A command is judged there
in microseconds, handed to the journal, and answered and told to everyone once it is durable. The
store decides between processes: if the journal says another one was faster, memory is thrown away,
the match is read again and the command is judged anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Sequence, Set
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import orjson
from django.db import DatabaseError

from games.law import absence, acts, clock, codec, instants, offers
from games.law.absence import Away
from games.law.acts import Act
from games.law.clock import Clocks
from games.law.messages import (
    AbortCommand,
    ClaimCommand,
    DeclineCommand,
    MoveCommand,
    OfferKind,
    PlyCommand,
    ReclaimCommand,
    ResignCommand,
)
from games.law.offers import Offers
from games.law.plies import PlyRow, row_of
from games.law.refusals import (
    GameOver,
    HasLeft,
    OutOfTime,
    Stale,
    TryAgain,
)
from games.net.every import every
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.threads import in_thread
from games.play import begin, judge, permissions, plies
from games.play.announcements import (
    call_changed,
    match_over,
    match_resumed,
    match_saved,
    rated_rematch_wanted,
    turn_passed,
)
from games.play.live import LiveMatch
from games.rules.base import Leave, Seat
from games.store import agreements, bot_queue, heartbeat, history
from games.store.heartbeat import Heart
from games.store.history import Stored, UnknownMatch
from games.store.journal import ClockChange, Entry, Journal, Overtaken, Unavailable

T = TypeVar("T")

CATCH_UP_SECONDS = 1.0
"""How long a ply of another process may stay unknown here when the channel layer lost it."""

TIDY_SECONDS = 60.0
"""How often matches are dropped that were being read or played when the last who looked at them went."""

ALARM_WITHIN = 3600.0
"""Seconds ahead for which a process sets itself an alarm; later deadlines are left to the heartbeat."""

NOBODY_AWAY: Away = MappingProxyType({})


class Matches:
    """The matches this process serves."""

    def __init__(self, hub: Hub, now: Callable[[], int] = instants.now) -> None:
        self._hub = hub
        self._now = now
        self._heart = Heart(now, self.flag, self._clocks_were_paused)
        self._always: list[asyncio.Task[None]] = []
        self._journal = Journal()
        self._live: dict[str, LiveMatch] = {}
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        hub.listen("match", self._hear)
        hub.listen("renamed", self._hear_renamed)

    async def get(self, match_id: str) -> LiveMatch:
        """The match in memory, read from the store if need be. Raises `UnknownMatch` or `TryAgain`."""
        live = self._live.get(match_id)
        if live is not None and not live.behind:
            return live
        loading = self._loading.get(match_id)
        if loading is None:
            loading = self._loading[match_id] = asyncio.ensure_future(self._load(match_id))
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        # Several may wait for one reading; one that goes away must not take it from the others.
        return await asyncio.shield(loading)

    async def up_to_date(self, match_id: str) -> LiveMatch:
        """`get`, also where nobody here looks at the match and so nothing is heard of it."""
        live = self._live.get(match_id)
        if live is not None:
            numbers = await in_thread(history.last_numbers)([match_id])
            live.behind = live.behind or numbers.get(match_id, 0) > live.ply
        return await self.get(match_id)

    def in_memory(self, match_id: str) -> LiveMatch | None:
        """The match as it is in memory, which it is for as long as somebody here looks at it."""
        return self._live.get(match_id)

    def forget(self, match_id: str) -> None:
        """Drop a match from memory once nobody here looks at it."""
        live = self._live.get(match_id)
        if live is not None and not live.lock.locked() and not self._hub.sockets(topic(match_id)):
            live.silence()
            # Whoever is about to act on it comes back for the memory that others will look at.
            live.behind = True
            del self._live[match_id]

    def begin(self) -> None:
        """Take part in the heartbeat of the site, tidy up, and look for what was lost, from now on."""
        works = [every(heartbeat.EVERY, self._heart.once), every(TIDY_SECONDS, self._tidy)]
        if self._hub.remote:
            works.append(every(CATCH_UP_SECONDS, self._catch_up))
        self._always = [self._hub.spawn(work) for work in works]

    async def close(self) -> None:
        """Write what is waiting; nothing is played afterwards."""
        for live in self._live.values():
            live.silence()
        for task in self._always:
            task.cancel()
        await self._journal.close()

    async def _tidy(self) -> None:
        """Drop what `forget` could not drop when it was asked to."""
        for match_id in tuple(self._live):
            self.forget(match_id)

    # Commands

    async def play(
        self,
        match_id: str,
        user_id: int | None,
        command: PlyCommand,
        lag: int = 0,
        away: Away = NOBODY_AWAY,
    ) -> int:
        """Carry a command out and return the number of the last ply, once all of it is durable.

        The same id by the same seat returns the same number, however often and wherever it is sent. `lag`
        is the sender's measured distance in milliseconds, which their clock may be credited with; `away`
        says since when each absent player has been away.
        Raises `UnknownMatch`, `Refused` or `IllegalMove`, and then the command has changed nothing.
        """
        read_again = False

        async def act(live: LiveMatch) -> int:
            nonlocal read_again
            seat = judge.seated(live, user_id)
            if command.after > live.ply and not read_again:
                # The sender knows more than this process: perhaps another one told them.
                read_again = True
                raise Overtaken
            return await self._act(live, seat, command, lag, away)

        return await self._judge(match_id, act)

    async def _judge(self, match_id: str, act: Callable[[LiveMatch], Awaitable[T]]) -> T:
        """Let `act` decide on the match as the store has it, anew whenever another process was faster."""
        while True:
            live = await self.get(match_id)
            if live.control.live:
                await self._sure()
            async with live.lock:
                if live.behind:
                    continue
                try:
                    return await act(live)
                except Overtaken:
                    live.behind = True
                except Unavailable as error:
                    live.behind = True
                    raise TryAgain from error

    async def leave(self, match_id: str, user_id: int) -> None:
        """Resign whatever has been played meanwhile; nothing happens to who has left or a match that is over.

        Raises `UnknownMatch`, `NotSeated` or `TryAgain`.
        """
        command = ResignCommand(type="resign", id=secrets.token_urlsafe(16), after=0)
        while True:
            live = await self.get(match_id)
            try:
                await self.play(match_id, user_id, command.model_copy(update={"after": live.ply}))
            except Stale:
                continue
            except (GameOver, HasLeft):
                pass
            return

    async def _act(
        self,
        live: LiveMatch,
        seat: Seat,
        command: PlyCommand,
        lag: int = 0,
        away: Away = NOBODY_AWAY,
        caretaker: bool = False,
    ) -> int:
        """Judge a command of a seat, or of the bot that keeps its chair, and carry it out."""
        answer = live.answers.get((seat, command.id))
        if answer is not None:
            return answer
        now = self._now()
        if live.clocks is not None and live.flagged(now):
            late = seat == live.clocks.running and isinstance(command, MoveCommand)
            await self._drop_flag(live, now)
            if late:
                raise OutOfTime
        judge.takes_part(live, seat, command)
        if isinstance(command, DeclineCommand):
            return await self._decline(live, seat, command)
        action = await self._decide(live, seat, command, away, now, caretaker)
        if action is None:
            return live.ply
        try:
            return await self._write(live, seat, action, None if caretaker else command.id, now, lag)
        except clock.OutOfTime:
            await self._drop_flag(live, now)
            raise OutOfTime from None

    async def _decide(
        self, live: LiveMatch, seat: Seat, command: PlyCommand, away: Away, now: int, caretaker: bool
    ) -> Any | None:
        """The action that a command comes to; None if there is none yet, since others have to agree."""
        match command:
            case MoveCommand(move=text):
                return judge.move(live, seat, text, caretaker)
            case ResignCommand():
                return Leave(seat, "resigned")
            case AbortCommand():
                return judge.aborted(live, seat)
            case ClaimCommand(kind=kind):
                return judge.claimed(live, seat, kind, absence.gone(live.control, away, now))
            case ReclaimCommand():
                return judge.reclaimed(live, seat)
            case _:
                gone = absence.gone(live.control, away, now)
                return await self._offer(live, (seat, command.id), command.kind, gone, now)

    async def _offer(
        self, live: LiveMatch, command: tuple[Seat, str], kind: OfferKind, gone: Set[Seat], now: int
    ) -> Act | None:
        """Note an offer, or that a seat agrees to one; what is done once nobody is left to ask."""
        seat, _ = command
        by = offers.proposer(live.offers, kind, seat, now)
        needed, act = judge.offered(live, kind, seat, by, gone)
        computers = live.levels.keys() & needed
        open_now, offer = await in_thread(agreements.agree)(live.id, live.ply, command, kind, now, computers)
        if offer is not None and offer.by != by:
            raise Overtaken
        if offer is not None and needed <= set(offer.agreed):
            return act
        self._tell_offers(live, open_now)
        if computers:
            self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)
        return None

    async def _decline(self, live: LiveMatch, seat: Seat, command: DeclineCommand) -> int:
        decline, told = in_thread(agreements.decline), (seat, command.id)
        self._tell_offers(live, await decline(live.id, live.ply, told, command.kind, self._now()))
        return live.ply

    def _tell_offers(self, live: LiveMatch, open_now: Offers) -> None:
        live.offers = open_now
        self._hub.publish(topic(live.id), live.offers_message(), permissions.for_seats(live))
        if live.situation.halted == acts.SAVED:
            self._hub.spawn(call_changed.together(live.id))

    def _tell_of_saving(self, live: LiveMatch, halted_before: str) -> None:
        """Announce what the last ply means for saving; `halted_before` is how the match stood before it."""
        if halted_before == acts.SAVED:
            # Whatever the ply is, nothing that was offered before it stands any more.
            self._hub.spawn(call_changed.together(live.id))
            if live.running:
                self._hub.spawn(match_resumed.together(live.id))
        elif live.situation.halted == acts.SAVED:
            self._hub.spawn(match_saved.together(live.id))

    async def _write(
        self, live: LiveMatch, seat: Seat, action: Any, command_id: str | None, now: int, lag: int = 0
    ) -> int:
        """Apply an action and the throws it leads to, and return once all of it is durable."""
        before = await self._state_to_go_back_to(live, action)
        rows, state, clocks, outcome = plies.plies_of(live, seat, action, command_id, now, lag, before)

        def stored() -> None:
            mover_before, halted_before = live.mover(), live.situation.halted
            live.advance(rows, state, outcome, clocks)
            self._set_alarm(live)
            self._tell(live, rows)
            if live.bot_to_move:
                self._hub.publish(bot_queue.TOPIC, bot_queue.WAKE)
            self._tell_of_saving(live, halted_before)
            mover = live.mover()
            if mover != mover_before:
                turn_passed(live.id, live.players, mover)

        entry = Entry(
            live.id,
            rows,
            stored,
            words=codec.encode(live.words).decode() if live.ply == 0 and live.game.dice else None,
            outcome=None if outcome is None else codec.encode(outcome).decode(),
            status=plies.status_after(action),
            clock=None if clocks is None else ClockChange(plies.deadline(live.control, clocks), live.paused),
            bots=plies.bot_to_move(live, rows, state, outcome),
        )
        await self._journal.write(entry)
        return rows[-1].number

    async def _state_to_go_back_to(self, live: LiveMatch, action: Any) -> Any | None:
        """The state that a take-back leads to, None for anything else."""
        if not isinstance(action, Act) or action.ply is None:
            return None
        return await in_thread(history.state_after)(live.id, action.ply)

    async def play_for(self, match_id: str, ply: int, move: str) -> None:
        """Play for somebody whose chair a bot keeps, unless the match has gone on since `ply`.

        Raises `UnknownMatch`, `Refused` or `IllegalMove`.
        """
        # A ply of a bot carries no id: what it was made after is enough to play it only once.
        command = MoveCommand(type="move", id=f"caretaker-{ply}", after=ply, move=move)

        async def act(live: LiveMatch) -> int:
            return await self._act(live, live.state.turn, command, caretaker=True)

        await self._judge(match_id, act)

    # Time

    async def flag(self, match_id: str) -> None:
        """Let the flag of the seat on turn fall, if its time is up. Raises `UnknownMatch` or `TryAgain`.

        Any process may try: the number of the ply lets one of them write it, and a move that came first
        has taken the number.
        """

        async def act(live: LiveMatch) -> None:
            now = self._now()
            if live.flagged(now):
                await self._drop_flag(live, now)
            else:
                # The store may know of a deadline that this memory does not.
                live.behind = True

        await self._judge(match_id, act)
        self.forget(match_id)

    async def _drop_flag(self, live: LiveMatch, now: int) -> None:
        """The seat on turn loses by time, or never came and the match is aborted."""
        assert live.clocks is not None
        assert live.clocks.running is not None
        seat = live.clocks.running
        action = Act(acts.ABORTED, seat) if seat in live.clocks.fresh else Leave(seat, "time")
        await self._write(live, seat, action, None, now)

    def _set_alarm(self, live: LiveMatch) -> None:
        """Look at a clock again when its time is up. Only a hint: the heartbeat finds every deadline."""
        live.silence()
        due = None if live.clocks is None else clock.deadline(live.control, live.clocks)
        if due is None:
            return
        wait = max(0, due - self._now()) / 1000
        if wait < ALARM_WITHIN:
            ring = partial(self._ring, live.id)
            live.alarm = asyncio.get_running_loop().call_later(wait, ring)

    def _ring(self, match_id: str) -> None:
        live = self._live.get(match_id)
        if live is not None and not live.behind and not live.flagged(self._now()):
            # A busy event loop counts from when it last looked at the time, and rings early.
            self._set_alarm(live)
        else:
            self._hub.spawn(self._flag_or_leave_it(match_id))

    async def _flag_or_leave_it(self, match_id: str) -> None:
        with contextlib.suppress(UnknownMatch, TryAgain):
            await self.flag(match_id)

    async def _sure(self) -> None:
        """Return once it is known for how long the site was away. Raises `TryAgain`."""
        try:
            await self._heart.sure()
        except DatabaseError as error:
            raise TryAgain from error

    def _clocks_were_paused(self) -> None:
        """The site was away: read every live match again and tell those who look at it."""
        for live in self._live.values():
            if live.control.live and live.outcome is None:
                live.behind = True
                if self._hub.sockets(topic(live.id)):
                    self._hub.spawn(self._tell_clocks(live.id))

    async def _tell_clocks(self, match_id: str) -> None:
        with contextlib.suppress(TryAgain):
            live = await self.get(match_id)
            message = {"type": "clocks", "ply": live.ply, **live.clock_fields(self._now())}
            self._hub.tell_here(topic(match_id), message)

    async def rematch(self, match_id: str, user_id: int | None) -> str | None:
        """Offer a rematch or accept one; the id of the new match once every seat wants it.

        Raises `UnknownMatch`, `NotSeated`, `NotOver` or what a listener of `rated_rematch_wanted` raises.
        """
        live = await self.get(match_id)
        seat = judge.seated(live, user_id)
        judge.another_match(live)
        assert user_id is not None
        if live.terms.rated:
            await in_thread(rated_rematch_wanted)(user_id)

        async def want(live: LiveMatch) -> str | None:
            live.offered, live.rematch = await in_thread(begin.want_rematch)(match_id, seat)
            self._hub.spawn(call_changed.together(match_id))
            self._hub.publish(topic(match_id), live.rematch_message())
            return live.rematch

        return await self._judge(match_id, want)

    async def add_words(self, match_id: str, user_id: int | None, words: str) -> None:
        """Mix a seat's own words into the dice. Raises `UnknownMatch`, `NotSeated` or `AlreadyBegun`."""

        async def add(live: LiveMatch) -> None:
            seat = judge.seated(live, user_id)
            judge.words_open(live)
            live.words = await in_thread(agreements.add_words)(match_id, seat, words)
            self._hub.publish(topic(match_id), live.words_message())

        await self._judge(match_id, add)

    async def hide_crowd(self, match_id: str, user_id: int | None, hidden: bool) -> tuple[Seat, ...]:
        """Hide who watches, or do so no longer as far as this seat goes; the seats that want it hidden.

        `games.watch.crowd` tells of it. Raises `UnknownMatch` or `NotSeated`.
        """

        async def hide(live: LiveMatch) -> tuple[Seat, ...]:
            seat = judge.seated(live, user_id)
            live.hidden_by = await in_thread(agreements.hide_crowd)(match_id, seat, hidden)
            return live.hidden_by

        return await self._judge(match_id, hide)

    # What everyone is told

    def _tell(self, live: LiveMatch, rows: Sequence[PlyRow]) -> None:
        """Tell everyone of plies that are in the store and in memory."""
        message = live.plies_message(rows[0].number - 1, rows)
        if live.clocks is not None:
            message["time"] = self._now()
        self._hub.publish(topic(live.id), message, permissions.for_seats(live))
        if live.outcome is not None:
            self._hub.spawn(match_over.together(live.id))

    def _hear(self, heard_topic: str, payload: bytes) -> None:
        """Follow what another process wrote, or remember to read it."""
        live = self._live.get(heard_topic.partition(".")[2])
        if live is None:
            return
        message = orjson.loads(payload)
        if message["type"] == "plies":
            self._follow(live, message["after"], [row_of(fields) for fields in message["plies"]])
        elif message["type"] in ("words", "rematch", "offers"):
            live.behind = True

    def _follow(self, live: LiveMatch, after: int, rows: Sequence[PlyRow]) -> None:
        if rows[-1].number <= live.ply:
            return
        # The first ply freezes the words of the dice, and the store knows which.
        if after != live.ply or after == 0 or live.lock.locked():
            live.behind = True
            return
        last = rows[-1]
        try:
            state = codec.decode_state(live.game.rules, last.state)
            clocks = None if last.clocks is None else codec.decode(Clocks, last.clocks)
        except codec.Undecodable:
            # Another version of the code wrote it; this one may still understand the whole.
            live.behind = True
            return
        situation = live.situation_after(rows)
        outcome = acts.outcome(live.game.rules, state, last.action, situation.remaining(len(live.names)))
        live.advance(rows, state, outcome, clocks)
        self._set_alarm(live)

    def renamed(self, user_id: int) -> None:
        """Somebody has another name: have every process read their matches anew; from any thread."""
        self._hub.tell_everyone("renamed", {"user": user_id})

    def _hear_renamed(self, _topic: str, payload: bytes) -> None:
        user_id = orjson.loads(payload)["user"]
        for live in self._live.values():
            if user_id in live.players:
                live.behind = True

    # Reading

    async def _load(self, match_id: str) -> LiveMatch:
        old = self._live.get(match_id)
        try:
            live = LiveMatch.of(await self._read(match_id))
            missed = [] if old is None else await self._missed(old.ply, live)
        except DatabaseError as error:
            raise TryAgain from error
        if old is not None:
            # Whoever waits for the old lock finds the old memory marked and comes back for the new.
            old.behind = True
            old.silence()
        self._live[match_id] = live
        self._set_alarm(live)
        if old is not None:
            self._tell_what_was_lost(old, live, missed)
        return live

    async def _read(self, match_id: str) -> Stored:
        """The match as it is stored, with every gap that its clocks are not charged for."""
        while True:
            gaps = self._heart.gaps
            stored = await in_thread(history.load)(match_id)
            if stored.match.deadline is None or (gaps is not None and gaps == self._heart.gaps):
                return stored
            # The reading may be older than the note of a gap.
            await self._sure()

    async def _catch_up(self) -> None:
        """Find what the channel layer lost."""
        watched = {t.partition(".")[2] for t in self._hub.topics("match")}
        numbers = await in_thread(history.last_numbers)(watched)
        for match_id, asides in (await in_thread(history.asides)(watched, numbers)).items():
            live = self._live.get(match_id)
            if live is None or live.lock.locked():
                continue
            if live.behind or numbers.get(match_id, 0) > live.ply or asides != live.asides():
                live.behind = True
                await self.get(match_id)

    async def _missed(self, after: int, live: LiveMatch) -> list[PlyRow]:
        """The plies by which reading moves memory on; what came since is told by whoever brings it."""
        if live.ply <= after:
            return []
        rows = await in_thread(history.plies_since)(live.id, after)
        return [row for row in rows if row.number <= live.ply]

    def _tell_what_was_lost(self, old: LiveMatch, live: LiveMatch, missed: Sequence[PlyRow]) -> None:
        """Memory has moved on by reading: tell those who look at the match here what led there."""
        if missed:
            message = live.plies_message(missed[0].number - 1, missed)
            self._hub.tell_here(topic(live.id), message, permissions.for_seats(live))
        if (old.offered, old.rematch) != (live.offered, live.rematch):
            self._hub.tell_here(topic(live.id), live.rematch_message())
        if old.offers != live.offers:
            self._hub.tell_here(topic(live.id), live.offers_message(), permissions.for_seats(live))
        if old.words != live.words and live.game.dice:
            self._hub.tell_here(topic(live.id), live.words_message())


def topic(match_id: str) -> str:
    """The hub's topic of a match."""
    return f"match.{match_id}"


matches = Matches(process_hub)
"""The matches of this process."""
