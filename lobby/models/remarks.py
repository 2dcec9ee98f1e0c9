"""Remarks of moderators on users."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .chat import REASON_LENGTH


class Remark(models.Model):
    """A moderator's remark on a user, for other moderators. Written only by `lobby.accounts.remarks`."""

    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="remarks", verbose_name=_("about")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("author"),
    )
    text = models.CharField(_("text"), max_length=REASON_LENGTH)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("remark")
        verbose_name_plural = _("remarks")
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return self.text
