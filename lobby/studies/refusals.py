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


class UnknownStudy(StudyError):
    """There is no such study, or the user may not see it."""

    code, status = "unknown-study", 404
    sentence = gettext_noop("This study does not exist, or it is private.")


class UnknownChapter(StudyError):
    code, status = "unknown-chapter", 404
    sentence = gettext_noop("This chapter does not exist any more.")


class StudyGuest(StudyError):
    """Guests have no studies."""

    code, status = "guest", 403
    sentence = gettext_noop("Sign up to keep studies.")


class NotAllowed(StudyError):
    """The role of the user does not allow it."""

    code, status = "not-allowed", 403
    sentence = gettext_noop("You may only read this study.")


class CommentsOnly(StudyError):
    """The user may comment, and change no moves."""

    code, status = "comments-only", 403
    sentence = gettext_noop("You may only write comments in this study.")


class NotOwner(StudyError):
    code, status = "not-owner", 403
    sentence = gettext_noop("Only the owner of the study can do that.")


class StudyHeld(StudyError):
    """A moderator made the study private."""

    code, status = "study-held", 403
    sentence = gettext_noop("A moderator made this study private. Only its members can see it.")


class TooManyStudies(StudyError):
    code, status = "too-many-studies", 409
    sentence, many = ngettext_noop(
        "You can have %(most)d study. Delete one first.", "You can have %(most)d studies. Delete one first."
    )


class TooManyChapters(StudyError):
    code, status = "too-many-chapters", 409
    sentence, many = ngettext_noop(
        "A study has at most %(most)d chapter.", "A study has at most %(most)d chapters."
    )


class StudyFull(StudyError):
    """Its file would be too large to be read again."""

    code, status = "study-full", 409
    sentence = gettext_noop("This study is full. Go on in another one.")


class TooManyMembers(StudyError):
    code, status = "too-many-members", 409
    sentence, many = ngettext_noop(
        "A study has at most %(most)d member.", "A study has at most %(most)d members."
    )


class LastChapter(StudyError):
    code, status = "last-chapter", 409
    sentence = gettext_noop("A study needs a chapter. Delete the study instead.")


class OtherGame(StudyError):
    code, status = "other-game", 409
    sentence = gettext_noop("All chapters of a study are of the same game.")


class UnknownMember(StudyError):
    code, status = "unknown-member", 404
    sentence = gettext_noop("There is no account with this name, or you cannot invite it.")


class BadTitle(StudyError):
    """A title that the validators refuse; the sentence is theirs."""

    code, status = "bad-title", 422
    sentence = gettext_noop("%(why)s")


class NobodyMoves(StudyError):
    """A roll is due, or the match is over."""

    code, status = "nobody-moves", 409
    sentence = gettext_noop("No player is to move in this position.")


class TooManyAtOnce(StudyError):
    """An address waits for too many evaluations."""

    code, status = "too-many-at-once", 503
    sentence = gettext_noop("The server is busy. Please try again in a moment.")
    headers = {"Retry-After": "3"}
