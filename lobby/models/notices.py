"""How people are told what waits for them while they are not here."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from lobby.models.hooks import URL_LENGTH, Hook

DEVICE_NAME_LENGTH = 60


class Reminder(models.Model):
    """Whether somebody is written to when it is their turn, and when.

    Only `lobby.notices.reminders` writes it.

    The row stays when they want no more e-mails, so that whoever changes their mind twice is not written to
    twice. `due` is when a process may take it up, which is later while one has it; there is none while
    nothing waits.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="reminder",
        verbose_name=_("user"),
    )
    wanted = models.BooleanField(_("wanted"), default=True)
    # E-mails have whole addresses in them, and only a browser knows how the site is reached.
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
    """The private key by which push services know this site: one row.

    Only `lobby.webhooks.vapid` writes it.
    """

    private = models.CharField(_("private key"), max_length=64, editable=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("key for push services")
        verbose_name_plural = _("keys for push services")

    def __str__(self) -> str:
        return str(self.pk)


class Device(models.Model):
    """A browser that shows what happens to its owner. Only `lobby.notices.devices` writes it.

    It hears by its push service as a program hears by a webhook: its hook has the address, and what is on
    the way. The two keys are the browser's; only it can read what is sealed with them.
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
