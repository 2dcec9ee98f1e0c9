"""A club with something of everything that a file has."""

from __future__ import annotations

import json
from typing import Any

import orjson
from django.utils import timezone

from lobby.club_files import archives, export, files
from lobby.clubs import announcements, members
from lobby.clubs.models import Club
from lobby.people.models import User
from lobby.tournaments.models import Tournament
from tests.helpers.clubs import club_of
from tests.helpers.ladders import ladder_of, played
from tests.helpers.studies import file as study_file
from tests.helpers.studies import study_of
from tests.helpers.tournaments import begun, command, look, people, play_round


def full_club() -> Club:
    """A club of Ada, Bo, Cleo and Dan; Bo and Cleo let their names go along."""
    ada, bo, cleo, dan = people("Ada Bo Cleo Dan")
    club = club_of(ada, bo, cleo, dan, about="Games\nand tea", games=["kalah"])
    for person in (bo, cleo):
        members.consent(person, club.pk, True, command())
    announcements.announce(ada, club.pk, "Games on <b>Friday</b>", command())
    tournament = begun(ada, [bo, cleo, dan], "round_robin", club_id=club.pk)
    while (tournament := look(tournament)).state == Tournament.State.RUNNING:
        play_round(tournament)
    played(ladder_of(club, ada, [bo, cleo, dan]), cleo, bo, cleo)
    for owner, visibility in ((bo, "public"), (bo, "private"), (dan, "public")):
        study_of(owner, visibility)
    return club


def file_of(club: Club) -> dict[str, Any]:
    """The file of a club, as JSON values."""
    fields: dict[str, Any] = orjson.loads(files.written(export.file_of(club, timezone.now())))
    return fields


def text_of(fields: dict[str, Any]) -> bytes:
    """The text of a file."""
    return orjson.dumps(fields)


def brought_in(owner: User, fields: dict[str, Any], **options: str) -> Club:
    """A club that was imported."""
    return archives.bring_in(owner, text_of(fields), **options)


def sample() -> dict[str, Any]:
    """The file of a club of another site."""
    at = "2026-11-01T18:00:00Z"
    players = [("Cleo", 1, 2.0), ("Bo", 2, 1.0), (None, 3, 0.0)]
    return {
        "format": "parlour-club",
        "version": 1,
        "id": "elsewhere1",
        "exported": at,
        "name": "Garden club",
        "about": "Games\nand tea",
        "games": ["kalah"],
        "joining": "open",
        "members": [
            {"name": None, "role": "owner", "joined": at, "ratings": []},
            {
                "name": "Bo",
                "role": "member",
                "joined": at,
                "ratings": [{"game": "kalah", "rating": 1512, "matches": 9}],
            },
        ],
        "announcements": [{"text": "Games on Friday", "author": "Bo", "created": at}],
        "tournaments": [
            {
                "title": "Friday cup",
                "game": "kalah",
                "format": "round_robin",
                "began": at,
                "ended": at,
                "players": [
                    {"name": name, "rank": rank, "points": points, "played": 2}
                    for name, rank, points in players
                ],
                "pairings": [
                    {"round": 1, "table": 1, "kind": "played", "players": [0, 1], "points": [1.0, 0.0]}
                ],
            }
        ],
        "meetings": [
            {
                "title": "Garden against Park",
                "game": "kalah",
                "format": "team_match",
                "ended": at,
                "own": 1,
                "clubs": [
                    {"name": "Park club", "rank": 1, "points": 2.5},
                    {"name": "Garden club", "rank": 2, "points": 1.5},
                ],
                "players": [{"name": "Bo", "rank": 2, "points": 1.5, "played": 2}],
            }
        ],
        "ladder": {
            "game": "kalah",
            "places": ["Cleo", None],
            "challenges": [{"challenger": "Cleo", "challenged": None, "place": 1, "ended": at, "won": True}],
        },
        "studies": [{"author": "Bo", "study": json.loads(study_file())}],
    }


# In processes on a store of their own


def exported() -> str:
    """Make the club, and return its file."""
    return files.written(export.file_of(full_club(), timezone.now())).decode()


def imported_twice(text: str) -> tuple[int, str]:
    """Import a file twice, and return the number of clubs, and the file of the club."""
    (owner,) = people("Olga")
    for _ in range(2):
        club = archives.bring_in(owner, text.encode())
    return Club.objects.count(), files.written(export.file_of(club, timezone.now())).decode()


def bring_in_sample() -> str:
    """Import the sample, and return the address of its club."""
    return brought_in(people("Olga")[0], sample()).get_absolute_url()
