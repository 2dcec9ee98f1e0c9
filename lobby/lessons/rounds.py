"""Rounds of a class, paired by one press. Writes `ClassRound`.

A round is a tournament of one round: its matches begin, are told and counted as those of any tournament, and
outlive a restart. Rounds are numbered from the first lesson on. Lock order: classes, tournaments, users.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext

from games.models import Match, Seating, short_id
from games.registry import GAMES, Game
from lobby.classes import classes
from lobby.classes.models import SchoolClass
from lobby.commands import once
from lobby.evenings.plan import live_clocks
from lobby.lessons import ladder, pairing, refusals
from lobby.lessons.models import ClassRound, Ladder
from lobby.people.models import User
from lobby.people.presence import presence
from lobby.tournaments import organising, tables
from lobby.tournaments.entries import Player
from lobby.tournaments.formats import base
from lobby.tournaments.formats.base import Kind
from lobby.tournaments.models import PairingSeat, Tournament
from lobby.tournaments.plans import Plan
from lobby.tournaments.sheet import sheets

LOOKED_BACK = 60
"""So many rounds pairing looks back at: until then sixty pupils have all met."""
MOST_RUNNING = 5
"""Rounds in play of which the boards are shown, the newest first."""


class Chosen(NamedTuple):
    """What a teacher chooses for a round.

    Attributes:
        clock: a live time control, or "" for none.
        level: of the computer player against whom an odd pupil plays; 0: the pupil waits.
    """

    game: str
    clock: str
    level: int = 0


class Present(NamedTuple):
    """A pupil, whether they have a page of the site open, and the game and id of the match that they play."""

    pupil: User
    here: bool
    game: str = ""
    match: str = ""


def _round(number: int) -> ClassRound | None:
    return ClassRound.objects.filter(pk=number).first()


@once("class-round", "code", again=_round)
def pair(teacher: User, code: str, chosen: Chosen, command: str) -> ClassRound | None:
    """Pair the pupils who are here and in no match of an earlier round; None if that round was erased.

    Raises:
        ClassError: "unknown-class", "bad-round" or "nobody-to-pair".
    """
    school_class = classes.taught(teacher, code, lock=True)
    _check(chosen)
    there = {pupil.pk: pupil for pupil in free(school_class)}
    if len(there) < (1 if chosen.level else 2):
        raise refusals.NobodyToPair
    key, number = short_id(), last_number(school_class) + 1
    points = {pupil: total.points for pupil, total in ladder.totals(school_class).items()}
    made = pairing.pair(list(there), points, _history(school_class), base.Options("class", lot=key), number)
    seats = [*made.pairs, *([] if made.over is None else [(made.over,)])]
    tournament = organising.create_paired(
        teacher,
        _plan(school_class, number, chosen, odd=made.over is not None),
        key,
        [[Player(there[pk], None, there[pk].first_name) for pk in each] for each in seats],
    )
    return ClassRound.objects.create(
        school_class=school_class, number=number, level=chosen.level, tournament=tournament
    )


def games() -> list[Game]:
    """The games for two, which a class can play in rounds."""
    return [game for game in GAMES.values() if game.rules.SEATS[0] <= 2]


def _check(chosen: Chosen) -> None:
    game = GAMES.get(chosen.game)
    if game is None or game not in games() or chosen.clock not in ("", *live_clocks(game.clocks)):
        raise refusals.BadRound
    if not 0 <= chosen.level <= len(game.levels):
        raise refusals.BadRound


def _plan(school_class: SchoolClass, number: int, chosen: Chosen, *, odd: bool) -> Plan:
    game = GAMES[chosen.game]
    return Plan(
        # Its class and its number name it, in the language of each reader.
        title="",
        game=game.slug,
        options=game.rules.PRESETS[game.usual_preset(rated=False)],
        format="swiss",
        clock=chosen.clock,
        rounds=1,
        computer=chosen.level if odd else 0,
        # Nobody else comes in.
        code=short_id(),
        late=False,
        guests=True,
        chat=school_class.chat,
    )


def _history(school_class: SchoolClass) -> list[base.Pairing]:
    """The last rounds, of users; whoever played the computer was alone."""
    numbers = dict(
        school_class.class_rounds.order_by("-number").values_list("tournament", "number")[:LOOKED_BACK]
    )
    seats = PairingSeat.objects.filter(pairing__tournament__in=list(numbers), entrant__user__computer="")
    columns = ("pairing", "pairing__tournament", "pairing__table", "pairing__kind", "entrant__user")
    found: dict[int, base.Pairing] = {}
    for key, tournament, table, kind, user in seats.order_by("pairing", "seat").values_list(*columns):
        before = found[key].seats if key in found else ()
        found[key] = base.Pairing(numbers[tournament], table, (*before, user), Kind(kind))
    return list(found.values())


@once("class-stop", "code")
def stop(teacher: User, code: str, command: str) -> None:
    """End the matches of all rounds without a result.

    Raises:
        ClassError: "unknown-class".
    """
    annul(classes.taught(teacher, code, lock=True))


def annul(school_class: SchoolClass) -> None:
    """Annul the open tables of a locked class: their matches end without a result."""
    running = school_class.class_rounds.filter(tournament__state=Tournament.State.RUNNING)
    for key in list(running.values_list("tournament", flat=True)):
        organising.annul_open(key)


def erase(school_class: SchoolClass) -> list[str]:
    """Delete the rounds of a class; returns the ids of their matches, which still exist."""
    keys = list(school_class.class_rounds.values_list("tournament", flat=True))
    return [match_id for key in keys for match_id in organising.erase(key)]


# Reading


def last_number(school_class: SchoolClass) -> int:
    """The number of the last round; 0 before the first."""
    return school_class.class_rounds.aggregate(last=Max("number"))["last"] or 0


def last_chosen(school_class: SchoolClass) -> Chosen:
    """What the teacher chose for the last round, or what most games suggest."""
    last = school_class.class_rounds.order_by("-number").select_related("tournament").first()
    if last is None or last.tournament.game not in GAMES:
        return Chosen(games()[0].slug, "", 0)
    return Chosen(last.tournament.game, last.tournament.clock, last.level)


def present(school_class: SchoolClass) -> list[Present]:
    """The pupils of a class by name, whether they are here, and what they play."""
    online, playing = presence.online(), _matches(school_class)
    return [
        Present(pupil, pupil.pk in online, *playing.get(pupil.pk, ()))
        for pupil in classes.pupils(school_class)
    ]


def _matches(school_class: SchoolClass) -> dict[int, tuple[str, str]]:
    """The title of the game and the id of the newest match in play of each pupil."""
    playing = Seating.objects.filter(user__pupil_of=school_class, match__status=Match.Status.PLAYING)
    rows = playing.filter(match__game__in=GAMES).order_by("match__created")
    return {
        user: (gettext(GAMES[game].title), match)
        for user, game, match in rows.values_list("user", "match__game", "match")
        if user is not None
    }


def free(school_class: SchoolClass) -> list[User]:
    """The pupils who are here and in no open match of a round."""
    seats = _open_seats(school_class).values_list("entrant__user", flat=True)
    online, playing = presence.online(), set(seats)
    return [pupil for pupil in school_class.pupils.all() if pupil.pk in online - playing]


def _open_seats(school_class: SchoolClass) -> QuerySet[PairingSeat]:
    in_play = Q(pairing__match=None) | ~Q(pairing__match__status=Match.Status.FINISHED)
    rounds = Q(pairing__tournament__class_round__school_class=school_class)
    running = Q(pairing__tournament__state=Tournament.State.RUNNING, pairing__decided=None)
    return PairingSeat.objects.filter(in_play, rounds, running)


class Board(NamedTuple):
    """A table of a round. Of a pupil who waits it has only one side."""

    round: int
    table: tables.Shown


def boards(school_class: SchoolClass) -> list[Board]:
    """The tables of the rounds in play, or of the last round if none is."""
    rows = school_class.class_rounds.order_by("-number").select_related("tournament")
    running = rows.filter(tournament__state=Tournament.State.RUNNING)
    found = list[Board]()
    for each in running[:MOST_RUNNING] or rows[:1]:
        known = sheets.cached(each.tournament, exact=True).sheet
        found += [Board(each.number, table) for table in tables.pairings(known, 1)]
    return found


def version(school_class: SchoolClass) -> str:
    """A version string that changes with everything that pages of the lesson show."""
    versions = school_class.class_rounds.order_by("-number").values_list("number", "tournament__version")
    shown = (
        [(each.pupil.first_name, each.here, each.match) for each in present(school_class)],
        list(versions[:MOST_RUNNING]),
        list(Ladder.objects.filter(school_class=school_class).values_list("since")),
    )
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:12]
