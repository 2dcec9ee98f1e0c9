"""Errors about files of clubs."""

from __future__ import annotations

from games.domain.refusals import Refused
from games.rules.base import gettext_noop


class ClubFileError(Refused):
    """A refused file of a club; nothing was changed."""


class ClubFileTooLarge(ClubFileError):
    code, status = "club-file-too-large", 413
    sentence = gettext_noop("The file of a club has at most %(most)d bytes.")


class BadClubFile(ClubFileError):
    """A file that is no club; `place` is where it is wrong."""

    code, status = "bad-club-file", 422
    sentence = gettext_noop("This is not the file of a club: “%(place)s” is missing or not valid.")

    def __init__(self, place: str) -> None:
        super().__init__(place=place)
        self.place = place


class ClubIsHere(ClubFileError):
    code, status = "club-is-here", 409
    sentence = gettext_noop("This club is on this site already.")


class NoArchive(ClubFileError):
    code, status = "no-archive", 404
    sentence = gettext_noop("This club has no archive.")
