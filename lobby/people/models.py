"""Users, and who follows, blocks or mutes whom."""

from collections.abc import Callable, Collection
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.domain import computer_names
from lobby.people import spelling
from lobby.people.names import not_reserved

NAME_LENGTH = spelling.STORED
"""Maximum length of a name in code points; `lobby.people.spelling` counts characters."""
NAME_RULES = (spelling.well_spelled, not_reserved)
BAN_REASON_LENGTH = 300


class OfName(models.CharField):  # type: ignore[type-arg]
    """A column computed from the name in the same row by `of`, on every save."""

    def __init__(self, of: Callable[[str], str], **kwargs: Any) -> None:
        self.of = of
        super().__init__(**{**kwargs, "editable": False})

    def deconstruct(self) -> Any:
        """The arguments of the field, for migrations."""
        name, path, args, kwargs = super().deconstruct()
        del kwargs["editable"]
        return name, path, [self.of, *args], kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Derive the value from the name."""
        text = self.of(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, text)
        return text


LISTED = ("username", "first_name", "pupil_of", "computer", "is_bot", "is_guest", "is_deleted", "is_active")
"""The columns that lists of matches and tables show of a user."""
WITHOUT_PLACE = models.Q(is_deleted=True) | models.Q(is_active=False) | models.Q(is_bot=True)
"""Users who are excluded from leaderboards."""


class User(AbstractUser):
    """A user. A guest is a user without a usable password.

    The row of a deleted account stays, anonymized, because matches of other users refer to it.
    """

    username = models.CharField(
        _("name"),
        max_length=NAME_LENGTH,
        unique=True,
        help_text=_("3 to 20 letters of one alphabet, digits, - and _."),
        validators=NAME_RULES,
    )
    # Unique regardless of case, and unique in looks.
    folded_name = OfName(spelling.folded, max_length=3 * spelling.STORED, unique=True)
    skeleton = OfName(spelling.skeleton, max_length=spelling.LONGEST_SKELETON, unique=True)
    is_guest = models.BooleanField(_("guest"), default=False)
    # Computer players have no password; the site's own are named after their level.
    is_bot = models.BooleanField(_("computer player"), default=False)
    computer = models.CharField(_("level of the site’s computer player"), max_length=20, blank=True)
    is_deleted = models.BooleanField(_("deleted"), default=False)
    seen = models.DateTimeField(_("last seen"), default=timezone.now, db_index=True)
    # Written only by `lobby.classes`. A pupil is a guest who stays as long as the class.
    pupil_of = models.ForeignKey(
        "lobby.SchoolClass",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="pupils",
        verbose_name=_("pupil of"),
    )
    preferences = models.JSONField(_("preferences"), default=dict, blank=True)
    # A banned user is not active; null: banned for good. Only `lobby.moderation.moderation` writes these.
    banned_until = models.DateTimeField(_("banned until"), null=True, blank=True)
    ban_reason = models.CharField(_("why banned"), max_length=BAN_REASON_LENGTH, blank=True)
    # Who answers an appeal must be another moderator.
    banned_by = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("banned by"),
    )
    # A muted user cannot chat (`lobby.chat.lines`) until then. Written as the ban is.
    muted_until = models.DateTimeField(_("muted until"), null=True, blank=True)
    # The database has the default too, for servers of the version before.
    mute_reason = models.CharField(
        _("why muted"), max_length=BAN_REASON_LENGTH, blank=True, default="", db_default=""
    )
    muted_by = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("muted by"),
    )

    class Meta(AbstractUser.Meta):
        indexes = [
            # Leaderboards exclude these users. They are few, so the query reads this index and not all users.
            models.Index(fields=["id"], name="without_place", condition=WITHOUT_PLACE),
            models.Index(fields=["date_joined"], name="newcomers"),
        ]

    @classmethod
    def listed(cls, path: str) -> list[str]:
        """The columns that lists of matches and tables show of a user, for `QuerySet.only`.

        Args:
            path: the foreign key to the user.
        """
        return [f"{path}__{column}" for column in LISTED]

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Validate the normalized name. Raises `ValidationError`."""
        self.username = spelling.normal(self.username)
        super().clean_fields(exclude)

    def get_username(self) -> str:
        """The name that other users see: only their class sees pupils, by their first names."""
        if self.pupil_of_id is not None:
            return self.first_name
        return gettext("deleted") if self.is_deleted else self.username

    def get_short_name(self) -> str:
        """The name in a room where people know each other: guests of an evening have a first name there."""
        return self.first_name or self.get_username()

    def name_in_words(self) -> str:
        """The name that pages show: computer players have one in the active language."""
        return computer_names.in_words(self.username) if self.computer else self.get_username()

    def get_absolute_url(self) -> str:
        """The address of the profile."""
        return reverse("profile", args=[self.username])

    @property
    def is_public(self) -> bool:
        """Whether everybody may see this user, and not only a class (`lobby.people.circles`)."""
        return self.pupil_of_id is None

    @property
    def keeps_progress(self) -> bool:
        """Whether the site keeps what the user learns: of accounts and of pupils, who are guests."""
        return not self.is_guest or self.pupil_of_id is not None

    @property
    def language(self) -> str:
        """The user's language; "" if unknown."""
        return str(self.preferences.get("language", ""))


class Relationship(models.Model):
    """That one user follows, blocks or mutes another. Written only by `lobby.people.relationships`."""

    class Kind(models.TextChoices):
        FOLLOW = "follow", _("follows")
        BLOCK = "block", _("blocks")
        MUTE = "mute", _("mutes")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="relationships",
        verbose_name=_("user"),
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="relationships_to_me",
        verbose_name=_("the other"),
    )
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        db_table = "lobby_tie"
        verbose_name = _("relationship")
        verbose_name_plural = _("relationships")
        constraints = [
            models.UniqueConstraint(fields=["user", "other", "kind"], name="one_tie_of_a_kind"),
            models.CheckConstraint(condition=~models.Q(user=models.F("other")), name="no_tie_to_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.other_id}"
