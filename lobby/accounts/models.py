"""Remarks of moderators on users, and traces by which they find accounts of one person."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from lobby.chat.models import REASON_LENGTH

DIGEST_LENGTH = 64
"""Hexadecimal digits of a SHA-256."""


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


class Trace(models.Model):
    """That a user was seen at an address or in a session, of which only a keyed hash is stored.

    Written only by `lobby.accounts.traces`.
    """

    class Kind(models.TextChoices):
        ADDRESS = "address", _("address")
        SESSION = "session", _("session")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="traces",
        verbose_name=_("user"),
        # Covered by the constraint below.
        db_index=False,
    )
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices)
    digest = models.CharField(_("hash"), max_length=DIGEST_LENGTH)
    first = models.DateTimeField(_("first seen"))
    seen = models.DateTimeField(_("last seen"), db_index=True)

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        indexes = [models.Index(fields=["digest", "kind"], name="traces_by_digest")]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "digest"], name="one_trace_of_a_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"
