"""A match in memory: its position, and the message fields derived from it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import orjson
from django.conf import settings

from games.domain import absence, clock, codec, dice, instants, match_actions
from games.domain.clock import Clocks, Control, Period
from games.domain.match_actions import Line, Logged, MatchFlags
from games.domain.offers import Offers
from games.domain.plies import HeardPly, PlyRow
from games.domain.position import of_start
from games.domain.terms import EVERY_SEAT, FRIENDLY, Terms, seats_of
from games.registry import GAMES, Game
from games.rules.base import Outcome, Seat
from games.store.history import MatchChanges, Stored

Vacations: TypeAlias = Mapping[int, Sequence[Period]]
"""Vacations by user, in order of time."""


@dataclass(slots=True)
class LiveMatch:
    """A match cached by this process while it is viewed or played here.

    Attributes:
        players: seat by user id; in a hot-seat match the host has `EVERY_SEAT`, and a user at whose device
            others play has `several_seats`.
        users: the inverse of `players`.
        levels: levels of the computer players, by seat.
        people: seats of human players.
        shared: whether it is a hot-seat match.
        from_position: whether it began elsewhere than at the start of the game.
        line: the plies of the game that led to `state`.
        mover: id of the user who is to move; None if it is a bot or no one.
        timed: whether there is a clock at all.
        in_real_time: whether there is a clock for play in real time.
        kind: equal for matches in which the same positions allow the same actions.
        gone: seats of players who cannot play any more.
        asked_back: seats that have asked to resume the match since it was saved.
        moved_at: time of the last ply or of the beginning, in milliseconds.
        vacations: the vacations of the players in a match with days for each move, by user.
        behind: whether the cache is stale, so that the match must be reloaded.
    """

    id: str
    game: Game
    options: bytes
    start: bytes
    from_position: bool
    players: dict[int, Seat]
    names: tuple[str, ...]
    secret: str
    words: tuple[str, ...]
    levels: Mapping[Seat, int]
    state: Any
    ply: int
    answers: dict[tuple[Seat, str], int]
    offered: tuple[Seat, ...]
    rematch: str | None
    hidden_by: tuple[Seat, ...]
    gone: frozenset[Seat]
    control: Control
    shared: bool = False
    terms: Terms = FRIENDLY
    flags: MatchFlags = field(default_factory=MatchFlags)
    line: Line = field(default_factory=list)
    offers: Offers = ()
    asked_back: frozenset[Seat] = frozenset()
    clocks: Clocks | None = None
    paused: int = 0
    moved_at: int = 0
    vacations: Vacations = field(default_factory=dict)
    alarm: asyncio.TimerHandle | None = None
    outcome: Outcome | None = None
    behind: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: dict[Seat, int] = field(init=False)
    people: tuple[Seat, ...] = field(init=False)
    mover: int | None = field(init=False)
    kind: tuple[Any, ...] = field(init=False)
    timed: bool = field(init=False)
    in_real_time: bool = field(init=False)

    def __post_init__(self) -> None:
        self.users = {seat: user for user, seat in self.players.items()}
        self.people = tuple([seat for seat in self.users if seat not in self.levels])
        self.mover = self._mover()
        self.timed, self.in_real_time = self.control.timed, self.control.live
        # Everything that permissions depend on besides the position (`games.play.permissions`).
        self.kind = (
            self.shared,
            len(self.names),
            frozenset(self.levels),
            self.game.draws,
            self.game.dice,
            self.terms.rated,
            self.in_real_time,
            self.absence() is None,
        )

    @classmethod
    def of(cls, stored: Stored, vacations: Vacations = MappingProxyType({})) -> LiveMatch:
        """The match of stored rows, with the vacations that count in it."""
        match, last = stored.match, stored.last
        game = GAMES[match.game]
        start = codec.decode_state(game.rules, match.start)
        state = start if last is None else codec.decode_state(game.rules, last.state)
        return cls(
            id=match.pk,
            game=game,
            options=match.options.encode(),
            start=match.start.encode(),
            from_position=of_start(game, start, len(stored.names)) is not None,
            players=dict(stored.players),
            names=stored.names,
            secret=match.secret,
            words=stored.words,
            levels=stored.levels,
            state=state,
            ply=0 if last is None else last.number,
            answers=stored.answers,
            offered=stored.offered,
            rematch=stored.rematch,
            hidden_by=stored.hidden_by,
            gone=stored.gone,
            control=clock.parse(match.clock),
            shared=match.holder_id is not None,
            clocks=_clocks_of(stored, state.turn),
            paused=match.paused,
            flags=stored.flags,
            line=stored.line,
            offers=stored.offers,
            asked_back=stored.asked_back,
            moved_at=instants.milliseconds(match.created) if last is None else last.at,
            outcome=match_actions.outcome(
                game.rules,
                state,
                None if last is None else last.action,
                stored.flags.remaining(len(stored.names)),
            ),
            terms=match.terms,
            vacations=vacations,
        )

    def seat_of(self, user_id: int | None) -> Seat | None:
        """The seat of a user: None for spectators, `EVERY_SEAT` for the host of a hot-seat match."""
        return None if user_id is None else self.players.get(user_id)

    def acts_for(self, seat: Seat) -> Seat:
        """The seat that the player at `seat` acts for now: of several, the one on turn or else the first."""
        if seat > EVERY_SEAT:
            return seat
        held = seats_of(seat, len(self.names))
        return self.state.turn if self.state.turn in held else held[0]

    @property
    def remaining(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        return self.flags.remaining(len(self.names))

    @property
    def rematch_offered(self) -> tuple[Seat, ...]:
        """The seats that want a rematch; none if one of the other players can never agree."""
        return () if self.gone and self.rematch is None else self.offered

    @property
    def running(self) -> bool:
        """Whether the match is neither over nor halted."""
        return self.outcome is None and not self.flags.halted

    @property
    def bot_to_move(self) -> bool:
        """Whether a computer player, or a bot that replaces a player, is to move."""
        return self.running and self.state.turn in self.flags.caretaken | self.levels.keys()

    def answer(self, seat: Seat, command_id: str) -> int | None:
        """The last ply of a command already executed for a seat; None if the command is new.

        The host of a hot-seat match may have sent the same command when another seat was to move.
        """
        if not self.shared:
            return self.answers.get((seat, command_id))
        known = (self.answers.get((each, command_id)) for each in range(len(self.names)))
        return next((ply for ply in known if ply is not None), None)

    def _mover(self) -> int | None:
        return self.player_at(self.state.turn) if self.waits_for(self.state.turn) else None

    def player_at(self, seat: Seat) -> int | None:
        """The id of the user at a seat."""
        return self.users.get(seat)

    def time_left(self, now: int) -> int | None:
        """Milliseconds that the seat on turn has left; None without a clock, or while it stands."""
        due = None if self.clocks is None else clock.deadline(self.control, self.clocks)
        return None if due is None else max(0, due - now)

    def legal(self) -> list[str]:
        """The legal moves of the seat on turn, as text."""
        return [str(move) for move in self.game.rules.legal_moves(self.state)]

    def flagged(self, now: int) -> bool:
        """Whether the time of the seat on turn is up."""
        return self.clocks is not None and clock.flagged(self.control, self.clocks, now)

    def without_pause(self, clocks: Clocks) -> Clocks:
        """The clocks of a match with days per move as the last ply left them, before any vacation."""
        return clock.paused(clocks, -self.paused)

    def clock_fields(self, now: int) -> dict[str, Any]:
        """The clocks, with days per move the vacations, and the current time as message fields."""
        if self.clocks is None:
            return {"time": now}
        if not self.control.per_move:
            return {"clocks": self.clocks, "time": now}
        clocks = self.without_pause(self.clocks)
        vacations = [
            {"seat": seat, "begins": begins, "ends": ends}
            for user_id, seat in self.players.items()
            for begins, ends in self.vacations.get(user_id, ())
            if ends > clocks.at
        ]
        return {"clocks": clocks, "vacations": vacations, "time": now}

    def control_fields(self) -> dict[str, Any] | None:
        """The time control as message fields."""
        if not self.control.timed:
            return None
        return {**asdict(self.control), "notation": str(self.control), "first_move": self.control.first_move}

    def silence(self) -> None:
        """Cancel the timer, if one is set."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None

    def advance(
        self,
        rows: Sequence[PlyRow | HeardPly],
        state: Any,
        flags: MatchFlags,
        outcome: Outcome | None,
        clocks: Clocks | None,
    ) -> None:
        """Advance the cached match by `rows`, plies already stored, to the given result."""
        command: tuple[Seat, str] | None = None
        for row in rows:
            if row.seat is not None:
                command = None if row.command is None else (row.seat, row.command)
            if command is not None:
                self.answers[command] = row.number
            match_actions.follow(self.line, row.number, Logged(row.seat, row.action, row.dice is not None))
        self.flags = flags
        self.ply, self.state, self.outcome = rows[-1].number, state, outcome
        self.clocks, self.paused, self.moved_at = clocks, 0, rows[-1].at
        self.offers, self.asked_back = (), frozenset()
        self.mover = self._mover()

    def flags_after(self, rows: Sequence[PlyRow | HeardPly]) -> MatchFlags:
        """The flags at the end of `rows`."""
        flags = self.flags
        for row in rows:
            flags = flags.after(row.seat, row.action)
        return flags

    def outcome_fields(self) -> dict[str, Any] | None:
        """The outcome as message fields."""
        outcome = self.outcome
        if outcome is None:
            return None
        return {"winners": outcome.winners, "reason": outcome.reason, "scores": outcome.scores}

    def plies_message(self, after: int, rows: Sequence[PlyRow]) -> dict[str, Any]:
        """The message for `rows`, the stored plies since `after`.

        With the newest ply it includes the flags; with the last one of the match, its outcome and the
        server seed of its dice.
        """
        complete = self.ends(after, rows)
        outcome = self.outcome_fields() if complete else None
        message = {
            "type": "plies",
            "after": after,
            "plies": [ply_fields(row) for row in rows],
            "outcome": outcome,
        }
        if complete:
            message |= self.flag_fields()
        if outcome is not None and self.game.dice:
            message["secret"] = self.secret
        return message

    def ends(self, after: int, rows: Sequence[PlyRow]) -> bool:
        """Whether `rows`, the plies since `after`, end at the current ply."""
        return self.ply == (rows[-1].number if rows else after)

    @property
    def state_json(self) -> str:
        """The state as it is stored."""
        return codec.encode_state(self.game.rules, self.state).decode()

    def position(self) -> dict[str, Any]:
        """The public part of the position."""
        return {"ply": self.ply, "state": orjson.Fragment(self.state_json)}

    def waits_for(self, seat: Seat) -> bool:
        """Whether a human player at this seat is to move, and no bot replaces them."""
        at_it = self.outcome is None and seat == self.state.turn and self.flags.waits_for(seat)
        return at_it and seat not in self.levels

    def seats(self) -> list[dict[str, Any]]:
        """The players by seat, as message fields."""
        return [
            {"seat": seat, "name": name, "level": self.levels.get(seat)}
            for seat, name in enumerate(self.names)
        ]

    def flag_fields(self) -> dict[str, Any]:
        """The flags as message fields."""
        flags = self.flags
        return {
            "halted": flags.halted or None,
            "idle_due": self.idle_due(),
            "acted": sorted(flags.acted),
            "left": sorted(flags.left),
            "caretaken": sorted(flags.caretaken),
        }

    def absence(self) -> int | None:
        """Milliseconds that the player on turn may be away; None for no limit."""
        if self.shared:
            return None
        return absence.patience(self.control, settings.ABSENCE_SECONDS)

    def idle_due(self) -> int | None:
        """Time in milliseconds from which waiting players may claim although all are present.

        None for never.
        """
        if self.outcome is not None or self.shared:
            return None
        saved = self.flags.halted == match_actions.SAVED
        waits = not self.terms.rated if saved else not (self.timed or self.flags.halted)
        days = settings.IDLE_CLAIM_DAYS
        return self.moved_at + days * clock.DAY if waits and days else None

    @property
    def clock_runs(self) -> bool:
        """Whether a clock is running."""
        return self.clocks is not None and self.clocks.running is not None

    def match_changes(self) -> MatchChanges:
        """The cached data that is not in plies, to compare with the store."""
        return MatchChanges(self.words, self.offered, self.rematch, self.hidden_by, self.offers)

    def rematch_message(self) -> dict[str, Any]:
        """The message with the seats that want a rematch, and its id."""
        return {"type": "rematch", "offered": self.rematch_offered, "match": self.rematch}

    def offers_message(self) -> dict[str, Any]:
        """The message with the open offers."""
        return {"type": "offers", "ply": self.ply, "offers": self.offers}

    def words_message(self) -> dict[str, Any]:
        """The message with the client seeds of the dice."""
        return {"type": "words", "words": self.words}

    def dice(self) -> dict[str, Any] | None:
        """The data to verify the dice, for games with dice."""
        return dice.published(self.secret, self.words, self.outcome is not None) if self.game.dice else None

    def odds(self) -> float | None:
        """The odds that the game shows on request; None if it has none in this position."""
        chance = self.game.odds(self.state) if self.game.odds else None
        return None if chance is None else float(chance)


def ply_fields(row: PlyRow) -> dict[str, Any]:
    """A ply as message fields (`games.domain.messages.PlyFields`). Stored JSON is passed on unparsed."""
    fields = {
        "number": row.number,
        "seat": row.seat,
        "action": row.action,
        "dice": None if row.dice is None else orjson.Fragment(row.dice),
        "events": orjson.Fragment(row.events),
        "state": orjson.Fragment(row.state),
        "command": row.command,
        "at": instants.written(row.at),
    }
    if row.clocks is not None:
        fields["clocks"] = orjson.Fragment(row.clocks)
    return fields


def topic(match_id: str) -> str:
    """The hub topic of a match."""
    return f"match.{match_id}"


def _clocks_of(stored: Stored, turn: Seat) -> Clocks | None:
    """The clocks of a stored match, adjusted for pauses; None without clocks."""
    match, last = stored.match, stored.last
    control = clock.parse(match.clock)
    if not control.timed:
        return None
    if last is None or last.clocks is None:
        clocks = clock.start(control, len(stored.names), turn, instants.milliseconds(match.created))
    else:
        clocks = codec.decode(Clocks, last.clocks)
    return clock.paused(clocks, match.paused)
