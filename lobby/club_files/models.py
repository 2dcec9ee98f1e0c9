"""What a club has brought along from another site."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import ID_LENGTH
from lobby.clubs.models import Club


class ClubArchive(models.Model):
    """The file from which a club was imported: its people there have no accounts here.

    `origin` is the id of the club where it was founded, so that the same club is not imported twice. Written
    only by `lobby.club_files.archives`.
    """

    club = models.OneToOneField(
        Club, primary_key=True, on_delete=models.CASCADE, related_name="archive", verbose_name=_("club")
    )
    origin = models.CharField(_("id of the club where it was founded"), max_length=ID_LENGTH, unique=True)
    content = models.TextField(_("file"))
    imported = models.DateTimeField(_("imported"))

    class Meta:
        verbose_name = _("archive of a club")
        verbose_name_plural = _("archives of clubs")

    def __str__(self) -> str:
        return self.origin
