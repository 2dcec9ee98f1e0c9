"""Reports about users, for moderators (`lobby.moderation.moderation`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TypeAlias

from django.conf import settings
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from games.domain import texts
from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.chat import match_rooms
from lobby.chat.models import REASON_LENGTH, ChatLine, Report
from lobby.clubs import club_chat
from lobby.clubs.models import Club, Membership
from lobby.inbox import conversations
from lobby.inbox.models import Message
from lobby.people.models import User
from lobby.tournaments.models import Tournament

MOST_A_DAY = settings.REPORTS_PER_DAY


class ReportError(Refused):
    """A refused report."""


class Oneself(ReportError):
    """The reporter and the reported user are the same."""

    code, status = "oneself", 400
    sentence = gettext_noop("You cannot do that to yourself.")


class Empty(ReportError):
    """The reason is empty."""

    code, status = "empty", 400
    sentence = gettext_noop("Say in a few words what is wrong.")


class TooLong(ReportError):
    """The reason is longer than `most` characters."""

    code, status = "too-long", 400
    sentence = gettext_noop("A reason can have at most %(most)d characters.")


class UnknownLine(ReportError):
    """The reported chat line was deleted, or the reporter cannot read it."""

    code, status = "unknown-line", 400
    sentence = gettext_noop("This message no longer exists.")


class UnknownSubject(ReportError):
    """The subject does not exist, or is not of the reported user."""

    code, status = "unknown-subject", 400
    sentence = gettext_noop("What you want to report no longer exists.")


class TooMany(ReportError):
    """The reporter has sent too many reports today."""

    code, status = "too-many", 429
    sentence = gettext_noop("Too many reports today. Please try again tomorrow.")
    headers = {"Retry-After": "3600"}


Subject: TypeAlias = ChatLine | Message | Tournament | Club
"""What a report can be about besides the user: one thing of theirs."""


@transaction.atomic
def report(reporter: User, about: User, reason: str, subject: Subject | None = None) -> Report:
    """Report a user to the moderators. An open report about the same subject is returned instead.

    Args:
        reporter: the user who reports.
        about: the reported user.
        reason: the reason, in the reporter's words.
        subject: what the report is about, if it is about one thing (`find`).

    Raises:
        ReportError: "oneself", "empty", "too-long" or "too-many".
    """
    if reporter == about:
        raise Oneself
    words = _checked(reason)
    columns = {kind: subject if isinstance(subject, model) else None for kind, model in MODELS.items()}
    # Lock the reporter's row, so that two concurrent requests cannot both pass the limit.
    mine = Report.objects.filter(reporter=User.objects.select_for_update().get(pk=reporter.pk))
    waiting = mine.filter(about=about, verdict=Report.Verdict.OPEN, **columns).first()
    if waiting is not None:
        return waiting
    if mine.filter(created__gt=timezone.now() - timedelta(days=1)).count() >= MOST_A_DAY:
        raise TooMany
    return Report.objects.create(reporter=reporter, about=about, reason=words, **columns)


def find(reporter: User, about: User, kind: str, key: str) -> Subject:
    """What a report is to be about, if the reporter may see it: a report reveals nothing.

    Args:
        reporter: the user who reports.
        about: the user whose it must be.
        kind: a key of `FINDERS`.
        key: its primary key, as the form sent it.

    Raises:
        ReportError: "unknown-line" or "unknown-subject".
    """
    return FINDERS[kind](reporter, about, key)


def forget(user_id: int) -> None:
    """Close the open reports about a user whose account is being deleted: nothing is left to act upon."""
    waiting = Report.objects.filter(about=user_id, verdict=Report.Verdict.OPEN)
    waiting.update(verdict=Report.Verdict.GONE)


def subject_of(report: Report) -> Subject | None:
    """What a report is about besides the user; None if nothing, or if it is gone."""
    return next(filter(None, (getattr(report, kind) for kind in MODELS)), None)


def quoted(subject: Subject) -> str:
    """The words of a subject by which its reporter recognizes it."""
    if isinstance(subject, Club):
        return subject.name
    return subject.title if isinstance(subject, Tournament) else subject.text


def _line(reporter: User, about: User, key: str) -> ChatLine:
    line = ChatLine.objects.filter(pk=texts.number(key), user=about).first()
    if line is None:
        raise UnknownLine
    may_read = match_rooms.may_read if line.club_id is None else club_chat.may_read
    if not may_read(line, reporter.pk):
        raise UnknownLine
    return line


def _message(reporter: User, about: User, key: str) -> Message:
    message = conversations.between(reporter, about).filter(pk=texts.number(key), sender=about).first()
    if message is None:
        raise UnknownSubject
    return message


def _tournament(_reporter: User, about: User, key: str) -> Tournament:
    known = Tournament.objects.filter(organiser=about)
    tournament = known.filter(pk=key).first() if key.isascii() and key.isalnum() else None
    if tournament is None:
        raise UnknownSubject
    return tournament


def _club(_reporter: User, about: User, key: str) -> Club:
    owned = Membership.objects.filter(user=about, role=Membership.Role.OWNER).select_related("club")
    membership = owned.filter(club=key).first() if key.isascii() and key.isalnum() else None
    if membership is None:
        raise UnknownSubject
    return membership.club


MODELS: dict[str, type[Model]] = {
    "line": ChatLine,
    "message": Message,
    "tournament": Tournament,
    "club": Club,
}
"""The columns of a report that say what it is about, and the models they refer to."""
FINDERS: dict[str, Callable[[User, User, str], Subject]] = {
    "line": _line,
    "message": _message,
    "tournament": _tournament,
    "club": _club,
}
"""How a subject of each kind is found among what the reporter may see."""


def _checked(reason: str) -> str:
    words = texts.cleaned(reason)
    if not words:
        raise Empty
    if len(words) > REASON_LENGTH:
        raise TooLong(most=REASON_LENGTH)
    return words
