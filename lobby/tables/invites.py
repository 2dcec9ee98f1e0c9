"""Invitations: single-use links to a chair, valid for a day. The only module that writes `Invite`."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from lobby.people.models import User
from lobby.tables import refusals, tables
from lobby.tables.models import Invite, Table

GOOD_FOR = timedelta(days=1)


@transaction.atomic
def invite(inviter: User, table_id: str, now: datetime) -> Invite:
    """Create an invitation to a free chair of a table at which `inviter` sits.

    Raises:
        TableError: "gone", "begun", "not-seated", "for-one-person" or "enough-invitations".
    """
    table = tables.locked(table_id)
    if table.match_id is not None:
        raise refusals.Begun
    seated = [chair.user_id for chair in table.chairs.all()]
    if inviter.pk not in seated:
        raise refusals.NotSeated
    if table.invited_id is not None:
        raise refusals.ForOnePerson
    if not may_invite(table, now):
        raise refusals.EnoughInvitations
    return Invite.objects.create(table=table, inviter=inviter, expires=now + GOOD_FOR)


def may_invite(table: Table, now: datetime) -> bool:
    """Whether the table has a free chair without an open invitation."""
    given = Invite.objects.filter(table=table, used=None, expires__gt=now).count()
    return given + table.chairs.count() < table.seats


def open_invites(table: Table, inviter: User, now: datetime) -> list[Invite]:
    """The inviter's valid invitations to a table, oldest first."""
    return list(
        Invite.objects.filter(table=table, inviter=inviter, used=None, expires__gt=now).order_by("expires")
    )


def read(token: str, now: datetime) -> Invite:
    """A valid invitation, with its table.

    Raises:
        TableError: "unknown-invitation", "expired-invitation" or "used-invitation".
    """
    found = Invite.objects.filter(pk=token).select_related("table", "inviter").first()
    return _good(found, now)


def seated_by(user: User | AnonymousUser, token: str) -> str | None:
    """The table of an invitation, used or not, if the user sits there."""
    seats = Invite.objects.filter(pk=token, table__chairs__user=user.pk)
    return None if user.pk is None else seats.values_list("table_id", flat=True).first()


@transaction.atomic
def sit_down(user: User, table_id: str, token: str, now: datetime) -> Table:
    """Sit down by an invitation and mark it used.

    At a public table an invalid invitation is ignored.

    Raises:
        TableError: what `tables.sit_down` or `read` raises.
    """
    # The table's lock protects the invitation too: it is never used without the table.
    table = tables.locked(table_id, coming=user)
    found = Invite.objects.filter(pk=token, table=table).first()
    try:
        invite = _good(found, now)
    except refusals.NoInvitation as error:
        return _without(user, table_id, error)
    seated = tables.sit_down(user, table_id, by_invitation=True)
    invite.used = now
    invite.save(update_fields=["used"])
    return seated


def _without(user: User, table_id: str, why: refusals.NoInvitation) -> Table:
    try:
        return tables.sit_down(user, table_id)
    except refusals.InvitedOnly:
        raise why from None


def _good(found: Invite | None, now: datetime) -> Invite:
    if found is None:
        raise refusals.UnknownInvitation
    if found.used is not None:
        raise refusals.UsedInvitation
    if found.expires <= now:
        raise refusals.ExpiredInvitation
    return found
