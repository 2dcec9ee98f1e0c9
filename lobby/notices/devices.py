"""Devices: browsers that receive push notifications."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from games.domain import texts
from games.domain.refusals import Refused
from games.rules.base import gettext_noop
from lobby.notices.models import DEVICE_NAME_LENGTH, Device
from lobby.people.models import User
from lobby.webhooks import outgoing, webpush_encryption
from lobby.webhooks.models import Hook

NOTICE = "notice"
"""The event type for devices; webhooks of programs never get it."""
MAX_DEVICES = settings.DEVICES_PER_PERSON
"""Maximum number of devices per user."""


class DeviceError(Refused):
    """A refused action on a device; nothing was changed."""


class NotForPrograms(DeviceError):
    """Computer players have no browser."""

    code, status = "not-for-programs", 403
    sentence = gettext_noop("Computer players cannot have devices.")


class BadKeys(DeviceError):
    """The keys are not those of a push subscription (RFC 8291)."""

    code, status = "bad-keys", 422
    sentence = gettext_noop("The browser’s push keys are not valid.")


class TooMany(DeviceError):
    """The user has as many devices as are allowed."""

    code, status = "too-many", 409
    sentence = gettext_noop("You have too many devices. Turn one off first.")


@transaction.atomic
def add(user: User, url: str, p256dh: str, auth: str, name: str, site: str) -> Device:
    """Register a browser for push notifications; it replaces an earlier owner's registration.

    Args:
        user: its owner.
        url: its endpoint at the push service.
        p256dh: its public key, as the browser encodes it.
        auth: its authentication secret, likewise.
        name: a name by which the owner recognizes it.
        site: the public origin of this site.

    Raises:
        DeviceError: "not-for-programs", "bad-keys" or "too-many".
        Unsent: the URL is not allowed: "bad-url", "not-https" or "not-public".
    """
    if user.is_bot:
        raise NotForPrograms
    try:
        webpush_encryption.check_keys(p256dh, auth)
    except webpush_encryption.BadKey:
        raise BadKeys from None
    outgoing.check(url)
    # Lock the user, so that two concurrent requests cannot both pass the limit.
    User.objects.select_for_update().get(pk=user.pk)
    Hook.objects.filter(url=url, device__isnull=False).delete()
    if of(user).count() >= MAX_DEVICES:
        raise TooMany
    hook = Hook.objects.create(user=user, url=url, events=[NOTICE], site=site)
    return Device.objects.create(
        hook=hook, name=texts.cleaned(name)[:DEVICE_NAME_LENGTH], p256dh=p256dh, auth=auth
    )


def of(user: User) -> QuerySet[Device]:
    """The devices of a user, oldest first."""
    return Device.objects.filter(hook__user=user).select_related("hook").order_by("pk")


def end(user: User, number: int) -> None:
    """Remove a user's device; does nothing for an unknown one."""
    Hook.objects.filter(user=user, pk=number, device__isnull=False).delete()
