"""What became of matches, and what that says of the players."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match


class Pool(models.TextChoices):
    """Who is compared with whom: two-player matches by Glicko-2, larger ones by openskill."""

    TWO = "two", _("two players")
    MANY = "many", _("three or more")


SURE_ENOUGH = {Pool.TWO: 110.0, Pool.MANY: 200.0}
"""The deviation above which a rating is provisional.

Thirteen matches between strangers lead there. openskill learns less from each: thirty lead three or
four of them to 200, and a hundred to 110.
"""


class Rating(models.Model):
    """How well somebody plays a game under a family of rules. Only `lobby.ratings.results` writes it.

    Both systems use one scale: 1500 is where everyone begins, 350 the deviation of a stranger. The
    volatility is Glicko's, and rests where openskill does the reckoning.
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
    # Counted up to as many as a place on the leaderboard takes.
    opponents = models.PositiveSmallIntegerField(_("different opponents"), default=0)
    updated = models.DateTimeField(_("last rated match"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "family", "pool"], name="one_rating_per_pool")
        ]
        indexes = [
            # All that is looked at of thousands of people where one of them has a place.
            models.Index(
                fields=["game", "family", "pool", "-rating", "user", "deviation", "updated", "opponents"],
                name="leaderboard",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game}/{self.family}/{self.pool} {self.rating:.0f}"

    @property
    def provisional(self) -> bool:
        """Whether too little is known for the number to mean much."""
        return self.deviation > SURE_ENOUGH[Pool(self.pool)]


class Result(models.Model):
    """What a finished match was for one of its players. Only `lobby.ratings.results` writes it.

    Every finished match has one row a seat, so what is missing was never settled. A `rated` one has no
    ratings yet while those who watch may not know that the match is over. None may `known` be of a match
    that its players keep to themselves.
    """

    class Score(models.TextChoices):
        WON = "won", _("won")
        DRAWN = "drawn", _("drawn")
        LOST = "lost", _("lost")
        ABORTED = "aborted", _("aborted")

    # Both are found by what is declared below.
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
    # Empty for rules of the players' own.
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
            # All that is looked at where somebody's matches are summed up, of whom some have thousands.
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
