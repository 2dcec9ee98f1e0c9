"""Push notifications of ladders: a challenge, that it was accepted, and how it ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from lobby.ladders.models import LadderChallenge
from lobby.notices.push_notifications import tell
from lobby.people.models import User

Ending = LadderChallenge.Ending
Line = Callable[[], str]


def made(challenge: LadderChallenge) -> None:
    """Notify somebody of a challenge to them."""

    def line() -> str:
        days = challenge.ladder.answer_days
        words = ngettext(
            "%(name)s challenges you on the ladder. Answer within %(n)d day.",
            "%(name)s challenges you on the ladder. Answer within %(n)d days.",
            days,
        )
        return words % {"name": challenge.challenger.get_username(), "n": days}

    _tell(challenge, challenge.defender, "made", line, challenge.created)


def accepted(challenge: LadderChallenge) -> None:
    """Notify the challenger that the other plays."""

    def line() -> str:
        days = challenge.ladder.play_days
        words = ngettext(
            "%(name)s has accepted your challenge. Play within %(n)d day.",
            "%(name)s has accepted your challenge. Play within %(n)d days.",
            days,
        )
        return words % {"name": challenge.defender.get_username(), "n": days}

    _tell(challenge, challenge.challenger, "accepted", line, timezone.now())


def over(challenge: LadderChallenge) -> None:
    """Notify both of how a challenge has ended, unless it was withdrawn."""
    if challenge.ending != Ending.WITHDRAWN:
        people = (challenge.challenger, challenge.defender)
        for person, other in (people, people[::-1]):
            _tell(challenge, person, "over", partial(_ended, challenge, other), timezone.now())


def _ended(challenge: LadderChallenge, other: User) -> str:
    """How a challenge with another person has ended."""
    if challenge.won is None:
        words = gettext("Your challenge with %(other)s has ended. The places do not change.")
    elif challenge.won == (other.pk == challenge.defender_id):
        words = gettext("You have won the challenge against %(other)s.")
    else:
        words = gettext("You have lost the challenge against %(other)s.")
    return words % {"other": other.get_username()}


def _tell(challenge: LadderChallenge, user: User, what: str, line: Line, now: datetime) -> None:
    club = challenge.ladder.club
    tell(
        user.pk,
        f"ladder-{challenge.ladder_id}.{challenge.pk}-{what}",
        reverse("club-ladder", args=[club.slug]),
        lambda: (club.name, line()),
        now,
    )
