"""Traces by which moderators find accounts of one person."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

DIGEST_LENGTH = 64
"""Hexadecimal digits of a SHA-256."""


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
