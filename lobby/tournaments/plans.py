"""What an organiser chooses: checked before anything is stored."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields, replace
from datetime import timedelta
from typing import Annotated, Any, Protocol

from django.core.exceptions import ValidationError
from django.utils import timezone
from pydantic import AwareDatetime, Field, StringConstraints

from games.domain import codec, texts
from games.domain.clock import parse
from games.domain.messages import PRINTABLE
from games.registry import GAMES
from lobby.clubs import lookup
from lobby.people import naming
from lobby.people.models import User
from lobby.tables import tables
from lobby.tables import terms as conditions
from lobby.tables.refusals import BadLevel, ComputersCasual
from lobby.tables.terms import TableTerms
from lobby.tournaments import refusals
from lobby.tournaments.formats import FORMATS, MOST_CLUBS, simul
from lobby.tournaments.formats.base import Format
from lobby.tournaments.models import ABOUT_LENGTH, CODE_LENGTH, TITLE_LENGTH, Tournament

LEAST_MINUTES, MOST_MINUTES = 5, 24 * 60
"""Length of an arena."""
MOST_PAUSE = 7 * 24 * 60
"""Longest pause between two rounds, in minutes."""
MOST_IN_TEAM = 30
"""Most players of a club who count."""
MOST_EXTRA = 90
"""Most minutes that the host of a simul has more."""
LINK = re.compile(r"://|\bwww\.", re.IGNORECASE)
"""What descriptions must not contain: they are read by strangers."""
AHEAD = timedelta(days=365)
"""How far ahead a start can be."""

Count = Annotated[int, Field(ge=0, le=10_000)]


class Changes(Protocol):
    """What an organiser changes: a whole plan, or some of it. An argument of a command (`lobby.commands`)."""

    def changed(self, plan: Plan) -> Plan:
        """The new plan, from the present one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an organiser chooses, named like the columns of `Tournament`.

    The annotations are the types and bounds of the API; `check` refuses what is wrong, whoever sends it.

    Attributes:
        about: what players should know, as plain text without links.
        options: an `Options` of the game.
        format: a key of `lobby.tournaments.formats.FORMATS`.
        seats: most players of a match; 2 but for rounds of tables.
        minutes: length of an arena.
        team_size: how many players of each club count, where clubs play.
        computer: level of the computer player that takes the odd chair; 0 for a bye. In a simul, of the host;
            0: the organiser is the host.
        host_seat: where the host of a simul sits, one of `lobby.tournaments.formats.simul.HOST_SEATS`.
        extra_minutes: the time that the host of a simul has more.
        host_admits: whether the host of a simul chooses who of the entrants plays.
        pause: minutes between two rounds.
        code: the entry code; "" lets everyone in.
        chat: whether people may talk at its matches.
        vacations: whether vacations count in its matches, which matters with days per move.
        club_id: the club whose members may enter, or that invites other clubs; None: everyone may enter.
        starts: when it begins; None: when the organiser starts it.
    """

    title: str
    game: str
    options: Any
    format: Annotated[str, StringConstraints(max_length=50)]
    about: Annotated[str, StringConstraints(max_length=ABOUT_LENGTH, pattern=PRINTABLE)] = ""
    clock: str = ""
    rated: bool = False
    rounds: Count = 0
    seats: Annotated[int, Field(ge=2, le=100)] = 2
    minutes: Count = 0
    team_size: Count = 0
    third_place: bool = True
    half_byes: Count = 1
    computer: Count = 0
    pause: Count = 0
    host_seat: Annotated[str, StringConstraints(max_length=20)] = "alternating"
    extra_minutes: Count = 0
    host_admits: bool = False
    code: Annotated[str, StringConstraints(max_length=CODE_LENGTH, pattern=PRINTABLE)] = ""
    club_id: str | None = None
    lowest_rating: Count | None = None
    highest_rating: Count | None = None
    late: bool = True
    bots: bool = False
    guests: bool = False
    chat: bool = True
    vacations: bool = True
    # Strict pydantic takes no text for a time.
    starts: Annotated[AwareDatetime, Field(strict=False)] | None = None

    @classmethod
    def of(cls, tournament: Tournament) -> Plan:
        """What the organiser of a tournament has chosen."""
        chosen = {field.name: getattr(tournament, field.name) for field in fields(cls)}
        options = codec.decode(GAMES[tournament.game].rules.Options, tournament.options)
        return cls(**{**chosen, "options": options})

    def changed(self, plan: Plan) -> Plan:
        """This plan instead of another, as `Changes`."""
        return self

    def terms(self) -> TableTerms:
        """The terms of its matches."""
        return TableTerms(
            clock=self.clock,
            rated=self.rated,
            lowest_rating=self.lowest_rating,
            highest_rating=self.highest_rating,
        )

    def columns(self) -> dict[str, Any]:
        """The values of the columns."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        written = {name: texts.cleaned(getattr(self, name)) for name in ("title", "about", "code")}
        written["code"] = written["code"][:CODE_LENGTH]
        if self.format in MOST_CLUBS:
            # Only members of clubs play, and a computer player is none.
            named |= {"guests": False, "computer": 0}
        else:
            named["team_size"] = 0
        return {**named, "options": asdict(self.options), **written}


def check(plan: Plan, organiser: User, before: Plan | None = None, *, untitled: bool = False) -> None:
    """Check that a plan is valid.

    Args:
        before: the plan that it replaces; its title stays valid.
        untitled: whether it may be without a title (`Tournament.title_in_words`).

    Raises:
        TournamentError: "bad-title", "bad-about", "unknown-format", "format-seats", "slow-arena",
            "bad-minutes", "bad-pause", "bad-start", "club-needed", "bad-team-size",
            "format-fixed", "simul-casual", "simul-clock", "bad-host-seat" or "bad-extra".
        ClubError: "unknown-club", "not-member", "not-organiser" or "club-game".
        TableError: what `lobby.tables.tables.check_game` and `lobby.tables.terms.check` raise, "bad-level"
            or "computers-casual".
        NotRated: the matches cannot be rated.
    """
    kept = "" if untitled else None if before is None else before.title
    if plan.title != kept:
        _check_title(plan.title)
    about = texts.cleaned(plan.about)
    if len(about) > ABOUT_LENGTH or LINK.search(about):
        raise refusals.BadAbout(most=ABOUT_LENGTH)
    form = FORMATS.get(plan.format)
    if form is None:
        raise refusals.UnknownFormat
    tables.check_game(plan.game, plan.options, plan.seats, "lot")
    if (plan.seats > 2) != form.TABLES:
        raise refusals.FormatSeats
    conditions.check(_checked_terms(plan, form), organiser, GAMES[plan.game], plan.options)
    if plan.computer and plan.rated:
        raise ComputersCasual
    if not 0 <= plan.computer <= len(GAMES[plan.game].levels):
        raise BadLevel
    if form.ARENA and parse(plan.clock).per_move:
        raise refusals.SlowArena
    if form.ARENA and not LEAST_MINUTES <= plan.minutes <= MOST_MINUTES:
        raise refusals.BadMinutes(least=LEAST_MINUTES, most=MOST_MINUTES)
    if not 0 <= plan.pause <= MOST_PAUSE:
        raise refusals.BadPause(most=MOST_PAUSE)
    _check_club(plan, organiser)
    if before is not None and _clubs_of(plan) != _clubs_of(before):
        raise refusals.FormatFixed
    now = timezone.now()
    if plan.starts is not None and not now < plan.starts <= now + AHEAD:
        raise refusals.BadStart


def _checked_terms(plan: Plan, form: Format) -> TableTerms:
    """The terms that have to be those of a table, too; what a simul has besides is checked here."""
    if not form.HOST:
        return plan.terms()
    if plan.rated:
        raise refusals.SimulCasual
    if not plan.clock and not plan.computer:
        raise refusals.SimulClock
    if plan.host_seat not in simul.HOST_SEATS:
        raise refusals.BadHostSeat
    if not 0 <= plan.extra_minutes <= MOST_EXTRA:
        raise refusals.BadExtra(most=MOST_EXTRA)
    # Limits of ratings do not need rated matches here.
    conditions.check_range(plan.lowest_rating, plan.highest_rating)
    return replace(plan.terms(), lowest_rating=None, highest_rating=None)


def _check_club(plan: Plan, organiser: User) -> None:
    if plan.club_id is not None:
        club = lookup.find(plan.club_id)
        lookup.needs(club, organiser, lookup.Role.ORGANISER)
        lookup.check_game(club, plan.game)
    if plan.format in MOST_CLUBS:
        if plan.club_id is None:
            raise refusals.ClubNeeded
        if not 1 <= plan.team_size <= MOST_IN_TEAM:
            raise refusals.BadTeamSize(most=MOST_IN_TEAM)


def _clubs_of(plan: Plan) -> tuple[str, str | None] | None:
    """The format and the organising club of a tournament of clubs: both stay, since others were invited."""
    return (plan.format, plan.club_id) if plan.format in MOST_CLUBS else None


def _check_title(title: str) -> None:
    if not 0 < len(texts.cleaned(title)) <= TITLE_LENGTH:
        raise refusals.BadTitleLength(most=TITLE_LENGTH)
    try:
        naming.choose_title(title)
    except ValidationError as error:
        raise refusals.BadTitle(why=" ".join(error.messages)) from None
