"""Ladders, the places on them, and the challenges for these."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Match
from lobby.clubs.models import Club
from lobby.tables.models import Table


class ClubLadder(models.Model):
    """The ladder of a club. Its row is a lock. Written only by `lobby.ladders.ladders`."""

    club = models.OneToOneField(
        Club, primary_key=True, on_delete=models.CASCADE, related_name="ladder", verbose_name=_("club")
    )
    game = models.SlugField(_("game"), db_index=False)
    options = models.JSONField(_("options"))
    clock = models.CharField(_("clock"), max_length=12)
    rated = models.BooleanField(_("rated"), default=False)
    answer_days = models.PositiveSmallIntegerField(_("days to answer a challenge"))
    play_days = models.PositiveSmallIntegerField(_("days to play after that"))
    idle_days = models.PositiveSmallIntegerField(_("days without a match after which one falls; 0: never"))
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("ladder of a club")
        verbose_name_plural = _("ladders of clubs")

    def __str__(self) -> str:
        return str(self.club_id)


class Rung(models.Model):
    """Somebody's place on a ladder. Written only by `lobby.ladders.places`.

    `due` is when somebody who plays nothing falls; null: never.
    """

    ladder = models.ForeignKey(ClubLadder, on_delete=models.CASCADE, db_index=False, related_name="rungs")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rungs", verbose_name=_("player")
    )
    place = models.PositiveSmallIntegerField(_("place"))
    joined = models.DateTimeField(_("joined"), default=timezone.now)
    due = models.DateTimeField(_("when the player falls"), null=True, blank=True)

    class Meta:
        verbose_name = _("place on a ladder")
        verbose_name_plural = _("places on ladders")
        ordering = ["place", "pk"]
        indexes = [models.Index(fields=["due"], name="rung_by_due", condition=models.Q(due__isnull=False))]
        constraints = [models.UniqueConstraint(fields=["ladder", "user"], name="one_rung_per_person")]

    def __str__(self) -> str:
        return f"{self.ladder_id} {self.place}"


class LadderChallenge(models.Model):
    """A challenge on a ladder. Written only by `lobby.ladders.challenges`.

    `due` is when it must be answered, or played after that; null once it is over. `won` says whether the
    challenger has won it; null: nobody has. Its match is that of its table.
    """

    class Ending(models.TextChoices):
        PLAYED = "played", _("decided by a match")
        DECLINED = "declined", _("the challenge was declined")
        UNANSWERED = "unanswered", _("not answered in time")
        UNPLAYED = "unplayed", _("not played in time")
        WITHDRAWN = "withdrawn", _("the challenge was withdrawn")
        LEFT = "left", _("one of the players left the ladder")

    ladder = models.ForeignKey(ClubLadder, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="ladder_challenges",
        verbose_name=_("challenger"),
    )
    defender = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="ladder_defences",
        verbose_name=_("challenged"),
    )
    created = models.DateTimeField(_("created"))
    accepted = models.DateTimeField(_("accepted"), null=True, blank=True)
    due = models.DateTimeField(_("answer or result due"), null=True, blank=True)
    challenger_asked = models.BooleanField(_("the challenger has invited the other to play"), default=False)
    defender_asked = models.BooleanField(_("the challenged has invited the other to play"), default=False)
    table = models.OneToOneField(
        Table, null=True, blank=True, on_delete=models.SET_NULL, related_name="ladder_challenge"
    )
    ended = models.DateTimeField(_("ended"), null=True, blank=True)
    ending = models.CharField(_("how it ended"), max_length=10, choices=Ending.choices, blank=True)
    won = models.BooleanField(_("won by the challenger"), null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("place that was at stake"))

    class Meta:
        verbose_name = _("challenge on a ladder")
        verbose_name_plural = _("challenges on ladders")
        ordering = ["-ended", "-pk"]
        indexes = [
            models.Index(
                fields=["due"], name="ladder_challenge_by_due", condition=models.Q(due__isnull=False)
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "challenger"], condition=models.Q(ended=None), name="one_ladder_challenge"
            ),
            models.UniqueConstraint(
                fields=["ladder", "defender"], condition=models.Q(ended=None), name="one_ladder_defence"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id} {self.challenger_id}/{self.defender_id}"

    @property
    def match(self) -> Match | None:
        """Its match, if one has begun."""
        return None if self.table is None else self.table.match
