"""Classes, their teachers, and the cards with which pupils log in."""

from datetime import timedelta
from math import ceil

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import ID_LENGTH, short_id

CLASS_CODE_LENGTH = 6
TITLE_LENGTH = 40


class SchoolClass(models.Model):
    """A class. Written only by `lobby.classes.classes`. Its pupils are the users whose `pupil_of` it is."""

    code = models.CharField(_("code"), max_length=CLASS_CODE_LENGTH, unique=True)
    title = models.CharField(_("name"), max_length=TITLE_LENGTH)
    chat = models.BooleanField(_("pupils can chat during matches"), default=False)
    joins_until = models.DateTimeField(_("until when new pupils can join by the code"), null=True)
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = ["title", "pk"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """The address of the page of the class."""
        return reverse("class", args=[self.code])

    @property
    def minutes_open(self) -> int:
        """For how many more minutes new pupils can join by the code; 0 if they cannot."""
        if self.joins_until is None:
            return 0
        return max(0, ceil((self.joins_until - timezone.now()) / timedelta(minutes=1)))


class ClassTeacher(models.Model):
    """A teacher of a class, or somebody invited to be one. Written only by `lobby.classes.teachers`."""

    school_class = models.ForeignKey(
        SchoolClass,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="teachers",
        verbose_name=_("class"),
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="teaches",
        verbose_name=_("teacher"),
    )
    since = models.DateTimeField(_("teacher since; empty for who is only invited"), null=True)

    class Meta:
        verbose_name = _("teacher")
        verbose_name_plural = _("teachers")
        constraints = [
            models.UniqueConstraint(fields=["school_class", "user"], name="once_teacher_of_a_class"),
        ]

    def __str__(self) -> str:
        return f"{self.school_class_id} {self.user_id}"


class PupilCard(models.Model):
    """How a pupil logs in. Written only by `lobby.classes.pupils`.

    The letters and the PIN on the card follow from `number` and the secret key of the site
    (`lobby.classes.cards`), so the database alone opens nothing.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="card",
        verbose_name=_("pupil"),
    )
    number = models.CharField(_("number of the card"), max_length=ID_LENGTH, default=short_id, editable=False)
    # Until then teachers see the PIN.
    pin_used = models.BooleanField(_("the PIN has been used"), default=False)

    class Meta:
        verbose_name = _("card of a pupil")
        verbose_name_plural = _("cards of pupils")

    def __str__(self) -> str:
        return str(self.user_id)
