"""What people say in the lobby, and what others complain about."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

LINE_LENGTH = 300
REASON_LENGTH = 500


class ChatLine(models.Model):
    """Something somebody said in the lobby. Only `lobby.chat` writes it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lines", verbose_name=_("speaker")
    )
    text = models.CharField(_("text"), max_length=LINE_LENGTH)
    at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)
    hidden = models.BooleanField(_("hidden by a moderator"), default=False)
    command = models.CharField(  # noqa: DJ001 - null: said by no command
        _("command"), max_length=64, null=True, editable=False
    )

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        ordering = ["pk"]
        # However often a command is sent, it is said once.
        constraints = [models.UniqueConstraint(fields=["user", "command"], name="one_line_per_command")]

    def __str__(self) -> str:
        return self.text


class Report(models.Model):
    """A complaint about somebody. Only `lobby.reports` and `lobby.moderation` write it."""

    class Verdict(models.TextChoices):
        OPEN = "open", _("open")
        ACTED = "acted", _("acted upon")
        DISMISSED = "dismissed", _("dismissed")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports", verbose_name=_("reporter")
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="reports_about_me",
        verbose_name=_("about"),
    )
    line = models.ForeignKey(
        ChatLine, null=True, blank=True, on_delete=models.SET_NULL, verbose_name=_("chat line")
    )
    reason = models.CharField(_("reason"), max_length=REASON_LENGTH)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    verdict = models.CharField(
        _("verdict"), max_length=9, choices=Verdict.choices, default=Verdict.OPEN, db_index=True
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-created"]
        permissions = [("moderate", _("Can moderate: hide lines, ban, rename, close tables"))]

    def __str__(self) -> str:
        return f"{self.reporter} about {self.about}: {self.reason}"
