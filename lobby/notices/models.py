"""Reminders and push notifications for users who are offline."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from lobby.webhooks.models import URL_LENGTH, Hook

DEVICE_NAME_LENGTH = 60


class Reminder(models.Model):
    """Whether a user gets e-mails about their turns, and when the next one is due.

    Written only by `lobby.notices.reminders`.

    The row stays when the user turns e-mails off, so that turning them on again does not repeat the last
    one. `due` is the earliest time at which a process may send it. A process that takes it moves `due`
    forward as its lease; null while no match waits.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="reminder",
        verbose_name=_("user"),
    )
    wanted = models.BooleanField(_("wanted"), default=True)
    # E-mails contain absolute URLs; only a browser knows the public origin of the site.
    site = models.CharField(_("origin of the site"), max_length=URL_LENGTH)
    due = models.DateTimeField(_("when it is to be sent"), null=True, blank=True)
    sent = models.DateTimeField(_("last sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        indexes = [
            models.Index(fields=["due"], name="reminder_by_due", condition=models.Q(due__isnull=False))
        ]

    def __str__(self) -> str:
        return str(self.user_id)


class PushKey(models.Model):
    """The VAPID private key that identifies this site to push services; a single row.

    Written only by `lobby.webhooks.vapid`.
    """

    private = models.CharField(_("private key"), max_length=64, editable=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("key for push services")
        verbose_name_plural = _("keys for push services")

    def __str__(self) -> str:
        return str(self.pk)


class Device(models.Model):
    """A browser that receives push notifications for its owner. Written only by `lobby.notices.devices`.

    Notifications are delivered like webhook events: the hook has the push service's URL and the pending
    deliveries. The two keys are the browser's; only it can decrypt the messages.
    """

    hook = models.OneToOneField(
        Hook, on_delete=models.CASCADE, primary_key=True, related_name="device", verbose_name=_("webhook")
    )
    name = models.CharField(_("name"), max_length=DEVICE_NAME_LENGTH)
    p256dh = models.CharField(_("public key"), max_length=100, editable=False)
    auth = models.CharField(_("secret"), max_length=32, editable=False)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")

    def __str__(self) -> str:
        return self.name
