"""Errors about homework."""

from __future__ import annotations

from games.rules.base import gettext_noop
from lobby.classes.refusals import ClassError


class UnknownHomework(ClassError):
    code, status = "unknown-homework", 404
    sentence = gettext_noop("This homework was withdrawn.")


class BadHomework(ClassError):
    code, status = "bad-homework", 422
    sentence = gettext_noop(
        "Something is missing, or these settings cannot be combined. Please choose again."
    )


class NoSet(ClassError):
    code, status = "no-set", 422
    sentence = gettext_noop("This is not the link of a set of puzzles.")


class NotReadable(ClassError):
    """Pupils may not see the study."""

    code, status = "not-readable", 409
    sentence = gettext_noop("Let everyone with the link see the study first. Then your pupils can read it.")


class TooMuchHomework(ClassError):
    code, status = "too-much-homework", 409
    sentence = gettext_noop("A class has at most %(most)d pieces of homework. Take one back first.")
