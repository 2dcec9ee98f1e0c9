"""Homework of classes."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lobby.classes.models import SchoolClass
from lobby.studies.models import Study


class Homework(models.Model):
    """Something that a class is to do. Written only by `lobby.homework.homework`."""

    class Kind(models.TextChoices):
        PUZZLES = "puzzles", _("puzzles")
        COURSE = "course", _("course")
        STUDY = "study", _("study")
        MATCHES = "matches", _("matches against the computer")

    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="homework", verbose_name=_("class")
    )
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices)
    game = models.SlugField(_("game"), db_index=False)
    # As in the address of the set.
    puzzles = models.CharField(_("puzzles"), max_length=200, blank=True)
    study = models.ForeignKey(
        Study,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="as_homework",
        verbose_name=_("study"),
    )
    level = models.PositiveSmallIntegerField(_("level of the computer player"), default=0)
    matches = models.PositiveSmallIntegerField(_("number of matches"), default=0)
    due = models.DateField(_("due"))
    given = models.DateTimeField(_("given"), default=timezone.now)

    class Meta:
        verbose_name = _("homework")
        verbose_name_plural = _("homework")

    def __str__(self) -> str:
        return f"{self.school_class_id} {self.kind}"


class HomeworkRead(models.Model):
    """That a pupil has read a study that is homework. Written only by `lobby.homework.homework`."""

    homework = models.ForeignKey(
        Homework, on_delete=models.CASCADE, db_index=False, related_name="reads", verbose_name=_("homework")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="read_homework",
        verbose_name=_("pupil"),
    )

    class Meta:
        verbose_name = _("read homework")
        verbose_name_plural = _("read homework")
        constraints = [
            models.UniqueConstraint(fields=["homework", "user"], name="homework_read_once"),
        ]

    def __str__(self) -> str:
        return f"{self.homework_id} {self.user_id}"
