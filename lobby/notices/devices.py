"""The devices of people that show what happens while nobody looks: browsers with a push service."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.models import DEVICE_NAME_LENGTH, Device, Hook, User
from lobby.webhooks import outgoing, webpush_encryption

NOTICE = "notice"
"""The event that devices hear of, and no program does."""
MOST = settings.DEVICES_PER_PERSON
"""Devices of one person."""


class DeviceError(Refused):
    """Something that cannot be done with a device; nothing has changed."""


class NotForPrograms(DeviceError):
    code, status = "not-for-programs", 403
    sentence = gettext_noop("Only people have devices.")


class BadKeys(DeviceError):
    code, status = "bad-keys", 422
    sentence = gettext_noop("These are not the keys of a browser.")


class TooMany(DeviceError):
    code, status = "too-many", 409
    sentence = gettext_noop("You have many devices already. Stop one of them first.")


@transaction.atomic
def add(user: User, url: str, p256dh: str, auth: str, name: str, site: str) -> Device:
    """Tell a browser from now on; one that was somebody else's is theirs no more.

    Args:
        user: whom it belongs to.
        url: its address at its push service.
        p256dh: its public key, and `auth` the secret that goes with it, as the browser says them.
        name: how its owner knows it again.
        site: the origin under which they know this site.

    Raises:
        DeviceError: "not-for-programs", "bad-keys" or "too-many".
        Unsent: why nothing can be sent there: "bad-url", "not-https" or "not-public".
    """
    if user.is_bot:
        raise NotForPrograms
    try:
        webpush_encryption.check_keys(p256dh, auth)
    except webpush_encryption.BadKey:
        raise BadKeys from None
    outgoing.target(url)
    # Two tabs that ask at once must not make more than there may be.
    User.objects.select_for_update().get(pk=user.pk)
    Hook.objects.filter(url=url, device__isnull=False).delete()
    if of(user).count() >= MOST:
        raise TooMany
    hook = Hook.objects.create(user=user, url=url, events=[NOTICE], site=site)
    return Device.objects.create(hook=hook, name=name[:DEVICE_NAME_LENGTH], p256dh=p256dh, auth=auth)


def of(user: User) -> QuerySet[Device]:
    """The devices of somebody, the oldest first."""
    return Device.objects.filter(hook__user=user).select_related("hook").order_by("pk")


def end(user: User, number: int) -> None:
    """Tell a device of somebody nothing more; again, or if it is not theirs, it changes nothing."""
    Hook.objects.filter(user=user, pk=number, device__isnull=False).delete()
