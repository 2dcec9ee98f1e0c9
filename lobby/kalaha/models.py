"""Games of the Kalaha note API."""

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
