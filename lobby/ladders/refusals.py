"""Errors about ladders."""

from __future__ import annotations

from games.domain.refusals import Refused
from games.rules.base import gettext_noop


class LadderError(Refused):
    """A refused action on a ladder; nothing was changed."""


class UnknownLadder(LadderError):
    code, status = "unknown-ladder", 404
    sentence = gettext_noop("There is no ladder here.")


class BadDays(LadderError):
    code, status = "bad-days", 422
    sentence = gettext_noop("Choose between %(fewest)d and %(most)d days.")


class UntimedLadder(LadderError):
    code, status = "untimed-ladder", 422
    sentence = gettext_noop("Matches on a ladder need a clock.")


class NotOnLadder(LadderError):
    code, status = "not-on-ladder", 409
    sentence = gettext_noop("Join the ladder first.")


class UnknownRung(LadderError):
    code, status = "unknown-rung", 404
    sentence = gettext_noop("%(name)s is not on this ladder.")


class OutOfReach(LadderError):
    code, status = "out-of-reach", 409
    sentence = gettext_noop("You can challenge those who are up to %(most)d places above you.")


class InChallenge(LadderError):
    code, status = "in-challenge", 409
    sentence = gettext_noop("You already have a challenge on this ladder.")


class TheyAreInChallenge(LadderError):
    code, status = "they-are-in-challenge", 409
    sentence = gettext_noop("%(name)s already has a challenge on this ladder.")


class TooSoon(LadderError):
    code, status = "too-soon", 409
    sentence = gettext_noop("After a lost challenge, you can challenge the same person again a week later.")


class BlockedOnLadder(LadderError):
    """Does not say that there is a block, or whose."""

    code, status = "blocked", 403
    sentence = gettext_noop("You cannot challenge this person.")


class NoChallenge(LadderError):
    code, status = "no-challenge", 409
    sentence = gettext_noop("This challenge is no longer open.")
