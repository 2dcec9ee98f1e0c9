"""Tables, their chairs and invitations."""

import secrets

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import ID_LENGTH, Match, short_id
from lobby.clubs.models import Club

TOKEN_BYTES = 16


def invite_token() -> str:
    """The secret part of an invitation's URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Table(models.Model):
    """A game that waits for players.

    Written only by `lobby.tables.tables`, and by `lobby.tables.host_timeout`, which notes when the host was
    seen. A full table refers to its match and stays, so that its URL leads there.
    """

    class First(models.TextChoices):
        """Who moves first or, where sides have names, who gets the side that usually does."""

        HOST = "host", _("the host")
        OTHER = "other", _("the next player to join")
        LOT = "lot", _("random")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=short_id, editable=False)
    game = models.SlugField(_("game"))
    options = models.JSONField(_("options"))
    seats = models.PositiveSmallIntegerField(_("seats"))
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tables", verbose_name=_("host")
    )
    first = models.CharField(_("who moves first"), max_length=5, choices=First.choices, default=First.LOT)
    listed = models.BooleanField(_("shown in the lobby"), default=True)
    club = models.ForeignKey(
        Club,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tables",
        verbose_name=_("club"),
        help_text=_("Its members can join a table that the lobby does not show."),
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="challenges",
        verbose_name=_("challenged"),
        help_text=_("The one person who can join, if there is one."),
    )
    # Copied to the terms of the match (`games.domain.terms.Terms`).
    clock = models.CharField(_("clock"), max_length=12, blank=True)
    rated = models.BooleanField(_("rated"), default=False)
    watchable = models.BooleanField(_("others may watch"), default=True)
    delay = models.PositiveIntegerField(_("watchers' delay in seconds"), default=0)
    chat = models.BooleanField(_("people may talk"), default=True)
    lowest_rating = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    highest_rating = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    opens = models.PositiveSmallIntegerField(_("side that moves first, where sides have names"), default=0)
    # Null, as servers of the version before insert rows without it.
    position = models.TextField(  # noqa: DJ001
        _("position at which the match begins, if not at the start"), null=True, blank=True
    )
    match = models.OneToOneField(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="table", verbose_name=_("match")
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    kept = models.DateTimeField(_("host last seen"), default=timezone.now)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        indexes = [
            models.Index(fields=["-created"], name="open_tables", condition=models.Q(match__isnull=True))
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        """The address of the page of the table."""
        return reverse("table", args=[self.id])


class Chair(models.Model):
    """A player's place at a table; 0 is the host's. `lobby.tables.seat_order` maps chairs to seats."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chairs", verbose_name=_("table"))
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chairs", verbose_name=_("player")
    )

    class Meta:
        verbose_name = _("chair")
        verbose_name_plural = _("chairs")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_person_per_chair"),
            models.UniqueConstraint(fields=["table", "user"], name="one_chair_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number}"


class Invite(models.Model):
    """A single-use link to a chair, with an expiry. Written only by `lobby.tables.invites`."""

    token = models.CharField(
        _("token"), max_length=32, primary_key=True, default=invite_token, editable=False
    )
    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="invites", verbose_name=_("table")
    )
    inviter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="invites",
        verbose_name=_("who invites"),
    )
    expires = models.DateTimeField(_("expires"))
    used = models.DateTimeField(_("used"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return f"{self.table_id} until {self.expires:%Y-%m-%d %H:%M}"


class News(models.Model):
    """The sequence number of the lobby feed: a single row, which only `lobby.feed.lobby_feed` increments.

    It does so in the transaction that changes what the lobby shows. The row lock (which
    `lobby.feed.events` takes too) makes the order of commits that of the numbers, so a client that has all
    changes up to n has missed none.
    """

    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "news"

    def __str__(self) -> str:
        return str(self.number)
