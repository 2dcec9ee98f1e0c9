"""Importing a club, and what it has brought along. Writes `ClubArchive`.

Accounts of another site are unknown here, and somebody of the same name may be somebody else: names are
kept without accounts. Members join again.
"""

from __future__ import annotations

from typing import Any

import orjson
from django.db import transaction
from django.utils import timezone

from games.registry import GAMES
from lobby.club_files import files
from lobby.club_files.files import ClubFile
from lobby.club_files.models import ClubArchive
from lobby.club_files.refusals import ClubIsHere, NoArchive
from lobby.clubs import clubs, lookup
from lobby.clubs.clubs import Charter
from lobby.clubs.lookup import Role
from lobby.clubs.models import Club
from lobby.commands import once, record
from lobby.people.models import User


@transaction.atomic
def bring_in(owner: User, text: bytes, name: str = "") -> Club:
    """Import a club, which `owner` owns then. A club that was imported before only gets the newer archive.

    Args:
        text: the file.
        name: its name here; "" for the one in the file.

    Raises:
        ClubFileError: "club-file-too-large", "bad-club-file" or "club-is-here".
        ClubError: what `lobby.clubs.clubs.found` raises.
        ChatError: "muted".
    """
    file = files.read(text)
    if Club.objects.filter(pk=file.id).exists():
        raise ClubIsHere
    content = text.decode()
    known = ClubArchive.objects.select_for_update().filter(origin=file.id).select_related("club").first()
    if known is not None:
        known.content, known.imported = content, timezone.now()
        known.save(update_fields=["content", "imported"])
        return known.club
    games = [slug for slug in file.games if slug in GAMES]
    club = clubs.found(owner, Charter(name or file.name, file.about, games, file.joining), "")
    ClubArchive.objects.create(club=club, origin=file.id, content=content, imported=timezone.now())
    record(owner, "club-import", club.pk, origin=file.id)
    return club


@once("club-archive-delete", "club_id")
def delete(owner: User, club_id: str, command: str) -> None:
    """Delete what a club has brought along, as its owner.

    Raises:
        ClubError: "unknown-club", "not-member" or "not-owner".
        ClubFileError: "no-archive".
    """
    club = lookup.locked(club_id)
    lookup.needs(club, owner, Role.OWNER)
    gone, _by_model = ClubArchive.objects.filter(club=club).delete()
    if not gone:
        raise NoArchive
    record(owner, "club-archive-delete", club.pk)


def beginning(club: Club, most: int) -> ClubFile:
    """What a club has brought along, at most so many entries of each list, and no pairings.

    Raises:
        ClubFileError: "no-archive".
    """
    fields = _content(club)
    for name in ("members", "announcements", "tournaments", "meetings", "studies"):
        fields[name] = fields.get(name, [])[:most]
    for meeting in fields["meetings"]:
        meeting["players"] = []
    for tournament in fields["tournaments"]:
        tournament |= {"players": tournament["players"][:most], "pairings": []}
    if fields.get("ladder"):
        fields["ladder"] |= {"places": fields["ladder"]["places"][:most], "challenges": []}
    return ClubFile.model_validate(fields)


def study(club: Club, number: int) -> Any:
    """A study of an archive as JSON values; None if there are not so many.

    Raises:
        ClubFileError: "no-archive".
    """
    studies = _content(club).get("studies", [])
    return studies[number]["study"] if number < len(studies) else None


def _content(club: Club) -> dict[str, Any]:
    content = ClubArchive.objects.filter(club=club).values_list("content", flat=True).first()
    if content is None:
        raise NoArchive
    # Parsing all of a large file as models would take a second.
    fields: dict[str, Any] = orjson.loads(content)
    return fields
