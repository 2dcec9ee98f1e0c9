"""API tokens, and the events that API clients read."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

TOKEN_NAME_LENGTH = 50
DIGEST_LENGTH = 64


class Token(models.Model):
    """An API token of a user. Written only by `lobby.tokens.tokens`.

    Only its SHA-256 is stored, in hexadecimal.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens", verbose_name=_("whose")
    )
    name = models.CharField(_("name"), max_length=TOKEN_NAME_LENGTH)
    scopes = models.JSONField(_("what it can do"), default=list)
    digest = models.CharField(_("digest"), max_length=DIGEST_LENGTH, unique=True, editable=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    used = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    """An event in a user's event stream. Written only by `lobby.feed.events`.

    Ids grow in the order of commits, so a client that has all up to one has missed none.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="events", verbose_name=_("whose")
    )
    data = models.JSONField(_("what is told"))
    at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["pk"]
        indexes = [models.Index(fields=["user", "id"], name="events_by_user")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.pk}"
