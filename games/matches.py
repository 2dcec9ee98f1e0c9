"""The service: nobody else changes a match.

A process keeps the matches it serves in memory, each behind its own lock. A command is judged there
in microseconds, handed to the journal, and answered and told to everyone once it is durable. The
store decides between processes: if the journal says another one was faster, memory is thrown away,
the match is read again and the command is judged anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import orjson
from django.contrib.auth.models import AbstractBaseUser
from django.db import DatabaseError, transaction
from django.dispatch import Signal

from games import codec, dice, history
from games.history import Stored, UnknownMatch
from games.hub import Hub
from games.hub import hub as process_hub
from games.journal import Entry, Journal, Overtaken, PlyRow, Unavailable
from games.messages import MoveCommand, ResignCommand
from games.models import Match, Seating
from games.registry import GAMES, Game
from games.rules.base import Leave, Outcome, Seat, gettext_noop
from games.threads import in_thread

logger = logging.getLogger(__name__)

CATCH_UP_SECONDS = 1.0
"""How long a ply of another process may stay unknown here when the channel layer lost it."""

match_begun = Signal()
"""A rematch began; `match_id`. Whoever calls `create` knows of the match already."""
match_over = Signal()
"""A match ended; `match_id`."""


class Refused(Exception):
    """A command that changed nothing; `code` for programs, `sentence % params` for people."""

    code = "refused"
    sentence = gettext_noop("That is not possible.")

    def __init__(self, **params: object) -> None:
        super().__init__(self.sentence % params)
        self.params = params


class NotSeated(Refused):
    code = "not-seated"
    sentence = gettext_noop("You are watching this match; only its players can do that.")


class Stale(Refused):
    code = "stale"
    sentence = gettext_noop("The position has changed since. Here is the current one.")


class NotYourTurn(Refused):
    code = "not-your-turn"
    sentence = gettext_noop("It is not your turn.")


class GameOver(Refused):
    code = "game-over"
    sentence = gettext_noop("This match is over.")


class NotOver(Refused):
    code = "not-over"
    sentence = gettext_noop("This match is not over yet.")


class AlreadyBegun(Refused):
    code = "already-begun"
    sentence = gettext_noop("The first ply has been played; the dice are settled.")


class TryAgain(Refused):
    """The store failed: whether the command was kept will be known when it is sent again."""

    code = "unavailable"
    sentence = gettext_noop("The server cannot reach its store right now. Please try again.")


@dataclass(slots=True)
class LiveMatch:
    """A match as this process keeps it in memory while somebody is there."""

    id: str
    game: Game
    options: bytes
    start: bytes
    players: dict[int, Seat]
    names: tuple[str, ...]
    secret: str
    words: tuple[str, ...]
    state: Any
    state_json: str
    ply: int
    answers: dict[tuple[Seat, str], int]
    offered: tuple[Seat, ...]
    rematch: str | None
    outcome: Outcome | None = None
    behind: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def of(cls, stored: Stored) -> LiveMatch:
        match, last = stored.match, stored.last
        game = GAMES[match.game]
        state_json = match.start if last is None else last.state
        state = codec.decode(game.rules.State, orjson.loads(state_json))
        return cls(
            id=match.pk,
            game=game,
            options=match.options.encode(),
            start=match.start.encode(),
            players=dict(stored.players),
            names=stored.names,
            secret=match.secret,
            words=stored.words,
            state=state,
            state_json=state_json,
            ply=0 if last is None else last.number,
            answers=stored.answers,
            offered=stored.offered,
            rematch=stored.rematch,
            outcome=game.rules.outcome(state),
        )

    def seat_of(self, user_id: int | None) -> Seat | None:
        """The seat of a user, None for everyone who watches."""
        return None if user_id is None else self.players.get(user_id)

    def legal(self) -> list[str]:
        """The moves open to the seat on turn, as text."""
        return [str(move) for move in self.game.rules.legal_moves(self.state)]

    def advance(self, rows: Sequence[PlyRow], state: Any, outcome: Outcome | None) -> None:
        """Move memory on to the end of `rows`, which are in the store."""
        command: tuple[Seat, str] | None = None
        for row in rows:
            if row.seat is not None:
                command = None if row.command is None else (row.seat, row.command)
            if command is not None:
                self.answers[command] = row.number
        self.ply, self.state_json = rows[-1].number, rows[-1].state
        self.state, self.outcome = state, outcome

    def outcome_fields(self) -> dict[str, Any] | None:
        """The outcome as it goes over the wire."""
        outcome = self.outcome
        if outcome is None:
            return None
        return {"winners": outcome.winners, "reason": outcome.reason, "scores": outcome.scores}

    def plies_message(self, after: int, rows: Sequence[PlyRow]) -> dict[str, Any]:
        """The message that carries `rows`, the stored plies since `after`.

        With the last ply of the match go its outcome and the secret of its dice.
        """
        complete = self.ply == (rows[-1].number if rows else after)
        outcome = self.outcome_fields() if complete else None
        message = history.plies_message(after, rows, outcome)
        if outcome is not None and self.game.dice:
            message["secret"] = self.secret
        return message

    def for_the_seat_on_turn(self) -> dict[str, Any]:
        """What the hub adds for one seat alone: its legal moves."""
        return {} if self.outcome is not None else {"seat": self.state.turn, "legal": self.legal()}

    def position(self, seat: Seat | None) -> dict[str, Any]:
        """Where the match stands, as `seat` may know it."""
        fields: dict[str, Any] = {"ply": self.ply, "state": orjson.Fragment(self.state_json)}
        if seat is not None and seat == self.state.turn and self.outcome is None:
            fields["legal"] = self.legal()
        return fields

    def dice(self) -> dict[str, Any] | None:
        """What makes the dice verifiable, for games that throw any."""
        return dice.published(self.secret, self.words, self.outcome is not None) if self.game.dice else None

    def odds(self) -> float | None:
        """The chance that this game tells on request, if it has one and the position raises the question."""
        chance = self.game.odds.of(self.state) if self.game.odds else None
        return None if chance is None else float(chance)


@transaction.atomic
def create(
    game_slug: str,
    options: Any,
    users: Sequence[AbstractBaseUser],
    first: Seat = 0,
    rematch_of: Match | None = None,
) -> Match:
    """Begin a match: `users` by seat, `first` moves first. Raises `BadOptions` and stores nothing."""
    game = GAMES[game_slug]
    start = game.rules.setup(options, len(users), first)
    match = Match.objects.create(
        game=game_slug,
        options=codec.encode(options).decode(),
        start=codec.encode(start).decode(),
        rematch_of=rematch_of,
    )
    Seating.objects.bulk_create(
        Seating(match=match, seat=seat, user_id=user.pk) for seat, user in enumerate(users)
    )
    return match


class Matches:
    """The matches this process serves."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._journal = Journal()
        self._live: dict[str, LiveMatch] = {}
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._keeping_up = False
        hub.listen("match", self._hear)

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

    def forget(self, match_id: str) -> None:
        """Drop a match from memory once nobody here looks at it."""
        live = self._live.get(match_id)
        if live is not None and not live.lock.locked() and not self._hub.sockets(topic(match_id)):
            del self._live[match_id]

    async def close(self) -> None:
        """Write what is waiting; nothing is played afterwards."""
        await self._journal.close()

    # Commands

    async def play(self, match_id: str, user_id: int | None, command: MoveCommand | ResignCommand) -> int:
        """Play a command and return the number of the last ply it made, once that is durable.

        The same id by the same seat returns the same number, however often and wherever it is sent.
        Raises `UnknownMatch`, `Refused` or `IllegalMove`, and then nothing has changed.
        """
        read_again = False
        while True:
            live = await self.get(match_id)
            async with live.lock:
                seat = live.seat_of(user_id)
                if seat is None:
                    raise NotSeated
                if command.after > live.ply and not read_again:
                    # The sender knows more than this process: perhaps another one told them.
                    live.behind = read_again = True
                if live.behind:
                    continue
                try:
                    return await self._act(live, seat, command)
                except Overtaken:
                    live.behind = True
                except Unavailable as error:
                    live.behind = True
                    raise TryAgain from error

    async def _act(self, live: LiveMatch, seat: Seat, command: MoveCommand | ResignCommand) -> int:
        answer = live.answers.get((seat, command.id))
        if answer is not None:
            return answer
        if live.outcome is not None:
            raise GameOver
        if command.after != live.ply:
            raise Stale
        if isinstance(command, ResignCommand):
            action: Any = Leave(seat, "resigned")
        else:
            action = live.game.rules.parse(command.move)
            if live.state.turn != seat:
                raise NotYourTurn
        return await self._write(live, seat, action, command.id)

    async def _write(self, live: LiveMatch, seat: Seat, action: Any, command_id: str | None) -> int:
        """Apply an action and the throws it leads to, and return once all of it is durable."""
        rows, state = _apply(live, seat, action, command_id)
        outcome = live.game.rules.outcome(state)

        def stored() -> None:
            live.advance(rows, state, outcome)
            self._tell(live, rows)

        entry = Entry(
            live.id,
            rows,
            stored,
            words=codec.encode(live.words).decode() if live.ply == 0 and live.game.dice else None,
            outcome=None if outcome is None else codec.encode(outcome).decode(),
        )
        await self._journal.write(entry)
        return rows[-1].number

    async def rematch(self, match_id: str, user_id: int | None) -> str | None:
        """Offer a rematch or accept one; the id of the new match once every seat wants it.

        Raises `UnknownMatch`, `NotSeated` or `NotOver`.
        """
        live = await self.get(match_id)
        seat = live.seat_of(user_id)
        if seat is None:
            raise NotSeated
        if live.outcome is None:
            raise NotOver
        begun, live.offered, live.rematch = await in_thread(_want_rematch)(match_id, seat)
        if begun:
            self._hub.spawn(_signal(match_begun, live.rematch))
        message = {"type": "rematch", "offered": live.offered, "match": live.rematch}
        self._hub.publish(topic(match_id), message)
        return live.rematch

    async def add_words(self, match_id: str, user_id: int | None, words: str) -> None:
        """Mix a seat's own words into the dice. Raises `UnknownMatch`, `NotSeated` or `AlreadyBegun`."""
        live = await self.get(match_id)
        async with live.lock:
            seat = live.seat_of(user_id)
            if seat is None:
                raise NotSeated
            if live.ply > 0:
                raise AlreadyBegun
            live.words = await in_thread(_store_words)(match_id, seat, words)
            self._hub.publish(topic(match_id), {"type": "words", "words": live.words})

    # What everyone is told

    def _tell(self, live: LiveMatch, rows: Sequence[PlyRow]) -> None:
        """Tell everyone of plies that are in the store and in memory."""
        message = live.plies_message(rows[0].number - 1, rows)
        self._hub.publish(topic(live.id), message, **live.for_the_seat_on_turn())
        if live.outcome is not None:
            self._hub.spawn(_signal(match_over, live.id))

    def _hear(self, heard_topic: str, payload: bytes) -> None:
        """Follow what another process wrote, or remember to read it."""
        live = self._live.get(heard_topic.partition(".")[2])
        if live is None:
            return
        message = orjson.loads(payload)
        if message["type"] == "plies":
            self._follow(live, message["after"], [history.row_of(fields) for fields in message["plies"]])
        elif message["type"] in ("words", "rematch"):
            live.behind = True

    def _follow(self, live: LiveMatch, after: int, rows: Sequence[PlyRow]) -> None:
        if rows[-1].number <= live.ply:
            return
        # The first ply freezes the words of the dice, and the store knows which.
        if after != live.ply or after == 0 or live.lock.locked():
            live.behind = True
            return
        try:
            state = codec.decode(live.game.rules.State, rows[-1].state)
        except codec.Undecodable:
            # Another version of the code wrote it; this one may still understand the whole.
            live.behind = True
            return
        live.advance(rows, state, live.game.rules.outcome(state))

    # Reading

    async def _load(self, match_id: str) -> LiveMatch:
        try:
            live = LiveMatch.of(await in_thread(history.load)(match_id))
        except DatabaseError as error:
            raise TryAgain from error
        old = self._live.get(match_id)
        if old is not None:
            # Whoever waits for the old lock finds the old memory marked and comes back for the new.
            old.behind = True
        self._live[match_id] = live
        if self._hub.remote and not self._keeping_up:
            self._keeping_up = True
            self._hub.spawn(self._keep_up())
        return live

    async def _keep_up(self) -> None:
        """Find plies that the channel layer lost, for as long as this process runs."""
        while True:
            await asyncio.sleep(CATCH_UP_SECONDS)
            try:
                await self._catch_up()
            except Exception:
                # The database may be away for a while; this must still run when it is back.
                logger.exception("could not look for lost plies")

    async def _catch_up(self) -> None:
        watched = {t.partition(".")[2] for t in self._hub.topics("match")}
        numbers = await in_thread(history.last_numbers)(watched)
        for match_id, number in numbers.items():
            live = self._live.get(match_id)
            if live is not None and (live.behind or number > live.ply) and not live.lock.locked():
                after = live.ply
                live.behind = True
                fresh = await self.get(match_id)
                rows = await in_thread(history.plies_since)(match_id, after)
                if rows:
                    message = fresh.plies_message(after, rows)
                    self._hub.tell_here(topic(match_id), message, **fresh.for_the_seat_on_turn())


def topic(match_id: str) -> str:
    """The hub's topic of a match."""
    return f"match.{match_id}"


def _apply(live: LiveMatch, seat: Seat, action: Any, command_id: str | None) -> tuple[list[PlyRow], Any]:
    """The plies that `action` makes, throws of dice included, and the state they lead to."""
    rules, state = live.game.rules, live.state
    rows: list[PlyRow] = []
    actor: Seat | None = seat
    while True:
        step = rules.play(state, action)
        state = step.state
        faces = codec.action_dice(action)
        rows.append(
            PlyRow(
                number=live.ply + len(rows) + 1,
                seat=actor,
                action=codec.action_text(action),
                dice=None if faces is None else codec.encode(faces).decode(),
                events=codec.encode([codec.encode_event(event) for event in step.events]).decode(),
                state=codec.encode(state).decode(),
                command=command_id,
                at=datetime.now(UTC),
            )
        )
        due = rules.chance(state)
        if due is None:
            return rows, state
        actor, command_id = None, None
        action = dice.throw(live.secret, live.words, live.id, live.ply + len(rows) + 1, due)


@transaction.atomic
def _want_rematch(match_id: str, seat: Seat) -> tuple[bool, tuple[Seat, ...], str | None]:
    """Note that a seat wants a rematch; begin it when all do.

    Returns whether it began now, who wants it, and the id of the rematch if there is one.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    Seating.objects.filter(match=match, seat=seat).update(wants_rematch=True)
    seatings = list(Seating.objects.filter(match=match).select_related("user"))
    offered = tuple(s.seat for s in seatings if s.wants_rematch)
    known = Match.objects.filter(rematch_of=match).values_list("pk", flat=True).first()
    if known is not None or len(offered) < len(seatings):
        return False, offered, known
    rules = GAMES[match.game].rules
    start = codec.decode(rules.State, orjson.loads(match.start))
    # Everyone moves one seat on, so that another player has the first move.
    users = [s.user for s in seatings[1:] + seatings[:1]]
    return True, offered, create(match.game, start.options, users, start.turn, rematch_of=match).pk


@transaction.atomic
def _store_words(match_id: str, seat: Seat, words: str) -> tuple[str, ...]:
    """Store a seat's words and return everyone's. Raises `AlreadyBegun`."""
    match = Match.objects.select_for_update().get(pk=match_id)
    if match.words is not None:
        raise AlreadyBegun
    Seating.objects.filter(match=match, seat=seat).update(words=words)
    return tuple(Seating.objects.filter(match=match).order_by("seat").values_list("words", flat=True))


async def _signal(signal: Signal, match_id: str | None) -> None:
    await signal.asend(sender=Match, match_id=match_id)


matches = Matches(process_hub)
"""The matches of this process."""

__all__ = ["Matches", "Refused", "UnknownMatch", "create", "match_begun", "match_over", "matches"]
