"""Messages between two accounts."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

MESSAGE_LENGTH = 2000
"""Maximum characters of a message."""


class Message(models.Model):
    """A message from one account to another. Written only by `lobby.inbox.conversations`."""

    sender = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="messages_sent",
        verbose_name=_("sender"),
        # Covered by the index "messages_between" and the constraint below.
        db_index=False,
    )
    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="messages_received",
        verbose_name=_("recipient"),
    )
    text = models.CharField(_("text"), max_length=MESSAGE_LENGTH)
    at = models.DateTimeField(_("time"), auto_now_add=True)
    hidden = models.BooleanField(_("hidden by a moderator"), default=False)
    command = models.CharField(_("command"), max_length=64, editable=False)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["pk"]
        indexes = [models.Index(fields=["sender", "recipient", "-id"], name="messages_between")]
        constraints = [
            # Idempotency: a command that is sent again stores no second message.
            models.UniqueConstraint(fields=["sender", "command"], name="one_message_per_command"),
        ]

    def __str__(self) -> str:
        return self.text


class Conversation(models.Model):
    """One user's side of the messages with another. Written only by `lobby.inbox.conversations`.

    `latest` is the number of the last message, `read` that of the last one that the user has seen.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="conversations",
        verbose_name=_("user"),
        # Covered by the constraint below.
        db_index=False,
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="conversations_with_me",
        verbose_name=_("the other"),
    )
    begun = models.BooleanField(_("begun by the user"), default=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    latest = models.BigIntegerField(_("last message"))
    read = models.BigIntegerField(_("last message read"), default=0)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        indexes = [models.Index(fields=["user", "-latest"], name="conversations_by_latest")]
        constraints = [
            models.UniqueConstraint(fields=["user", "other"], name="one_conversation_of_two"),
            models.CheckConstraint(condition=~models.Q(user=models.F("other")), name="no_conversation_alone"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} with {self.other_id}"
