"""The page of a class for its pupils."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from games.models import Match, Seating
from games.registry import GAMES
from lobby.classes import cards, classes
from lobby.classes.models import SchoolClass
from lobby.feed import lobby_feed
from lobby.homework.views import of_pupil
from lobby.lessons import ladder, rounds
from lobby.people.models import User
from lobby.people.presence import presence

MOST_MATCHES = 30
"""Maximum matches of the class that its page lists, the newest."""


class Playing(NamedTuple):
    """A match in play as the page lists it; `players` are the ids of its players."""

    id: str
    address: str
    title: str
    names: str
    players: set[int | None]


def pupil_page(request: HttpRequest, school_class: SchoolClass, pupil: User) -> HttpResponse:
    """The class as one of its pupils sees it: whom to play, what is played, and what there is to do."""
    online = presence.online()
    mates = [mate for mate in classes.pupils(school_class) if mate != pupil]
    playing = matches(school_class)
    mine = [each for each in playing if pupil.pk in each.players]
    context = {
        "school_class": school_class,
        "pin": "" if pupil.card.pin_used else cards.pin(pupil.card),
        "mates": sorted(((mate.pk in online, mate) for mate in mates), key=lambda each: not each[0]),
        "mine": mine,
        "others": [each for each in playing if each not in mine],
        "tables": tables(school_class),
        "version": rounds.version(school_class),
        "homework": of_pupil(pupil),
        "lines": ladder.lines(school_class, [pupil, *mates]),
    }
    return render(request, "classes/class.html", context)


def matches(school_class: SchoolClass) -> list[Playing]:
    """The matches in play of the pupils of a class, the newest first."""
    in_play = Match.objects.filter(status=Match.Status.PLAYING, game__in=GAMES)
    found = in_play.filter(seatings__user__pupil_of=school_class).distinct()
    rows = found.order_by("-created").prefetch_related(Seating.with_names())[:MOST_MATCHES]
    return [_playing(match) for match in rows]


def _playing(match: Match) -> Playing:
    seats = list(match.seatings.all())
    names = " – ".join(seat.name_in_words() for seat in seats)
    title, players = gettext(GAMES[match.game].title), {seat.user_id for seat in seats}
    return Playing(match.pk, match.get_absolute_url(), title, names, players)


def tables(school_class: SchoolClass) -> list[dict[str, Any]]:
    """The tables of the pupils of a class at which chairs are free for others of the class."""
    found = lobby_feed.open_tables().filter(host__pupil_of=school_class, invited=None)
    return [lobby_feed.table_fields(table) for table in found]
