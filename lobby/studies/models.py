"""Studies, their chapters and members, and the operations that were carried out."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.domain.position import MOST_CHARACTERS
from games.models import ID_LENGTH, short_id
from lobby.studies.files import LONGEST_TITLE

KEY_LENGTH = 64


class Study(models.Model):
    """A study of a game. Written only by `lobby.studies.studies`."""

    class Visibility(models.TextChoices):
        PRIVATE = "private", _("its members")
        UNLISTED = "unlisted", _("everyone with the link")
        PUBLIC = "public", _("everyone")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=short_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="studies", verbose_name=_("owner")
    )
    title = models.CharField(_("title"), max_length=LONGEST_TITLE)
    game = models.SlugField(_("game"), db_index=False)
    visibility = models.CharField(
        _("who can see it"), max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE
    )
    held = models.BooleanField(_("held private by a moderator"), default=False, db_default=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("study")
        verbose_name_plural = _("studies")
        ordering: ClassVar = ["-created"]
        indexes: ClassVar = [
            models.Index(fields=["-created"], condition=models.Q(visibility="public"), name="public_studies")
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """The address of the page of the study."""
        return reverse("study", args=[self.pk])


class StudyMember(models.Model):
    """A person whom the owner lets into a study. Written only by `lobby.studies.studies`."""

    class Role(models.TextChoices):
        READ = "read", _("reads")
        COMMENT = "comment", _("comments")
        WRITE = "write", _("writes")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, db_index=False, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="in_studies",
        verbose_name=_("member"),
    )
    role = models.CharField(_("role"), max_length=7, choices=Role.choices, default=Role.READ)

    class Meta:
        verbose_name = _("member of a study")
        verbose_name_plural = _("members of studies")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["study", "user"], name="once_in_a_study"),
        ]

    def __str__(self) -> str:
        return f"{self.study_id} {self.user_id} {self.role}"


class Chapter(models.Model):
    """A chapter: a position, and the tree of moves from it. Written only by `lobby.studies.chapters`.

    `nodes` are the nodes of the tree as JSON, removed ones included, and `number` that of its last operation.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="chapters")
    title = models.CharField(_("title"), max_length=LONGEST_TITLE, blank=True)
    start = models.TextField(_("position"), max_length=MOST_CHARACTERS)
    nodes = models.TextField(_("moves"))
    number = models.PositiveIntegerField(_("number of its last change"), default=0)

    class Meta:
        verbose_name = _("chapter")
        verbose_name_plural = _("chapters")
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.study_id} {self.title}"


class Operation(models.Model):
    """An operation on a chapter, by which a repeated one is known. Written only by `lobby.studies.chapters`.

    It is kept while the client may send it again.
    """

    chapter = models.ForeignKey(Chapter, on_delete=models.CASCADE, db_index=False, related_name="operations")
    # Without a constraint: checking it would lock the user's row after the chapter, against the lock order.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_constraint=False, related_name="operations"
    )
    key = models.CharField(_("key"), max_length=KEY_LENGTH)
    number = models.PositiveIntegerField(_("number"))
    node = models.PositiveIntegerField(_("node"))
    at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("operation on a chapter")
        verbose_name_plural = _("operations on chapters")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chapter", "user", "key"], name="one_operation_per_key"),
        ]

    def __str__(self) -> str:
        return f"{self.chapter_id} {self.number}"
