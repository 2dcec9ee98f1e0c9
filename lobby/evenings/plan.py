"""The plan of an evening: a format, a number of rounds and a clock for so many people and minutes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.domain import clock
from lobby.tournaments.formats import FORMATS
from lobby.tournaments.formats.base import Options

USUAL_SEATS = 4
"""Most people at a table of a game for three and more, if the game allows so many."""
TURNS = 25
"""Turns of a player for which a match gets increments, as an estimate."""
BREAK = 2
"""Minutes between two rounds: people look for their table."""
FEWEST = 3
"""Fewest people of a tournament in every format."""
SMALL = 6
"""Up to so many people everybody meets everybody, if there is time for it."""
FEWEST_ROUNDS, MOST_ROUNDS = 3, 7
"""Rounds that an evening should have, if there is time for them."""
USUAL_CLOCK = "5+3"
"""No plan has a faster clock as long as `FEWEST_ROUNDS` fit with this one: beginners need the time."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The host's choices; "" and 0 leave the choice to the plan.

    Attributes:
        format: a key of `lobby.tournaments.formats.FORMATS`.
        rounds: for formats that let the organiser choose them.
        clock: a live time control (`games.domain.clock`).
    """

    format: str = ""
    rounds: int = 0
    clock: str = ""


@dataclass(frozen=True, slots=True)
class EveningPlan:
    """A plan.

    Attributes:
        rounds: how many rounds there will be; 0 in an arena, which has none.
        seats: most players of a match.
        minutes: how long it takes at most, if nobody plays without a clock; in an arena, for how long people
            are paired.
    """

    format: str
    rounds: int
    clock: str
    seats: int
    minutes: int


def propose(
    people: int, minutes: int, most_seats: int, clocks: Sequence[str], chosen: Chosen = Chosen()
) -> EveningPlan:
    """The plan for so many people.

    Args:
        people: how many play; below `FEWEST` the plan is that of `FEWEST`.
        minutes: how long the evening is.
        most_seats: most players of a match that the game allows.
        clocks: the time controls that the game suggests.
    """
    count = max(FEWEST, people)
    form = chosen.format or _format(count, minutes, most_seats, clocks, chosen.clock)
    seats = min(USUAL_SEATS, most_seats) if FORMATS[form].TABLES else 2
    wanted = chosen.rounds or _wanted(form, count)
    least = chosen.rounds or _fixed_rounds(form, count) or FEWEST_ROUNDS
    control = chosen.clock or _slowest(clocks, seats, wanted, least, minutes)
    if FORMATS[form].ARENA:
        return EveningPlan(form, 0, control, seats, minutes)
    length = minutes_of_a_round(control, seats)
    rounds = _fixed_rounds(form, count)
    if not rounds:
        rounds = chosen.rounds or max(1, min(MOST_ROUNDS, int(minutes // length)))
        if form == "swiss":
            # No two players meet twice.
            rounds = min(rounds, count - 1)
    return EveningPlan(form, rounds, control, seats, round(rounds * length))


def minutes_of_a_round(control: str, seats: int) -> float:
    """How long a round takes at most, with the time to find one's table."""
    read = clock.parse(control)
    return seats * (read.initial + TURNS * (read.increment + read.simple_delay)) / clock.MINUTE + BREAK


def live_clocks(clocks: Sequence[str]) -> list[str]:
    """The clocks for play in real time, the slowest first."""
    live = [control for control in clocks if clock.parse(control).live]
    return sorted(live, key=lambda control: -minutes_of_a_round(control, 2))


def _format(count: int, minutes: int, most_seats: int, clocks: Sequence[str], control: str) -> str:
    """Tables if the game is for three and more, round robin if there is time for it, else Swiss."""
    if most_seats > 2:
        return "tables"
    fastest = control or _fastest(clocks, 2, FEWEST_ROUNDS, minutes)
    fits = _fixed_rounds("round_robin", count) * minutes_of_a_round(fastest, 2) <= minutes
    return "round_robin" if count <= SMALL and fits else "swiss"


def _wanted(form: str, count: int) -> int:
    """How many rounds the format should have at least; in an arena, how many matches each player."""
    if FORMATS[form].ARENA:
        return MOST_ROUNDS
    return _fixed_rounds(form, count) or (
        FEWEST_ROUNDS if FORMATS[form].TABLES else min(MOST_ROUNDS, max(FEWEST_ROUNDS, count.bit_length()))
    )


def _fixed_rounds(form: str, count: int) -> int:
    """The rounds of a format that knows their number; 0 for others."""
    return FORMATS[form].rounds(count, Options(form))


def _slowest(clocks: Sequence[str], seats: int, wanted: int, least: int, minutes: int) -> str:
    """The slowest clock with which the wanted rounds fit, or the fastest of a plan.

    Args:
        least: how many rounds there have to be.
    """
    fitting = _fitting(live_clocks(clocks), seats, wanted, minutes)
    fastest = _fastest(clocks, seats, least, minutes)
    slowest = next(fitting, fastest)
    return max(slowest, fastest, key=lambda control: minutes_of_a_round(control, seats))


def _fastest(clocks: Sequence[str], seats: int, least: int, minutes: int) -> str:
    """The usual clock, or a faster one without which the least rounds do not fit."""
    live = live_clocks(clocks)
    return next(_fitting(live[live.index(USUAL_CLOCK) :], seats, least, minutes), live[-1])


def _fitting(live: Sequence[str], seats: int, rounds: int, minutes: int) -> Iterator[str]:
    return (control for control in live if rounds * minutes_of_a_round(control, seats) <= minutes)
