"""Errors about studies."""

from __future__ import annotations

from games.domain.refusals import Refused
from games.rules.base import gettext_noop, ngettext_noop


class StudyError(Refused):
    """A refused action on a study; nothing was changed."""


class UnknownNode(StudyError):
    """The move was removed, or it never existed."""

    code, status = "unknown-node", 404
    sentence = gettext_noop("This move is not in the study any more.")


class TooManyNodes(StudyError):
    code, status = "too-many-nodes", 409
    sentence, many = ngettext_noop(
        "A chapter has at most %(most)d move.", "A chapter has at most %(most)d moves."
    )


class BadStudy(StudyError):
    """A file that is no study; `place` is where it is wrong."""

    code, status = "bad-study", 422
    sentence = gettext_noop("This is not a study: “%(place)s” is missing or not valid.")

    def __init__(self, place: str) -> None:
        super().__init__(place=place)
        self.place = place
