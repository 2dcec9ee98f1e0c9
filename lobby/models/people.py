"""People, and what they think of each other."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from lobby.models.names import not_reserved

NAME_LENGTH = 20
BAN_REASON_LENGTH = 300


class User(AbstractUser):
    """Anyone who plays. A guest is a real user without a usable password.

    The row of an account that is deleted stays, since matches of others refer to it, and says nothing of
    the person any more.
    """

    username = models.CharField(
        _("name"),
        max_length=NAME_LENGTH,
        unique=True,
        help_text=_("3 to 20 letters of the English alphabet, digits, - and _."),
        validators=[
            RegexValidator(
                r"\A[A-Za-z0-9_-]{3,20}\Z",
                _("A name has 3 to 20 letters of the English alphabet, digits, - and _."),
            ),
            not_reserved,
        ],
        error_messages={"unique": _("Somebody has this name already.")},
    )
    is_guest = models.BooleanField(_("guest"), default=False)
    # Computer players are accounts without a password; the site's own have the name of their level.
    is_bot = models.BooleanField(_("computer player"), default=False)
    computer = models.CharField(_("level of the site’s computer player"), max_length=NAME_LENGTH, blank=True)
    is_deleted = models.BooleanField(_("deleted"), default=False)
    seen = models.DateTimeField(_("last seen"), default=timezone.now, db_index=True)
    preferences = models.JSONField(_("preferences"), default=dict, blank=True)
    # Somebody who is banned is not active; without an end they are banned for good. Only
    # `lobby.moderation.moderation` writes these.
    banned_until = models.DateTimeField(_("banned until"), null=True, blank=True)
    ban_reason = models.CharField(_("why banned"), max_length=BAN_REASON_LENGTH, blank=True)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="one_name_whatever_its_capitals",
                violation_error_message=_("Somebody has this name already."),
            )
        ]

    def get_username(self) -> str:
        """The name others see."""
        return gettext("deleted") if self.is_deleted else self.username

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.username])


class Tie(models.Model):
    """What one person decided about another. Only `lobby.people.ties` writes it."""

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
