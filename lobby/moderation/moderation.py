"""Actions of moderators. Each is logged in the admin's log: who, on what, and why.

An action and its log entry are one transaction, so that none goes unlogged.
"""

from __future__ import annotations

from datetime import datetime
from random import SystemRandom

from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.domain import texts
from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.accounts import remarks
from lobby.accounts.guests import DIGITS, OutOfNames
from lobby.appeals.models import Appeal
from lobby.chat import lines
from lobby.chat.models import REASON_LENGTH, ChatLine, Report
from lobby.clubs import clubs, lookup
from lobby.clubs.models import Club
from lobby.inbox import conversations
from lobby.inbox.models import Message
from lobby.pairing import queue
from lobby.people import names, naming, signals
from lobby.people.models import BAN_REASON_LENGTH, User
from lobby.studies import studies
from lobby.studies.models import Study
from lobby.tables import tables
from lobby.tables.models import Table
from lobby.tournaments import entries, tournaments
from lobby.tournaments.models import Tournament

REPR_LENGTH = 200
"""Maximum characters of the target's description in the log."""


class ModerationError(Refused):
    """A refused action; nothing was changed."""


class Oneself(ModerationError):
    """Moderators cannot act on themselves."""

    code, status = "oneself", 400
    sentence = gettext_noop("You cannot do that to yourself.")


class Computer(ModerationError):
    """The site's own computer players cannot be moderated."""

    code, status = "computer", 403
    sentence = gettext_noop("%(name)s is a computer player.")


class Staff(ModerationError):
    """Only superusers can act on staff."""

    code, status = "staff", 403
    sentence = gettext_noop("%(name)s is a staff member.")


class NoReason(ModerationError):
    """The reason is empty."""

    code, status = "no-reason", 422
    sentence = gettext_noop("Say why.")


class TooLong(ModerationError):
    """The reason is longer than `most` characters."""

    code, status = "too-long", 422
    sentence = gettext_noop("A reason can have at most %(most)d characters.")


class EmptyRemark(ModerationError):
    """The remark has no text."""

    code, status = "empty", 422
    sentence = gettext_noop("Write the remark first.")


class RemarkTooLong(ModerationError):
    """The remark is longer than `most` characters."""

    code, status = "too-long", 422
    sentence = gettext_noop("A remark can have at most %(most)d characters.")


class Past(ModerationError):
    """A ban or mute would end before it begins."""

    code, status = "past", 422
    sentence = gettext_noop("The end must be in the future.")


class NotBanned(ModerationError):
    """There is no ban to lift."""

    code, status = "not-banned", 409
    sentence = gettext_noop("%(name)s is not banned.")


class NotMuted(ModerationError):
    """There is no mute to lift."""

    code, status = "not-muted", 409
    sentence = gettext_noop("%(name)s is not muted.")


class Deleted(ModerationError):
    """The user has deleted the account meanwhile."""

    code, status = "deleted", 410
    sentence = gettext_noop("This account is deleted.")


class Same(ModerationError):
    """The new name is the old one."""

    code, status = "same", 409
    sentence = gettext_noop("This is already their name.")


class BadName(ModerationError):
    """A name that the validators refuse; the sentence is theirs."""

    code, status = "bad-name", 422
    sentence = gettext_noop("%(why)s")


class Decided(ModerationError):
    """Another moderator was faster."""

    code, status = "decided", 409
    sentence = gettext_noop("This report has already been decided.")


class AppealDecided(ModerationError):
    """Another moderator was faster."""

    code, status = "appeal-decided", 409
    sentence = gettext_noop("This appeal has already been decided.")


class OwnDecision(ModerationError):
    """The moderator who banned or muted somebody answers no appeal against it, unless there is no other."""

    code, status = "own-decision", 403
    sentence = gettext_noop("You decided this yourself. Another moderator must answer the appeal.")


class NoLine(ModerationError):
    """The report is not about a chat line, so there is none to delete."""

    code, status = "no-line", 409
    sentence = gettext_noop("Not about a message.")


@transaction.atomic
def ban(moderator: User, person: User, reason: str, until: datetime | None = None) -> None:
    """Ban a user: close their sockets, cancel their tables, take them out of queue, clubs and tournaments.

    Banning a banned user changes the reason and the end. Open reports about them are closed as acted upon.

    Args:
        moderator: the moderator.
        person: the user to ban.
        reason: the reason, which the user gets to read.
        until: when the ban expires; None: never.

    Raises:
        ModerationError: "oneself", "computer", "staff", "no-reason", "too-long" or "past".
    """
    # Lock order: seeks, clubs, tournaments, tables, users.
    queue.cancel([person.pk])
    clubs.leave_all(person.pk)
    entries.leave_all(person.pk)
    tables.leave_all([person])
    person = _locked(person)
    _check_rank(moderator, person)
    reason = _reason(reason)
    if until is not None and until <= timezone.now():
        raise Past
    person.is_active, person.banned_until, person.ban_reason = False, until, reason
    person.banned_by = moderator
    # Saving closes the sockets (`lobby.accounts.user_changes`).
    person.save()
    _settle(Report.objects.filter(about=person))
    end = (
        _("Banned permanently.")
        if until is None
        else _("Banned until %(end)s.") % {"end": lines.end_in_words(until)}
    )
    _log(moderator, person, end, reason)


@transaction.atomic
def lift(moderator: User, person: User, reason: str = "") -> None:
    """Lift a ban.

    Raises:
        ModerationError: "not-banned".
    """
    person = _locked(person)
    if person.is_active or person.is_deleted:
        raise NotBanned(name=person.username)
    _let_in(person)
    _log(moderator, person, _("Ban lifted."), reason)


def lift_if_over(person: User) -> bool:
    """Lift a ban that has expired; returns whether it had."""
    if person.is_deleted or person.banned_until is None or person.banned_until > timezone.now():
        return False
    _let_in(person)
    return True


def ban_in_words(person: User) -> str:
    """The end of and the reason for a ban, as text for the banned user; "" for other users."""
    if person.is_active or not person.ban_reason:
        return ""
    if person.banned_until is None:
        return _("You are banned from this site. Reason: %(reason)s") % {"reason": person.ban_reason}
    return _("You are banned from this site until %(end)s. Reason: %(reason)s") % {
        "end": lines.end_in_words(person.banned_until),
        "reason": person.ban_reason,
    }


@transaction.atomic
def mute(moderator: User, person: User, reason: str, until: datetime) -> None:
    """Keep a user out of all chats until a time.

    Muting a muted user changes the reason and the end. Open reports about them are closed as acted upon.

    Args:
        moderator: the moderator.
        person: the user to mute.
        reason: the reason, which the user gets to read.
        until: when the mute ends.

    Raises:
        ModerationError: "oneself", "computer", "staff", "deleted", "no-reason", "too-long" or "past".
    """
    person = _locked(person)
    _check_rank(moderator, person)
    if person.is_deleted:
        raise Deleted
    reason = _reason(reason)
    if until <= timezone.now():
        raise Past
    _set_mute(person, until, reason, moderator)
    _settle(Report.objects.filter(about=person))
    _log(moderator, person, _("Muted until %(end)s.") % {"end": lines.end_in_words(until)}, reason)


@transaction.atomic
def unmute(moderator: User, person: User, reason: str = "") -> None:
    """End a mute before its time.

    Raises:
        ModerationError: "not-muted".
    """
    person = _locked(person)
    if lines.mute_of(person) is None:
        raise NotMuted(name=person.username)
    _set_mute(person, None, "", None)
    _settle_appeals(person, Appeal.Against.MUTE)
    _log(moderator, person, _("Mute lifted."), reason)


@transaction.atomic
def rename(moderator: User, person: User, reason: str, name: str = "") -> str:
    """Rename a user, by default to a generated name; returns the new name.

    Raises:
        ModerationError: "computer", "staff", "no-reason", "too-long", "bad-name", "deleted" or "same".
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
def remark(moderator: User, person: User, text: str) -> None:
    """Write a remark on a user that only moderators see. The log says that there is one, not what it says.

    Raises:
        ModerationError: "oneself", "deleted", "empty" or "too-long".
    """
    person = _locked(person)
    if person == moderator:
        raise Oneself
    if person.is_deleted:
        raise Deleted
    words = texts.cleaned(text)
    if not words:
        raise EmptyRemark
    if len(words) > REASON_LENGTH:
        raise RemarkTooLong(most=REASON_LENGTH)
    remarks.add(moderator, person, words)
    _log(moderator, person, _("Remark written."), "")


@transaction.atomic
def close_table(moderator: User, table: Table, reason: str = "") -> None:
    """Cancel a table whose match has not begun.

    Raises:
        TableError: "gone" or "begun".
    """
    # Describe the table now: it is deleted before the entry is written.
    entry = f"{table.pk} ({table.host})"
    tables.stand_up(table.host, table.pk)
    _log(moderator, table, _("Table closed."), reason, entry, DELETION)


@transaction.atomic
def cancel_tournament(moderator: User, tournament: Tournament, reason: str = "") -> None:
    """Cancel a tournament that is not over.

    Raises:
        TournamentError: "tournament-over".
    """
    tournaments.call_off(tournaments.locked(tournament.pk), timezone.now())
    _settle(Report.objects.filter(tournament=tournament))
    _log(
        moderator,
        tournament,
        _("Tournament cancelled."),
        reason,
        f"{tournament.pk} ({tournament.title_in_words})",
    )


@transaction.atomic
def rename_club(moderator: User, club: Club, name: str, reason: str = "") -> None:
    """Rename a club; its address follows.

    Raises:
        ClubError: "unknown-club" or "bad-name".
    """
    club = lookup.locked(club.pk)
    old = club.name
    clubs.rename(club, name)
    _log(moderator, club, _("Renamed from %(old)s to %(new)s.") % {"old": old, "new": club.name}, reason)


@transaction.atomic
def close_club(moderator: User, club: Club, reason: str = "") -> None:
    """Close a club for good.

    Raises:
        ClubError: "unknown-club".
    """
    club = lookup.locked(club.pk)
    # Before it is deleted, while it has an id.
    _log(moderator, club, _("Club closed."), reason, f"{club.pk} ({club.name})", DELETION)
    _settle(Report.objects.filter(club=club))
    clubs.close(club, lookup.owner(club))


@transaction.atomic
def hide_study(moderator: User, study: Study, reason: str = "") -> None:
    """Show a study to its members only, until it is released. Raises StudyError "unknown-study"."""
    studies.hold(study.pk)
    _log(moderator, study, _("Study made private."), reason, study.title)


@transaction.atomic
def release_study(moderator: User, study: Study, reason: str = "") -> None:
    """Let the owner show a study again. Raises StudyError "unknown-study"."""
    studies.release(study.pk)
    _log(moderator, study, _("Owner may show the study again."), reason, study.title)


@transaction.atomic
def hide_line(moderator: User, line: ChatLine, reason: str = "") -> None:
    """Hide a chat line from all readers; open reports of it are closed as acted upon."""
    lines.set_hidden(line, hidden=True)
    _settle(Report.objects.filter(line=line))
    _log(moderator, line, _("Message hidden."), reason, _said(line))


@transaction.atomic
def show_line(moderator: User, line: ChatLine, reason: str = "") -> None:
    """Show a hidden line again."""
    lines.set_hidden(line, hidden=False)
    _log(moderator, line, _("Message shown again."), reason, _said(line))


@transaction.atomic
def hide_message(moderator: User, message: Message, reason: str = "") -> None:
    """Hide a message between two users from both; open reports of it are closed as acted upon."""
    conversations.set_hidden(message, hidden=True)
    _settle(Report.objects.filter(message=message))
    _log(moderator, message, _("Message hidden."), reason, f"{message.sender}: {message.text}")


@transaction.atomic
def show_message(moderator: User, message: Message, reason: str = "") -> None:
    """Show a hidden message between two users again."""
    conversations.set_hidden(message, hidden=False)
    _log(moderator, message, _("Message shown again."), reason, f"{message.sender}: {message.text}")


@transaction.atomic
def dismiss(moderator: User, report: Report, reason: str = "") -> None:
    """Close a report without an action.

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
    """Accept an appeal and lift the ban or the mute; a mute may have ended meanwhile.

    Raises:
        ModerationError: "own-decision", "appeal-decided" or "not-banned".
    """
    _decide(moderator, appeal, Appeal.Verdict.ACCEPTED, answer)
    if appeal.against == Appeal.Against.BAN:
        lift(moderator, appeal.user, answer)
    elif lines.mute_of(appeal.user) is not None:
        unmute(moderator, appeal.user, answer)
    _log(moderator, appeal, _("Appeal accepted."), answer)


@transaction.atomic
def decline_appeal(moderator: User, appeal: Appeal, answer: str = "") -> None:
    """Decline an appeal; the ban or the mute stays.

    Raises:
        ModerationError: "own-decision" or "appeal-decided".
    """
    _decide(moderator, appeal, Appeal.Verdict.DECLINED, answer)
    _log(moderator, appeal, _("Appeal declined."), answer)


def decided_by(appeal: Appeal) -> User | None:
    """The moderator whose ban or mute an appeal is against."""
    return appeal.user.banned_by if appeal.against == Appeal.Against.BAN else appeal.user.muted_by


def _decide(moderator: User, appeal: Appeal, verdict: Appeal.Verdict, answer: str) -> None:
    if decided_by(appeal) == moderator and _has_colleague(moderator):
        raise OwnDecision
    waiting = Appeal.objects.filter(pk=appeal.pk, verdict=Appeal.Verdict.OPEN)
    if not waiting.update(verdict=verdict, answer=texts.cleaned(answer)):
        raise AppealDecided


def _has_colleague(moderator: User) -> bool:
    """Whether there is another active moderator, or an administrator."""
    moderators = User.objects.with_perm("lobby.moderate", backend="django.contrib.auth.backends.ModelBackend")
    return moderators.filter(is_staff=True).exclude(pk=moderator.pk).exists()


def free_name() -> str:
    """A generated name that is free.

    Raises:
        lobby.accounts.guests.OutOfNames: all names tried are taken.
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
    """Refuse actions on oneself, on computer players and, except for superusers, on staff."""
    if moderator == person:
        raise Oneself
    if person.computer:
        raise Computer(name=person.name_in_words())
    if (person.is_staff or person.is_superuser) and not moderator.is_superuser:
        raise Staff(name=person.username)


def _reason(reason: str) -> str:
    words = texts.cleaned(reason)
    if not words:
        raise NoReason
    if len(words) > BAN_REASON_LENGTH:
        raise TooLong(most=BAN_REASON_LENGTH)
    return words


def _let_in(person: User) -> None:
    person.is_active, person.banned_until, person.ban_reason, person.banned_by = True, None, "", None
    person.save(update_fields=["is_active", "banned_until", "ban_reason", "banned_by"])
    _settle_appeals(person, Appeal.Against.BAN)


def _set_mute(person: User, until: datetime | None, reason: str, moderator: User | None) -> None:
    person.muted_until, person.mute_reason, person.muted_by = until, reason, moderator
    person.save(update_fields=["muted_until", "mute_reason", "muted_by"])
    lines.tell_mute(person)


def _settle_appeals(person: User, against: Appeal.Against) -> None:
    """Open appeals are moot once the ban or the mute is lifted."""
    waiting = Appeal.objects.filter(user=person, against=against, verdict=Appeal.Verdict.OPEN)
    waiting.update(verdict=Appeal.Verdict.ACCEPTED)


def _settle(reports: models.QuerySet[Report]) -> None:
    reports.filter(verdict=Report.Verdict.OPEN).update(verdict=Report.Verdict.ACTED)


def _said(line: ChatLine) -> str:
    return f"{line.user}: {line.text}"


def _log(
    moderator: User, target: models.Model, action: str, reason: str, entry: str = "", flag: int = CHANGE
) -> None:
    why = _(" Reason: %(reason)s") % {"reason": reason} if reason else ""
    LogEntry.objects.create(
        user=moderator,
        content_type=ContentType.objects.get_for_model(target),
        object_id=str(target.pk),
        object_repr=(entry or str(target))[:REPR_LENGTH],
        action_flag=flag,
        change_message=action + why,
    )
