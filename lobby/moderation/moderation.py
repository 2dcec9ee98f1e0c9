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

from lobby import announcements
from lobby.accounts.guests import DIGITS, OutOfNames
from lobby.chat import lines
from lobby.models import BAN_REASON_LENGTH, ChatLine, Report, Table, User, names
from lobby.pairing import queue
from lobby.tables import tables
from lobby.tables.tables import TableError

REPR_LENGTH = 200
"""Characters of what a deed was done to that the log keeps."""


class ModerationError(Exception):
    """A deed that cannot be done; `code` for programs, `sentence` for people. Nothing has changed."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


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
        raise ModerationError("past", _("A ban must end in the future."))
    person.is_active, person.banned_until, person.ban_reason = False, until, reason
    # That closes their sockets (`lobby.receivers.after_saving`).
    person.save()
    tables.stand_up_everywhere(person)
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
        raise ModerationError("not-banned", _("%(name)s is not banned.") % {"name": person.username})
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
        raise ModerationError("deleted", _("This account is deleted."))
    reason = _reason(reason)
    old, new = person.username, name or free_name()
    if new == old:
        raise ModerationError("same", _("This is the name already."))
    person.username = new
    try:
        person.clean_fields(exclude={"password"})
        person.validate_unique()
        person.validate_constraints()
    except ValidationError as error:
        raise ModerationError("bad-name", " ".join(error.messages)) from None
    person.save()
    announcements.renamed(person, old)
    _log(moderator, person, _("Renamed from %(old)s to %(new)s.") % {"old": old, "new": new}, reason)
    return new


@transaction.atomic
def close_table(moderator: User, table: Table, reason: str = "") -> None:
    """Cancel a table that waits for people.

    Raises:
        ModerationError: "gone" or "begun".
    """
    # The log names the table, which is gone afterwards.
    entry = f"{table.pk} ({table.host})"
    try:
        tables.stand_up(table.host, table.pk)
    except TableError as error:
        raise ModerationError(error.code, error.sentence) from None
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
        raise ModerationError("decided", _("This report has been decided already."))
    _log(moderator, report, _("Report dismissed."), reason)


def free_name() -> str:
    """A friendly name that nobody has.

    Raises:
        lobby.accounts.guests.OutOfNames: every name that was tried is taken.
    """
    chance = SystemRandom()
    for digits in DIGITS:
        name = names.propose(digits, chance)
        if not User.objects.filter(username__iexact=name).exists():
            return name
    raise OutOfNames


def _locked(person: User) -> User:
    return User.objects.select_for_update().get(pk=person.pk)


def _check_rank(moderator: User, person: User) -> None:
    """Moderators have no power over themselves and each other, which is their administrator's."""
    if moderator == person:
        raise ModerationError("oneself", _("This is you."))
    if person.computer:
        raise ModerationError("computer", _("%(name)s is a computer player.") % {"name": person.username})
    if (person.is_staff or person.is_superuser) and not moderator.is_superuser:
        raise ModerationError("staff", _("%(name)s belongs to the staff.") % {"name": person.username})


def _reason(reason: str) -> str:
    words = lines.cleaned(reason)
    if not words:
        raise ModerationError("no-reason", _("Say why."))
    if len(words) > BAN_REASON_LENGTH:
        raise ModerationError(
            "too-long", _("A reason has %(most)d characters at most.") % {"most": BAN_REASON_LENGTH}
        )
    return words


def _let_in(person: User) -> None:
    person.is_active, person.banned_until, person.ban_reason = True, None, ""
    person.save(update_fields=["is_active", "banned_until", "ban_reason"])


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
