"""Ratings, and the results of finished matches."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match


class Pool(models.TextChoices):
    """Rating pools: matches of two use Glicko-2, larger ones openskill."""

    TWO = "two", _("two players")
    MANY = "many", _("three or more")


SURE_ENOUGH = {Pool.TWO: 110.0, Pool.MANY: 200.0}
"""A rating with a larger deviation is provisional.

With Glicko-2 thirteen matches between new players reach it. openskill learns less from each match: with
three or four players, thirty reach 200 and a hundred 110.
"""


class Rating(models.Model):
    """A player's rating at a game under a family of rules. Written only by `lobby.ratings.results`.

    Both systems use one scale: a new player has rating 1500 and deviation 350. The volatility is Glicko's;
    openskill leaves it unchanged.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings", verbose_name=_("player")
    )
    game = models.SlugField(_("game"), db_index=False)
    family = models.SlugField(_("rules"), db_index=False)
    pool = models.CharField(_("pool"), max_length=4, choices=Pool.choices)
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))
    matches = models.PositiveIntegerField(_("rated matches"), default=0)
    # Counted only up to the number that a leaderboard place requires.
    opponents = models.PositiveSmallIntegerField(_("different opponents"), default=0)
    updated = models.DateTimeField(_("last rated match"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "family", "pool"], name="one_rating_per_pool")
        ]
        indexes = [
            # Covering index of the leaderboard, which may read thousands of rows.
            models.Index(
                fields=["game", "family", "pool", "-rating", "user", "deviation", "updated", "opponents"],
                name="leaderboard",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game}/{self.family}/{self.pool} {self.rating:.0f}"

    @property
    def provisional(self) -> bool:
        """Whether the rating is still too uncertain to be shown as reliable."""
        return self.deviation > SURE_ENOUGH[Pool(self.pool)]


class Result(models.Model):
    """The result of a finished match for one player. Written only by `lobby.ratings.results`.

    Every finished match has one row per seat; a missing row means that it was not settled. Ratings of a
    `rated` row stay null until delayed spectators may know the result. `known` stays null for private
    matches.
    """

    class Score(models.TextChoices):
        WON = "won", _("won")
        DRAWN = "drawn", _("drawn")
        LOST = "lost", _("lost")
        ABORTED = "aborted", _("aborted")

    # No own indexes: the unique constraint and the index below cover both.
    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, db_index=False, related_name="results", verbose_name=_("match")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="results",
        verbose_name=_("player"),
    )
    game = models.SlugField(_("game"), db_index=False)
    # Empty for custom rules.
    family = models.SlugField(_("rules"), blank=True, db_index=False)
    pool = models.CharField(_("pool"), max_length=4, choices=Pool.choices)
    score = models.CharField(_("score"), max_length=7, choices=Score.choices)
    reason = models.CharField(_("reason"), max_length=20)
    missed = models.BooleanField(_("did not see the match through"), default=False)
    rated = models.BooleanField(_("rated"), default=False)
    rating_before = models.FloatField(_("rating before"), null=True)
    rating_after = models.FloatField(_("rating after"), null=True)
    deviation_after = models.FloatField(_("deviation after"), null=True)
    ended = models.DateTimeField(_("ended"))
    known = models.DateTimeField(_("when everybody may know of it"), null=True)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="one_result_per_player")]
        indexes = [
            # Covering index of a player's history, which may have thousands of rows.
            models.Index(
                fields=[
                    *("user", "ended", "id", "game", "score", "known", "rated", "match"),
                    *("family", "pool", "rating_before", "rating_after"),
                ],
                name="history",
            )
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.user_id} {self.score}"
