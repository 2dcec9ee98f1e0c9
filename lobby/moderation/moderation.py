"""What moderators do. Django's log of the admin says of every deed who did it, to whom and why.

A deed and its entry are one transaction, so that nothing happens without a trace.
"""

from __future__ import annotations

from datetime import datetime
from random import SystemRandom

from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby import signals
from lobby.accounts.guests import DIGITS, OutOfNames
from lobby.chat import lines
from lobby.models import BAN_REASON_LENGTH, Appeal, ChatLine, Report, Table, User, names
from lobby.pairing import queue
from lobby.people import naming
from lobby.tables import tables

REPR_LENGTH = 200
"""Characters of what a deed was done to that the log keeps."""


class ModerationError(Refused):
    """A deed that cannot be done; nothing has changed."""


class SignedOut(ModerationError):
    code, status = "signed-out", 403
    sentence = gettext_noop("You are not signed in.")


class Oneself(ModerationError):
    code, status = "oneself", 400
    sentence = gettext_noop("This is you.")


class Computer(ModerationError):
    code, status = "computer", 403
    sentence = gettext_noop("%(name)s is a computer player.")


class Staff(ModerationError):
    code, status = "staff", 403
    sentence = gettext_noop("%(name)s belongs to the staff.")


class NoReason(ModerationError):
    code, status = "no-reason", 422
    sentence = gettext_noop("Say why.")


class TooLong(ModerationError):
    code, status = "too-long", 422
    sentence = gettext_noop("A reason has %(most)d characters at most.")


class Past(ModerationError):
    code, status = "past", 422
    sentence = gettext_noop("A ban must end in the future.")


class NotBanned(ModerationError):
    code, status = "not-banned", 409
    sentence = gettext_noop("%(name)s is not banned.")


class Deleted(ModerationError):
    code, status = "deleted", 410
    sentence = gettext_noop("This account is deleted.")


class Same(ModerationError):
    code, status = "same", 409
    sentence = gettext_noop("This is the name already.")


class BadName(ModerationError):
    """What the names of accounts have to be, in their own words."""

    code, status = "bad-name", 422
    sentence = gettext_noop("%(why)s")


class Decided(ModerationError):
    code, status = "decided", 409
    sentence = gettext_noop("This report has been decided already.")


class AppealDecided(ModerationError):
    code, status = "appeal-decided", 409
    sentence = gettext_noop("This appeal has been decided already.")


class NoLine(ModerationError):
    code, status = "no-line", 409
    sentence = gettext_noop("It is not about a line.")


@transaction.atomic
def ban(moderator: User, person: User, reason: str, until: datetime | None = None) -> None:
    """Shut somebody out: their sockets close, their open tables are cancelled, they wait for nobody.

    Banning somebody who is banned already changes the reason and the end. What was reported about
    them has been acted upon.

    Args:
        moderator: who does it.
        person: to whom.
        reason: why; the person gets to read it.
        until: when the ban ends by itself; None: never.

    Raises:
        ModerationError: "oneself", "staff", "no-reason", "too-long" or "past".
    """
    queue.cancel([person.pk])
    person = _locked(person)
    _check_rank(moderator, person)
    reason = _reason(reason)
    if until is not None and until <= timezone.now():
        raise Past
    person.is_active, person.banned_until, person.ban_reason = False, until, reason
    # That closes their sockets (`lobby.signal_handlers.after_saving`).
    person.save()
    tables.leave_all(person)
    _settle(Report.objects.filter(about=person))
    end = _("Banned for good.") if until is None else _("Banned until %(end)s.") % {"end": _time(until)}
    _log(moderator, person, end, reason)


@transaction.atomic
def lift(moderator: User, person: User, reason: str = "") -> None:
    """Let somebody in again who is banned.

    Raises:
        ModerationError: "not-banned".
    """
    person = _locked(person)
    if person.is_active or person.is_deleted:
        raise NotBanned(name=person.username)
    _let_in(person)
    _log(moderator, person, _("Ban lifted."), reason)


def lift_if_over(person: User) -> bool:
    """Let somebody in whose ban has come to its end; whether it has."""
    if person.is_deleted or person.banned_until is None or person.banned_until > timezone.now():
        return False
    _let_in(person)
    return True


def ban_in_words(person: User) -> str:
    """What somebody who is banned is told: until when, and why. Empty for everyone else."""
    if person.is_active or not person.ban_reason:
        return ""
    if person.banned_until is None:
        return _("You are banned from this site. The reason: %(reason)s") % {"reason": person.ban_reason}
    return _("You are banned from this site until %(end)s. The reason: %(reason)s") % {
        "end": _time(person.banned_until),
        "reason": person.ban_reason,
    }


@transaction.atomic
def rename(moderator: User, person: User, reason: str, name: str = "") -> str:
    """Give somebody another name, a free friendly one if none is said; the new name.

    Raises:
        ModerationError: "staff", "no-reason", "too-long", "bad-name", "deleted" or "same".
    """
    person = _locked(person)
    if person != moderator:
        _check_rank(moderator, person)
    if person.is_deleted:
        raise Deleted
    reason = _reason(reason)
    old = person.username
    try:
        new = naming.choose(name, person) if name else free_name()
    except ValidationError as error:
        raise BadName(why=" ".join(error.messages)) from None
    if new == old:
        raise Same
    person.username = new
    person.save()
    signals.renamed(person, old)
    _log(moderator, person, _("Renamed from %(old)s to %(new)s.") % {"old": old, "new": new}, reason)
    return new


@transaction.atomic
def close_table(moderator: User, table: Table, reason: str = "") -> None:
    """Cancel a table that waits for people.

    Raises:
        TableError: "gone" or "begun".
    """
    # The log names the table, which is gone afterwards.
    entry = f"{table.pk} ({table.host})"
    tables.stand_up(table.host, table.pk)
    _log(moderator, table, _("Table closed."), reason, entry, DELETION)


@transaction.atomic
def hide_line(moderator: User, line: ChatLine, reason: str = "") -> None:
    """Take a line of the chat from everyone's eyes; reports of it have been acted upon."""
    lines.set_hidden(line, hidden=True)
    _settle(Report.objects.filter(line=line))
    _log(moderator, line, _("Line hidden."), reason, _said(line))


@transaction.atomic
def show_line(moderator: User, line: ChatLine, reason: str = "") -> None:
    """Show a hidden line again."""
    lines.set_hidden(line, hidden=False)
    _log(moderator, line, _("Line shown again."), reason, _said(line))


@transaction.atomic
def dismiss(moderator: User, report: Report, reason: str = "") -> None:
    """Decide that nothing needs to be done about a report.

    Raises:
        ModerationError: "decided".
    """
    if not Report.objects.filter(pk=report.pk, verdict=Report.Verdict.OPEN).update(
        verdict=Report.Verdict.DISMISSED
    ):
        raise Decided
    _log(moderator, report, _("Report dismissed."), reason)


@transaction.atomic
def accept_appeal(moderator: User, appeal: Appeal, answer: str = "") -> None:
    """Lift the ban against which somebody appeals.

    Raises:
        ModerationError: "appeal-decided" or "not-banned".
    """
    _decide(appeal, Appeal.Verdict.ACCEPTED, answer)
    lift(moderator, appeal.user, answer)
    _log(moderator, appeal, _("Appeal accepted."), answer)


@transaction.atomic
def decline_appeal(moderator: User, appeal: Appeal, answer: str = "") -> None:
    """Leave a ban as it is, whatever was said against it.

    Raises:
        ModerationError: "appeal-decided".
    """
    _decide(appeal, Appeal.Verdict.DECLINED, answer)
    _log(moderator, appeal, _("Appeal declined."), answer)


def _decide(appeal: Appeal, verdict: Appeal.Verdict, answer: str) -> None:
    waiting = Appeal.objects.filter(pk=appeal.pk, verdict=Appeal.Verdict.OPEN)
    if not waiting.update(verdict=verdict, answer=lines.cleaned(answer)):
        raise AppealDecided


def free_name() -> str:
    """A friendly name that nobody has.

    Raises:
        lobby.accounts.guests.OutOfNames: every name that was tried is taken.
    """
    chance = SystemRandom()
    for digits in DIGITS:
        name = names.propose(digits, chance)
        if not naming.is_taken(name):
            return name
    raise OutOfNames


def _locked(person: User) -> User:
    return User.objects.select_for_update().get(pk=person.pk)


def _check_rank(moderator: User, person: User) -> None:
    """Moderators have no power over themselves and each other, which is their administrator's."""
    if moderator == person:
        raise Oneself
    if person.computer:
        raise Computer(name=person.username)
    if (person.is_staff or person.is_superuser) and not moderator.is_superuser:
        raise Staff(name=person.username)


def _reason(reason: str) -> str:
    words = lines.cleaned(reason)
    if not words:
        raise NoReason
    if len(words) > BAN_REASON_LENGTH:
        raise TooLong(most=BAN_REASON_LENGTH)
    return words


def _let_in(person: User) -> None:
    person.is_active, person.banned_until, person.ban_reason = True, None, ""
    person.save(update_fields=["is_active", "banned_until", "ban_reason"])
    # There is nothing left to appeal against.
    Appeal.objects.filter(user=person, verdict=Appeal.Verdict.OPEN).update(verdict=Appeal.Verdict.ACCEPTED)


def _settle(reports: models.QuerySet[Report]) -> None:
    reports.filter(verdict=Report.Verdict.OPEN).update(verdict=Report.Verdict.ACTED)


def _said(line: ChatLine) -> str:
    return f"{line.user}: {line.text}"


def _time(when: datetime) -> str:
    return f"{formats.date_format(when, 'DATETIME_FORMAT')} UTC"


def _log(
    moderator: User, target: models.Model, deed: str, reason: str, entry: str = "", flag: int = CHANGE
) -> None:
    why = _(" Reason: %(reason)s") % {"reason": reason} if reason else ""
    LogEntry.objects.create(
        user=moderator,
        content_type=ContentType.objects.get_for_model(target),
        object_id=str(target.pk),
        object_repr=(entry or str(target))[:REPR_LENGTH],
        action_flag=flag,
        change_message=deed + why,
    )
