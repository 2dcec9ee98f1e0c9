"""Errors about lessons."""

from __future__ import annotations

from games.rules.base import gettext_noop
from lobby.classes.refusals import ClassError


class NobodyToPair(ClassError):
    code, status = "nobody-to-pair", 409
    sentence = gettext_noop("Fewer than two pupils are here and free.")


class BadRound(ClassError):
    code, status = "bad-round", 422
    sentence = gettext_noop("These settings cannot be combined. Choose a game, a clock and a level again.")
