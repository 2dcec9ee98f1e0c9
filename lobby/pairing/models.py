"""The queue of quick pairing."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Match


class Seek(models.Model):
    """A player in the queue of quick pairing. Written only by `lobby.pairing.queue`.

    After pairing it refers to the match and stays until the player's next seek, so that a browser that
    missed the message still learns of the match when it reconnects.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seek", verbose_name=_("player")
    )
    game = models.SlugField(_("game"))
    preset = models.SlugField(_("rules"))
    clock = models.CharField(_("clock"), max_length=12, blank=True)
    rated = models.BooleanField(_("rated"), default=False)
    seats = models.PositiveSmallIntegerField(_("seats"), default=2)
    rating = models.FloatField(_("rating when the wait began"))
    created = models.DateTimeField(_("waiting since"), default=timezone.now)
    present = models.DateTimeField(_("last known to be there"), default=timezone.now)
    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="seeks", verbose_name=_("match")
    )

    class Meta:
        verbose_name = _("seek")
        verbose_name_plural = _("seeks")
        indexes = [models.Index(fields=["created"], name="queue", condition=models.Q(match__isnull=True))]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game}/{self.preset} {self.clock}"
