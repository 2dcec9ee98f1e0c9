"""Complaints about people, for moderators to look at (`lobby.moderation.moderation`)."""

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
    """A complaint that was not taken."""


class Oneself(ReportError):
    code, status = "oneself", 400
    sentence = gettext_noop("This is you.")


class Empty(ReportError):
    code, status = "empty", 400
    sentence = gettext_noop("Say in a few words what is wrong.")


class TooLong(ReportError):
    code, status = "too-long", 400
    sentence = gettext_noop("A reason has %(most)d characters at most.")


class UnknownLine(ReportError):
    code, status = "unknown-line", 400
    sentence = gettext_noop("This line is no longer there.")


class TooMany(ReportError):
    code, status = "too-many", 429
    sentence = gettext_noop("You have sent many reports today. Please try again tomorrow.")
    headers = {"Retry-After": "3600"}


@transaction.atomic
def report(reporter: User, about: User, reason: str, line_id: int | None = None) -> Report:
    """Tell the moderators about somebody. What waits already for the same line is not doubled.

    Args:
        reporter: who complains.
        about: about whom.
        reason: why, in their words.
        line_id: what `about` said in the chat, if it is about that.

    Raises:
        ReportError: "oneself", "empty", "too-long", "unknown-line" or "too-many".
    """
    if reporter == about:
        raise Oneself
    words = _checked(reason)
    line = None if line_id is None else _line(reporter, about, line_id)
    # The reporter's own row is the lock: two requests at once must not count the same reports.
    mine = Report.objects.filter(reporter=User.objects.select_for_update().get(pk=reporter.pk))
    waiting = mine.filter(about=about, line=line, verdict=Report.Verdict.OPEN).first()
    if waiting is not None:
        return waiting
    if mine.filter(created__gt=timezone.now() - timedelta(days=1)).count() >= MOST_A_DAY:
        raise TooMany
    return Report.objects.create(reporter=reporter, about=about, line=line, reason=words)


def _line(reporter: User, about: User, line_id: int) -> ChatLine:
    """What somebody said where the reporter could read it, so that a report tells nothing of other rooms."""
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
