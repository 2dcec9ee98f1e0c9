"""Reports about users, for moderators (`lobby.moderation.moderation`)."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.chat import match_rooms
from lobby.chat.lines import cleaned
from lobby.models import REASON_LENGTH, ChatLine, Report, User

MOST_A_DAY = settings.REPORTS_PER_DAY


class ReportError(Refused):
    """A refused report."""


class Oneself(ReportError):
    code, status = "oneself", 400
    sentence = gettext_noop("This is you.")


class Empty(ReportError):
    code, status = "empty", 400
    sentence = gettext_noop("Say in a few words what is wrong.")


class TooLong(ReportError):
    code, status = "too-long", 400
    sentence = gettext_noop("A reason can have at most %(most)d characters.")


class UnknownLine(ReportError):
    code, status = "unknown-line", 400
    sentence = gettext_noop("This message no longer exists.")


class TooMany(ReportError):
    code, status = "too-many", 429
    sentence = gettext_noop("Too many reports today. Please try again tomorrow.")
    headers = {"Retry-After": "3600"}


@transaction.atomic
def report(reporter: User, about: User, reason: str, line_id: int | None = None) -> Report:
    """Report a user to the moderators. An open report about the same line is returned instead.

    Args:
        reporter: the user who reports.
        about: the reported user.
        reason: the reason, in the reporter's words.
        line_id: the id of a chat line of `about`, if the report is about one.

    Raises:
        ReportError: "oneself", "empty", "too-long", "unknown-line" or "too-many".
    """
    if reporter == about:
        raise Oneself
    words = _checked(reason)
    line = None if line_id is None else _line(reporter, about, line_id)
    # Lock the reporter's row, so that two concurrent requests cannot both pass the limit.
    mine = Report.objects.filter(reporter=User.objects.select_for_update().get(pk=reporter.pk))
    waiting = mine.filter(about=about, line=line, verdict=Report.Verdict.OPEN).first()
    if waiting is not None:
        return waiting
    if mine.filter(created__gt=timezone.now() - timedelta(days=1)).count() >= MOST_A_DAY:
        raise TooMany
    return Report.objects.create(reporter=reporter, about=about, line=line, reason=words)


def _line(reporter: User, about: User, line_id: int) -> ChatLine:
    """A user's line that the reporter may read, so that a report reveals nothing about other rooms."""
    line = ChatLine.objects.filter(pk=line_id, user=about).first()
    if line is None or not match_rooms.may_read(line, reporter.pk):
        raise UnknownLine
    return line


def _checked(reason: str) -> str:
    words = cleaned(reason)
    if not words:
        raise Empty
    if len(words) > REASON_LENGTH:
        raise TooLong(most=REASON_LENGTH)
    return words
