"""Appeals against bans and mutes."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from lobby.chat.models import REASON_LENGTH
from lobby.people.models import BAN_REASON_LENGTH


class Appeal(models.Model):
    """An appeal of a user who is banned or muted.

    Written only by `lobby.appeals.appeals` and `lobby.moderation.moderation`.
    """

    class Against(models.TextChoices):
        BAN = "ban", _("ban")
        MUTE = "mute", _("mute")

    class Verdict(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="appeals", verbose_name=_("person")
    )
    # The database has the default and the name of the version before, whose servers may still run.
    against = models.CharField(
        _("against"), max_length=4, choices=Against.choices, default=Against.BAN, db_default="ban"
    )
    reason = models.CharField(_("reason"), max_length=BAN_REASON_LENGTH, blank=True, db_column="ban_reason")
    text = models.CharField(_("appeal"), max_length=REASON_LENGTH)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    verdict = models.CharField(
        _("verdict"), max_length=8, choices=Verdict.choices, default=Verdict.OPEN, db_index=True
    )
    answer = models.CharField(_("answer"), max_length=REASON_LENGTH, blank=True)

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        ordering: ClassVar = ["-created"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "against"], condition=models.Q(verdict="open"), name="one_open_appeal"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.text}"
