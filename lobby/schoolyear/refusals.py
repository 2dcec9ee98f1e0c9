"""Errors about the end of a class."""

from __future__ import annotations

from games.rules.base import gettext_noop
from lobby.classes.refusals import ClassError


class NotConfirmed(ClassError):
    code, status = "not-confirmed", 422
    sentence = gettext_noop("Tick the box first: this cannot be undone.")
