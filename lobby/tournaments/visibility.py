"""Who may see a tournament. Everything that shows one to people or programs finds it here.

Everybody may see a tournament, also that of a club, which only its members can enter. The tournament of an
evening is for the host and the people of the evening, and the round of a class for its teachers and pupils. A
wall board stands on a device without a session: its link, which only the host sees, contains a token. That of
the round of a class shows nothing once the round is over, or the host no longer teaches the class.
"""

from __future__ import annotations

from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.http import urlencode

from games.share import addresses
from lobby.tournaments import refusals, tournaments
from lobby.tournaments.models import Tournament

SALT = "lobby.tournaments.visibility"


def find(tournament_id: str, reader: int | None, token: str = "") -> Tournament:
    """A tournament, for those who may see it.

    Args:
        reader: the id of the user who is shown it; None for visitors and other sites.
        token: the token of its wall board, for what a wall board shows.

    Raises:
        TournamentError: "unknown-tournament", also for those who may not see it.
    """
    found = tournaments.find(tournament_id)
    if is_public(found) or _is_there(found, reader) or _is_on_wall(found, token):
        return found
    raise refusals.UnknownTournament


def is_public(tournament: Tournament) -> bool:
    """Whether everybody may see a tournament."""
    return not (hasattr(tournament, "evening") or hasattr(tournament, "class_round"))


def _is_there(tournament: Tournament, reader: int | None) -> bool:
    if reader is None:
        return False
    if hasattr(tournament, "class_round"):
        school_class = tournament.class_round.school_class
        return teaches(tournament, reader) or school_class.pupils.filter(pk=reader).exists()
    evening = tournament.evening
    return bool(evening.host_id == reader) or evening.people.filter(user=reader, removed=False).exists()


def _is_on_wall(tournament: Tournament, token: str) -> bool:
    if not constant_time_compare(token, _token(tournament)):
        return False
    host, running = tournament.organiser_id, tournament.state == Tournament.State.RUNNING
    return hasattr(tournament, "evening") or (running and teaches(tournament, host))


def teaches(tournament: Tournament, reader: int | None) -> bool:
    """Whether a tournament is the round of a class that a user teaches."""
    if not hasattr(tournament, "class_round"):
        return False
    teachers = tournament.class_round.school_class.teachers
    return bool(teachers.filter(user=reader, since__isnull=False).exists())


def wall_link(tournament: Tournament) -> str:
    """The path of the wall board for the organiser, who may open it on a device without a session."""
    path = reverse("tournament-wall", args=[tournament.pk])
    return path if is_public(tournament) else f"{path}?{urlencode({'token': _token(tournament)})}"


def _token(tournament: Tournament) -> str:
    return addresses.token(SALT, tournament.pk)
