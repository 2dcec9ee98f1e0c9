"""How people are told what waits for them while they are not here."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from lobby.models.hooks import URL_LENGTH


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
