"""Progress of accounts in the courses of games."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class CourseProgress(models.Model):
    """How far an account is in the course of a game. Written only by `lobby.courses.progress`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="courses",
        verbose_name=_("player"),
    )
    game = models.SlugField(_("game"), db_index=False)
    lessons = models.PositiveSmallIntegerField(_("lessons"), default=0)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("progress in a course")
        verbose_name_plural = _("progress in courses")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "game"], name="one_progress_per_course")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game} {self.lessons}"
