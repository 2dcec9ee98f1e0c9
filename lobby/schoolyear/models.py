"""When classes end."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from lobby.classes.models import SchoolClass


class ClassEnd(models.Model):
    """When a class is due, and what is to be done with it. Written only by `lobby.schoolyear.ends`."""

    class Kind(models.TextChoices):
        NONE = "", _("in use")
        ARCHIVE = "archive", _("archive")
        ERASE = "erase", _("erase")

    school_class = models.OneToOneField(
        SchoolClass,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="ending",
        verbose_name=_("class"),
    )
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices, blank=True, default="")
    noticed = models.DateTimeField(_("when teachers were told that nobody uses the class"), null=True)
    # Also the lease of the process that looks at it; null: archived.
    due = models.DateTimeField(_("due"), null=True, db_index=True)

    class Meta:
        verbose_name = _("end of a class")
        verbose_name_plural = _("ends of classes")

    def __str__(self) -> str:
        return f"{self.school_class_id} {self.kind}"
