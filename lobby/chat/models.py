"""Chat lines of the lobby, of matches and of clubs, and reports about users."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match
from lobby.clubs.models import Club

LINE_LENGTH = 300
REASON_LENGTH = 500


class ChatLine(models.Model):
    """A chat line in the lobby, at a match or in a club. Written only by `lobby.chat.lines`."""

    class Room(models.TextChoices):
        LOBBY = "lobby", _("the lobby")
        PLAYERS = "players", _("the players of a match")
        WATCHERS = "watchers", _("the spectators of a match")
        CLUB = "club", _("the members of a club")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lines", verbose_name=_("speaker")
    )
    room = models.CharField(_("room"), max_length=8, choices=Room.choices, default=Room.LOBBY)
    match = models.ForeignKey(
        Match,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="lines",
        verbose_name=_("match"),
        # Covered by the index "lines_by_room" below.
        db_index=False,
    )
    club = models.ForeignKey(
        Club,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="lines",
        verbose_name=_("club"),
        # Covered by the index "lines_by_club" below.
        db_index=False,
    )
    text = models.CharField(_("text"), max_length=LINE_LENGTH)
    preset = models.CharField(
        _("preset"), max_length=20, blank=True, help_text=_("key of a sentence that is shown translated")
    )
    at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)
    hidden = models.BooleanField(_("hidden by a moderator"), default=False)
    command = models.CharField(  # noqa: DJ001 - null: said by no command
        _("command"), max_length=64, null=True, editable=False
    )

    class Meta:
        verbose_name = _("chat message")
        verbose_name_plural = _("chat messages")
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["match", "room", "-id"], name="lines_by_room"),
            models.Index(
                fields=["club", "-id"], name="lines_by_club", condition=models.Q(club__isnull=False)
            ),
        ]
        constraints = [
            # Idempotency: a command that is sent again stores no second line.
            models.UniqueConstraint(fields=["user", "command"], name="one_line_per_command"),
            models.CheckConstraint(
                condition=models.Q(room="lobby", match__isnull=True, club__isnull=True)
                | models.Q(room="club", match__isnull=True, club__isnull=False)
                | models.Q(room__in=["players", "watchers"], match__isnull=False, club__isnull=True),
                name="rooms_have_what_they_are_of",
            ),
        ]

    def __str__(self) -> str:
        return self.text


class Report(models.Model):
    """A complaint about a user, or about one thing of theirs: a line, a message, a tournament, a club.

    Written only by `reports` and `moderation` in `lobby.moderation`.
    """

    class Verdict(models.TextChoices):
        OPEN = "open", _("open")
        ACTED = "acted", _("acted upon")
        DISMISSED = "dismissed", _("dismissed")
        GONE = "gone", _("account deleted")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports", verbose_name=_("reporter")
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="reports_about_me",
        verbose_name=_("about"),
    )
    line = models.ForeignKey(
        ChatLine, null=True, blank=True, on_delete=models.SET_NULL, verbose_name=_("chat message")
    )
    message = models.ForeignKey(
        "lobby.Message", null=True, blank=True, on_delete=models.SET_NULL, verbose_name=_("message")
    )
    tournament = models.ForeignKey(
        "lobby.Tournament", null=True, blank=True, on_delete=models.SET_NULL, verbose_name=_("tournament")
    )
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.SET_NULL, related_name="reports", verbose_name=_("club")
    )
    reason = models.CharField(_("reason"), max_length=REASON_LENGTH)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    verdict = models.CharField(
        _("verdict"), max_length=9, choices=Verdict.choices, default=Verdict.OPEN, db_index=True
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-created"]
        permissions = [("moderate", _("Can moderate: hide lines, ban, rename, close tables"))]

    def __str__(self) -> str:
        return f"{self.reporter} about {self.about}: {self.reason}"
