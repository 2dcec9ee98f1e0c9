"""Games of the Kalaha note API, and the stored responses to its idempotency keys."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match

ID_TEXT = 80
"""Length of an id as JSON: a string of up to 64 characters in quotes, a number, true or false."""
DIGEST = 64
"""Hexadecimal digits of a SHA-256."""


class NoteGame(models.Model):
    """A match with the ids that an API client gave to it and to its players; ids are JSON.

    Written only by the services in `lobby.kalaha`.
    """

    id = models.CharField(_("id"), primary_key=True, max_length=ID_TEXT)
    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, related_name="note_game", verbose_name=_("match")
    )
    player1 = models.CharField(_("player 1"), max_length=ID_TEXT)
    player2 = models.CharField(_("player 2"), max_length=ID_TEXT)
    command = models.CharField(_("what made it"), max_length=DIGEST, unique=True)

    class Meta:
        verbose_name = _("game of a note")
        verbose_name_plural = _("games of a note")

    def __str__(self) -> str:
        return self.id


class NoteAnswer(models.Model):
    """The response stored for an idempotency key. Written only by `lobby.kalaha.answers`.

    Without a status the request is still running, in a process that took it at `claimed`.
    """

    key = models.CharField(_("digest of the key"), primary_key=True, max_length=DIGEST)
    request = models.CharField(_("digest of the request"), max_length=DIGEST)
    claimed = models.DateTimeField(_("taken on"), db_index=True)
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    body = models.TextField(_("body"), blank=True)
    location = models.CharField(_("location"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("answer")
        verbose_name_plural = _("answers")

    def __str__(self) -> str:
        return self.key
