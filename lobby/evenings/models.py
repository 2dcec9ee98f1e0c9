"""Evenings: people in a room who play a tournament together."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import ID_LENGTH, short_id
from lobby.tournaments.models import TITLE_LENGTH, Tournament

EVENING_CODE_LENGTH = 4


class Evening(models.Model):
    """An evening. Written only by `lobby.evenings.evenings`, and deleted with all its traces at its end.

    Fields of the plan that are "" or 0 follow from the number of people (`lobby.evenings.plan`). At the start
    the plan is copied to the tournament and no longer changes here.
    """

    code = models.CharField(_("code"), max_length=EVENING_CODE_LENGTH, unique=True)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="evenings", verbose_name=_("host")
    )
    # The database has the default too, for servers of the version before.
    title = models.CharField(_("title"), max_length=TITLE_LENGTH, blank=True, default="", db_default="")
    game = models.SlugField(_("game"), db_index=False)
    minutes = models.PositiveSmallIntegerField(_("minutes"))
    format = models.SlugField(_("format"), db_index=False, blank=True)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    clock = models.CharField(_("clock"), max_length=12, blank=True)
    chat = models.BooleanField(_("people can chat during matches"), default=False)
    # The id that its tournament will have: what is drawn by lot depends on it.
    lot = models.CharField(_("lot"), max_length=ID_LENGTH, default=short_id, editable=False)
    tournament = models.OneToOneField(
        Tournament,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="evening",
        verbose_name=_("tournament"),
    )
    created = models.DateTimeField(_("created"))
    expires = models.DateTimeField(_("when the code stops working"))
    # So that pages see whether anything is new.
    version = models.PositiveIntegerField(_("number of its last change"), default=0)

    class Meta:
        verbose_name = _("evening")
        verbose_name_plural = _("evenings")

    def __str__(self) -> str:
        return self.code


class EveningGuest(models.Model):
    """A person who has joined an evening. Written only by `lobby.evenings.evenings`."""

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, db_index=False, related_name="people")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="at_evenings",
        verbose_name=_("person"),
    )
    at_host = models.BooleanField(_("plays on the host’s device"), default=False)
    # Only these are the host's to rename and to delete.
    created_here = models.BooleanField(_("guest who was created here"), default=False)
    removed = models.BooleanField(_("removed"), default=False)

    class Meta:
        verbose_name = _("person at an evening")
        verbose_name_plural = _("people at evenings")
        constraints = [
            models.UniqueConstraint(fields=["evening", "user"], name="once_at_an_evening"),
        ]

    def __str__(self) -> str:
        return f"{self.evening_id} {self.user_id}"
