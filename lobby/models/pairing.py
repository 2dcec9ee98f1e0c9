"""Who waits for any opponent."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Match


class Seek(models.Model):
    """Somebody in the queue of quick pairing. Only `lobby.pairing.queue` writes it.

    Once paired it has a match and is kept until its person seeks again, so that a browser that missed
    the news is told when it comes back.
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
