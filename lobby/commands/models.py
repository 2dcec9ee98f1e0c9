"""Commands that were carried out, by which a repeated one is known, and the audit log."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

KEY_LENGTH = 64
ACTION_LENGTH = 32
TARGET_LENGTH = 200


class Command(models.Model):
    """A command that was carried out. Written only by `lobby.commands`.

    `digest` is the SHA-256 of its arguments in hexadecimal. It is empty for commands of versions that did not
    store it, and so is `action` where these stored none; then these do not count.
    """

    # Without a constraint: checking it would lock the user's row before all others, against the lock order.
    # Null for senders without an account, whose keys are hashed together with what is known of them.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="commands",
    )
    # The guest that a sender without an account has become by the command. It goes with them.
    guest = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="first_commands",
    )
    key = models.CharField(_("key"), max_length=KEY_LENGTH)
    action = models.CharField(_("action"), max_length=ACTION_LENGTH)
    target = models.CharField(_("object"), max_length=TARGET_LENGTH, blank=True)
    digest = models.CharField(_("digest of the arguments"), max_length=64, blank=True)
    result = models.JSONField(_("result"), null=True)
    at = models.DateTimeField(_("time"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("command")
        verbose_name_plural = _("commands")
        indexes = [
            models.Index(fields=["guest"], condition=Q(guest__isnull=False), name="commands_by_guest"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="one_command_per_key"),
            models.UniqueConstraint(
                fields=["key"], condition=Q(user__isnull=True), name="one_command_per_key_without_user"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"


class AuditEntry(models.Model):
    """What a user did to an object: the log that moderators read. Written only by `lobby.commands`.

    The rows outlive the object and the account, so `details` has ids of people and no names.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="audit_entries")
    action = models.CharField(_("action"), max_length=ACTION_LENGTH)
    target = models.CharField(_("object"), max_length=TARGET_LENGTH, db_index=True)
    details = models.JSONField(_("details"), default=dict)
    at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        verbose_name = _("entry of the audit log")
        verbose_name_plural = _("audit log")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
