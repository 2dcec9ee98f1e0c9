"""Vacations from matches with days per move."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Vacation(models.Model):
    """A vacation, planned, going on or over. Written only by `lobby.vacations.vacations`.

    Those of a user never overlap.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="vacations",
        verbose_name=_("player"),
    )
    begins = models.DateTimeField(_("begins"))
    ends = models.DateTimeField(_("ends"))

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        ordering: ClassVar = ["begins"]
        indexes: ClassVar = [models.Index(fields=["user", "ends"], name="vacations_of_a_player")]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(ends__gt=models.F("begins")), name="vacation_begins_before_it_ends"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.begins:%Y-%m-%d} to {self.ends:%Y-%m-%d}"
