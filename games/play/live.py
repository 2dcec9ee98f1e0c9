"""A match in the memory of a process: where it stands, and what that means for those who look at it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson
from django.conf import settings

from games.domain import absence, clock, codec, dice, instants, match_actions
from games.domain.clock import Clocks, Control
from games.domain.match_actions import Line, Logged, Situation
from games.domain.offers import Offers
from games.domain.plies import HeardPly, PlyRow, plies_message
from games.domain.terms import FRIENDLY, Terms
from games.registry import GAMES, Game
from games.rules.base import Outcome, Seat
from games.store.history import MatchChanges, Stored


@dataclass(slots=True)
class LiveMatch:
    """A match as this process keeps it in memory while somebody is there.

    `levels` are those of its computer players, by seat; `line` are the plies of the game that led to `state`;
    `shared` says that all play at one board, which one of `players` holds for `EVERY_SEAT`; `users` are
    the players by seat, `people` the seats of those who are no computers; `mover` is the user who is to move,
    None while a bot is, or nobody; `kind` is the same for matches of whose positions alike the law says the
    same; `gone` are the seats of people who cannot play any more; `asked_back` are those who have asked the
    others to go on with the match since it was saved; `moved_at` is the millisecond of the last ply, or of
    the beginning.
    """

    id: str
    game: Game
    options: bytes
    start: bytes
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
    situation: Situation = field(default_factory=Situation)
    line: Line = field(default_factory=list)
    offers: Offers = ()
    asked_back: frozenset[Seat] = frozenset()
    clocks: Clocks | None = None
    paused: int = 0
    moved_at: int = 0
    alarm: asyncio.TimerHandle | None = None
    outcome: Outcome | None = None
    behind: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: dict[Seat, int] = field(init=False)
    people: tuple[Seat, ...] = field(init=False)
    mover: int | None = field(init=False)
    kind: tuple[Any, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.users = {seat: user for user, seat in self.players.items()}
        self.people = tuple([seat for seat in self.users if seat not in self.levels])
        self.mover = self._mover()
        # What may be done depends on that, and on where the match stands (`games.play.permissions`).
        self.kind = (
            self.shared,
            len(self.names),
            frozenset(self.levels),
            self.game.draws,
            self.game.dice,
            self.terms.rated,
            self.control.live,
            self.absence() is None,
        )

    @classmethod
    def of(cls, stored: Stored) -> LiveMatch:
        match, last = stored.match, stored.last
        game = GAMES[match.game]
        state = codec.decode_state(game.rules, match.start if last is None else last.state)
        return cls(
            id=match.pk,
            game=game,
            options=match.options.encode(),
            start=match.start.encode(),
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
            situation=stored.situation,
            line=stored.line,
            offers=stored.offers,
            asked_back=stored.asked_back,
            moved_at=instants.milliseconds(match.created) if last is None else last.at,
            outcome=match_actions.outcome(
                game.rules,
                state,
                None if last is None else last.action,
                stored.situation.remaining(len(stored.names)),
            ),
            terms=match.terms,
        )

    def seat_of(self, user_id: int | None) -> Seat | None:
        """The seat of a user, None for everyone who watches, `EVERY_SEAT` for who holds the board for all."""
        return None if user_id is None else self.players.get(user_id)

    @property
    def remaining(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        return self.situation.remaining(len(self.names))

    @property
    def rematch_offered(self) -> tuple[Seat, ...]:
        """The seats that want a rematch; none where one of the others can never agree."""
        return () if self.gone and self.rematch is None else self.offered

    @property
    def running(self) -> bool:
        """Whether somebody is to move."""
        return self.outcome is None and not self.situation.halted

    @property
    def bot_to_move(self) -> bool:
        """Whether it is the turn of a computer player, or of a seat that a bot plays for."""
        return self.running and self.state.turn in self.situation.caretaken | self.levels.keys()

    def answer(self, seat: Seat, command_id: str) -> int | None:
        """The last ply of a command that a seat sent before; None if it is new.

        Who speaks for every seat spoke for another one when the same command came first.
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
        """The milliseconds that the seat on turn has left; None without a clock, or while it stands."""
        due = None if self.clocks is None else clock.deadline(self.control, self.clocks)
        return None if due is None else max(0, due - now)

    def legal(self) -> list[str]:
        """The moves open to the seat on turn, as text."""
        return [str(move) for move in self.game.rules.legal_moves(self.state)]

    def flagged(self, now: int) -> bool:
        """Whether the time of the seat on turn is up."""
        return self.clocks is not None and clock.flagged(self.control, self.clocks, now)

    def clock_fields(self, now: int) -> dict[str, Any]:
        """The clocks as they go over the wire, if there are any, with the time it is."""
        return {"time": now} if self.clocks is None else {"clocks": self.clocks, "time": now}

    def control_fields(self) -> dict[str, Any] | None:
        """How time is given, as it goes over the wire."""
        if not self.control.timed:
            return None
        return {**asdict(self.control), "notation": str(self.control), "first_move": self.control.first_move}

    def silence(self) -> None:
        """Drop the alarm, if one is set."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None

    def advance(
        self,
        rows: Sequence[PlyRow | HeardPly],
        state: Any,
        situation: Situation,
        outcome: Outcome | None,
        clocks: Clocks | None,
    ) -> None:
        """Move memory on to the end of `rows`, which are in the store and led to that."""
        command: tuple[Seat, str] | None = None
        for row in rows:
            if row.seat is not None:
                command = None if row.command is None else (row.seat, row.command)
            if command is not None:
                self.answers[command] = row.number
            match_actions.follow(self.line, row.number, Logged(row.seat, row.action, row.dice is not None))
        self.situation = situation
        self.ply, self.state, self.outcome = rows[-1].number, state, outcome
        self.clocks, self.paused, self.moved_at = clocks, 0, rows[-1].at
        self.offers, self.asked_back = (), frozenset()
        self.mover = self._mover()

    def situation_after(self, rows: Sequence[PlyRow | HeardPly]) -> Situation:
        """The situation at the end of `rows`."""
        situation = self.situation
        for row in rows:
            situation = situation.after(row.seat, row.action)
        return situation

    def outcome_fields(self) -> dict[str, Any] | None:
        """The outcome as it goes over the wire."""
        outcome = self.outcome
        if outcome is None:
            return None
        return {"winners": outcome.winners, "reason": outcome.reason, "scores": outcome.scores}

    def plies_message(self, after: int, rows: Sequence[PlyRow]) -> dict[str, Any]:
        """The message that carries `rows`, the stored plies since `after`.

        With the newest ply goes the situation, with the last one of the match its outcome and the secret
        of its dice.
        """
        complete = self.ends(after, rows)
        outcome = self.outcome_fields() if complete else None
        message = plies_message(after, rows, outcome)
        if complete:
            message |= self.situation_fields()
        if outcome is not None and self.game.dice:
            message["secret"] = self.secret
        return message

    def ends(self, after: int, rows: Sequence[PlyRow]) -> bool:
        """Whether `rows`, the plies since `after`, lead to where the match stands."""
        return self.ply == (rows[-1].number if rows else after)

    @property
    def state_json(self) -> str:
        """The state as it is stored."""
        return codec.encode_state(self.game.rules, self.state).decode()

    def position(self) -> dict[str, Any]:
        """The position, as everybody may know it."""
        return {"ply": self.ply, "state": orjson.Fragment(self.state_json)}

    def waits_for(self, seat: Seat) -> bool:
        """Whether the player of that seat is to move: a person, and no bot for them."""
        at_it = self.outcome is None and seat == self.state.turn and self.situation.waits_for(seat)
        return at_it and seat not in self.levels

    def seats(self) -> list[dict[str, Any]]:
        """Who sits where, as it goes over the wire."""
        return [
            {"seat": seat, "name": name, "level": self.levels.get(seat)}
            for seat, name in enumerate(self.names)
        ]

    def situation_fields(self) -> dict[str, Any]:
        """What the plies say beside the position, as it goes over the wire."""
        situation = self.situation
        return {
            "halted": situation.halted or None,
            "idle_due": self.idle_due(),
            "acted": sorted(situation.acted),
            "left": sorted(situation.left),
            "caretaken": sorted(situation.caretaken),
        }

    def absence(self) -> int | None:
        """For how many milliseconds the player on turn may be away, None for ever."""
        if self.shared:
            return None
        return absence.patience(self.control, settings.ABSENCE_SECONDS)

    def idle_due(self) -> int | None:
        """The millisecond from which those who wait may claim something, whoever is there; None for never."""
        if self.outcome is not None or self.shared:
            return None
        saved = self.situation.halted == match_actions.SAVED
        waits = not self.terms.rated if saved else not (self.control.timed or self.situation.halted)
        return absence.idle_due(self.moved_at, settings.IDLE_CLAIM_DAYS) if waits else None

    @property
    def clock_runs(self) -> bool:
        """Whether somebody loses by time if nothing else happens."""
        return self.clocks is not None and self.clocks.running is not None

    def match_changes(self) -> MatchChanges:
        """What this process knows beside the plies."""
        return MatchChanges(self.words, self.offered, self.rematch, self.hidden_by, self.offers)

    def rematch_message(self) -> dict[str, Any]:
        """Who wants a rematch, and where it is."""
        return {"type": "rematch", "offered": self.rematch_offered, "match": self.rematch}

    def offers_message(self) -> dict[str, Any]:
        """What is on offer."""
        return {"type": "offers", "ply": self.ply, "offers": self.offers}

    def words_message(self) -> dict[str, Any]:
        """The words that the seats add to the dice."""
        return {"type": "words", "words": self.words}

    def dice(self) -> dict[str, Any] | None:
        """What makes the dice verifiable, for games that throw any."""
        return dice.published(self.secret, self.words, self.outcome is not None) if self.game.dice else None

    def odds(self) -> float | None:
        """The chance that this game tells on request, if it has one and the position raises the question."""
        chance = self.game.odds.of(self.state) if self.game.odds else None
        return None if chance is None else float(chance)


def topic(match_id: str) -> str:
    """The hub's topic of a match."""
    return f"match.{match_id}"


def _clocks_of(stored: Stored, turn: Seat) -> Clocks | None:
    """The clocks of a stored match as they are to be charged from; None without any."""
    match, last = stored.match, stored.last
    control = clock.parse(match.clock)
    if not control.timed:
        return None
    if last is None or last.clocks is None:
        clocks = clock.start(control, len(stored.names), turn, instants.milliseconds(match.created))
    else:
        clocks = codec.decode(Clocks, last.clocks)
    return clock.paused(clocks, match.paused)
