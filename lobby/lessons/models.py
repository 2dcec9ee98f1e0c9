"""Rounds of classes, and when the ladder of a class began."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from lobby.classes.models import SchoolClass
from lobby.tournaments.models import Tournament


class ClassRound(models.Model):
    """A round of a class: a tournament of one round. Written only by `lobby.lessons.rounds`."""

    school_class = models.ForeignKey(
        SchoolClass,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="class_rounds",
        verbose_name=_("class"),
    )
    number = models.PositiveIntegerField(_("number"))
    # For the next round: a tournament without an odd player has no computer player.
    level = models.PositiveSmallIntegerField(_("level of the computer player for the odd one"), default=0)
    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="class_round", verbose_name=_("tournament")
    )

    class Meta:
        verbose_name = _("round of a class")
        verbose_name_plural = _("rounds of classes")
        constraints = [
            models.UniqueConstraint(fields=["school_class", "number"], name="one_round_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.school_class_id} {self.number}"


class Ladder(models.Model):
    """That a class has a ladder, and since when matches count. Written only by `lobby.lessons.ladder`."""

    school_class = models.OneToOneField(
        SchoolClass,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="ladder",
        verbose_name=_("class"),
    )
    since = models.DateTimeField(_("matches count since"))

    class Meta:
        verbose_name = _("ladder of a class")
        verbose_name_plural = _("ladders of classes")

    def __str__(self) -> str:
        return str(self.school_class_id)
