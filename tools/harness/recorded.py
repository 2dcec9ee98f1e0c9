"""Matches recorded in memory, and finished ones in the database, without a server."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import orjson

from games.bots.any_game import random_action
from games.domain import codec, dice, match_actions
from games.domain.clock import Clocks
from games.domain.match_actions import Act, Line, Logged, MatchFlags
from games.domain.record import DiceProof, Entry, Record
from games.domain.terms import Terms
from games.finished.export import match_file
from games.finished.importing import FalseScore, ImportedMatch, read
from games.models import Match, Ply, Seating
from games.registry import GAMES, Game
from games.rules.base import IllegalMove, Leave, Outcome, Seat

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECRET = "0123456789abcdef" * 4


class Recorder:
    """A match that is being played, with a clock, sealed dice and everything that may happen beside it."""

    def __init__(
        self, game: Game, options: Any = None, seats: int = 2, first: Seat = 0, start: Any = None
    ) -> None:
        self.game, self.rules, self.seats = game, game.rules, seats
        options = options or next(iter(self.rules.PRESETS.values()))
        self.start = start or self.rules.setup(options, seats, first)
        self.rated = start is None
        self.states = [self.start]
        self.events: list[tuple[Any, ...]] = []
        self.entries: list[Entry] = []
        self.line: Line = []
        self.flags = MatchFlags()
        self.outcome: Outcome | None = None
        self.seal = DiceProof(("",) * (seats - 1) + ("words, слова",), SECRET)

    @property
    def state(self) -> Any:
        """The position after the last ply."""
        return self.states[-1]

    def play(self, action: Any, seat: Seat | None = None) -> None:
        """Anything but a throw, by whoever is on turn or by `seat`; the throws that follow are thrown."""
        self._add(action, self.state.turn if seat is None else seat)
        while self.outcome is None and (due := self.rules.chance(self.state)):
            roll = dice.throw(SECRET, self.seal.words, "k7fw2mz9xq", len(self.entries) + 1, due)
            self._add(roll, None)

    def _add(self, action: Any, seat: Seat | None) -> None:
        state, events = match_actions.play(self.rules, self.state, action, self.states.__getitem__)
        self.events.append(events)
        text, faces = codec.action_text(action), codec.action_dice(action)
        number = len(self.entries) + 1
        at = NOON + timedelta(seconds=number)
        self.entries.append(Entry(number, seat, text, faces, at, (300_000 - number,) * self.seats))
        match_actions.follow(self.line, number, Logged(seat, text, faces is not None))
        self.states.append(state)
        self.flags = self.flags.after(seat, text)
        self.outcome = match_actions.outcome(self.rules, state, text, self.flags.remaining(self.seats))

    def play_on(self, rng: Random, plies: int = 10**6, leaving: float = 0) -> Recorder:
        """At random until the end, or until there are so many plies."""
        while self.outcome is None and len(self.entries) < plies:
            if rng.random() < leaving:
                seat = rng.choice(self.flags.remaining(self.seats))
                self.play(Leave(seat, rng.choice(["resigned", "time", "abandoned"])), seat)
            else:
                self.play(random_action(self.rules, self.state, rng))
        return self

    def take_back(self, seat: Seat) -> bool:
        """Take back what that seat did last, unless dice were thrown since."""
        try:
            act = match_actions.last_decision(self.line, seat)
        except IllegalMove:
            return False
        self.play(act, seat)
        return True

    def record(self) -> Record:
        """The finished match as a record."""
        assert self.outcome is not None
        return Record(
            id="k7fw2mz9xq",
            game=self.game,
            start=self.start,
            names=tuple(f"Player {seat + 1}" for seat in range(self.seats)),
            terms=Terms("5+3", rated=self.rated),
            begun=NOON,
            ended=self.entries[-1].at,
            plies=tuple(self.entries),
            outcome=self.outcome,
            seal=self.seal if self.game.dice else None,
        )

    def file(self) -> dict[str, Any]:
        """The match file as parsed JSON, of which tests may alter a copy."""
        parsed: dict[str, Any] = orjson.loads(codec.encode(match_file(self.record())))
        return parsed


def stored(match: Recorder, users: Sequence[Any], **fields: Any) -> Match:
    """The match as the site has it once it has ended; `fields` are the row's own."""
    record = match.record()
    row = Match.objects.create(
        **{
            "pk": record.id,
            "game": record.game.slug,
            "options": codec.encode(match.start.options).decode(),
            "start": codec.encode_state(match.rules, match.start).decode(),
            "status": Match.Status.FINISHED,
            "outcome": codec.encode(record.outcome).decode(),
            "secret": SECRET,
            "words": codec.encode(match.seal.words).decode() if record.seal else None,
            "clock": record.terms.clock,
            "rated": record.terms.rated,
            "ended": record.ended,
            **fields,
        }
    )
    Match.objects.filter(pk=row.pk).update(created=fields.get("created", record.begun))
    Seating.objects.bulk_create(Seating(match=row, seat=seat, user=user) for seat, user in enumerate(users))
    Ply.objects.bulk_create(
        Ply(
            match=row,
            number=entry.number,
            seat=entry.seat,
            action=entry.text,
            dice=None if entry.dice is None else codec.encode(entry.dice).decode(),
            events=codec.encode(
                [codec.encode_event(event) for event in match.events[entry.number - 1]]
            ).decode(),
            state=codec.encode_state(match.rules, match.states[entry.number]).decode(),
            at=entry.at,
            clocks=codec.encode(Clocks(entry.left or (), None, 0)).decode(),
        )
        for entry in record.plies
    )
    row.refresh_from_db()
    return row


def store_long_match(plies: int) -> str:
    """Store a finished match of Morris in which most moves were taken back.

    For `subprocess_call.call`.

    Args:
        plies: how many plies it has at least.

    Returns:
        Its id.
    """
    from lobby.people.models import User

    match, rng = Recorder(GAMES["morris"]), Random(1)
    while len(match.entries) < plies:
        seat = match.state.turn
        match.play_on(rng, len(match.entries) + 1)
        match.take_back(seat)
    match.play_on(rng, len(match.entries) + 10)
    if match.outcome is None:
        match.play(Leave(match.state.turn))
    users = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    return str(stored(match, users).pk)


def eventful(game: Game, options: Any, seats: int, rng: Random) -> Recorder:
    """A match in which everything happens that may, and that ends by the rules or by a departure."""
    match = Recorder(game, options, seats, rng.randrange(seats))
    while match.outcome is None:
        match.play_on(rng, len(match.entries) + rng.randrange(1, 12), leaving=0.01 if seats > 2 else 0)
        if match.outcome is None:
            rng.choice(HAPPENINGS)(match, rng)
    return match


def _take_back(match: Recorder, rng: Random) -> None:
    match.take_back(rng.choice(match.flags.remaining(match.seats)))


def _halt(match: Recorder, rng: Random) -> None:
    there = match.flags.remaining(match.seats)
    match.play(
        Act(rng.choice([match_actions.PAUSED, match_actions.SAVED]), rng.choice(there)), rng.choice(there)
    )
    match.play(Act(match_actions.RESUMED, rng.choice(there)), rng.choice(there))


def _care(match: Recorder, rng: Random) -> None:
    absent = match.state.turn
    if absent in match.flags.caretaken:
        match.play(Act(match_actions.RECLAIMED, absent), absent)
    else:
        others = [seat for seat in match.flags.remaining(match.seats) if seat != absent]
        match.play(Act(match_actions.CARETAKER, absent), rng.choice(others))


HAPPENINGS: list[Callable[[Recorder, Random], None]] = [_take_back, _halt, _care]


def imported(file: Any) -> ImportedMatch:
    """Parse a match file, given as bytes or as what JSON it holds."""
    return read(file if isinstance(file, bytes) else json.dumps(file).encode())


def refusal(file: Any) -> FalseScore | None:
    """Why a file is refused, None if it is not."""
    try:
        imported(file)
    except FalseScore as error:
        return error
    return None


def altered(file: dict[str, Any], alter: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """A copy of a file in which something is otherwise."""
    other = copy.deepcopy(file)
    alter(other)
    return other
