"""People, and what they think of each other."""

from collections.abc import Callable, Collection
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from lobby.models import spelling
from lobby.models.names import not_reserved

NAME_LENGTH = spelling.STORED
"""How many code points a name takes at most; `lobby.models.spelling` counts characters."""
NAME_RULES = (spelling.well_spelled, not_reserved)
BAN_REASON_LENGTH = 300


class OfName(models.CharField):  # type: ignore[type-arg]
    """What `of` makes of the name in the same row, whoever writes the row."""

    def __init__(self, of: Callable[[str], str], **kwargs: Any) -> None:
        self.of = of
        super().__init__(**{**kwargs, "editable": False})

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        del kwargs["editable"]
        return name, path, [self.of, *args], kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        text = self.of(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, text)
        return text


WITHOUT_PLACE = models.Q(is_deleted=True) | models.Q(is_active=False) | models.Q(is_bot=True)
"""Who has no place on any leaderboard, however well they play."""


class User(AbstractUser):
    """Anyone who plays. A guest is a real user without a usable password.

    The row of an account that is deleted stays, since matches of others refer to it, and says nothing of
    the person any more.
    """

    username = models.CharField(
        _("name"),
        max_length=NAME_LENGTH,
        unique=True,
        help_text=_("3 to 20 letters of one alphabet, digits, - and _."),
        validators=NAME_RULES,
    )
    # Nobody else may have a name that is the same but for its capitals, or that looks the same.
    folded_name = OfName(spelling.folded, max_length=3 * spelling.STORED, unique=True)
    skeleton = OfName(spelling.skeleton, max_length=spelling.LONGEST_SKELETON, unique=True)
    is_guest = models.BooleanField(_("guest"), default=False)
    # Computer players are accounts without a password; the site's own have the name of their level.
    is_bot = models.BooleanField(_("computer player"), default=False)
    computer = models.CharField(_("level of the site’s computer player"), max_length=20, blank=True)
    is_deleted = models.BooleanField(_("deleted"), default=False)
    seen = models.DateTimeField(_("last seen"), default=timezone.now, db_index=True)
    preferences = models.JSONField(_("preferences"), default=dict, blank=True)
    # Somebody who is banned is not active; without an end they are banned for good. Only
    # `lobby.moderation.moderation` writes these.
    banned_until = models.DateTimeField(_("banned until"), null=True, blank=True)
    ban_reason = models.CharField(_("why banned"), max_length=BAN_REASON_LENGTH, blank=True)

    class Meta(AbstractUser.Meta):
        indexes = [
            # Few among all who have ratings, so that a leaderboard looks for them and not at everybody.
            models.Index(fields=["id"], name="without_place", condition=WITHOUT_PLACE),
            models.Index(fields=["date_joined"], name="newcomers"),
        ]

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Check the name in the form in which it is stored. Raises `ValidationError`."""
        self.username = spelling.normal(self.username)
        super().clean_fields(exclude)

    def get_username(self) -> str:
        """The name others see."""
        return gettext("deleted") if self.is_deleted else self.username

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.username])

    @property
    def language(self) -> str:
        """What they read; "" if that is not known."""
        return str(self.preferences.get("language", ""))


class Tie(models.Model):
    """What one person decided about another. Only `lobby.people.relationships` writes it."""

    class Kind(models.TextChoices):
        FOLLOW = "follow", _("follows")
        BLOCK = "block", _("blocks")
        MUTE = "mute", _("mutes")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ties", verbose_name=_("user")
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="ties_to_me",
        verbose_name=_("the other"),
    )
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("tie")
        verbose_name_plural = _("ties")
        constraints = [
            models.UniqueConstraint(fields=["user", "other", "kind"], name="one_tie_of_a_kind"),
            models.CheckConstraint(condition=~models.Q(user=models.F("other")), name="no_tie_to_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.other_id}"
