"""Leaderboards, a user's own place, and the distribution of ratings."""

from __future__ import annotations

from datetime import timedelta
from functools import cached_property
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Floor
from django.utils import timezone
from django.utils.translation import gettext as _

from games.registry import Game
from lobby.people.models import WITHOUT_PLACE, User
from lobby.ratings import charts, farming
from lobby.ratings.charts import Histogram
from lobby.ratings.models import SURE_ENOUGH, Pool, Rating

TOP = 50
BEST = 10
"""Places of a leaderboard of few people, such as a club."""
ACTIVE = timedelta(days=365)
STEP = 50
"""Rating points per bar of the distribution."""


class Row(NamedTuple):
    """A place and its rating."""

    place: int
    rating: Rating


class Leaderboard:
    """The leaderboard of a game under a preset, as `user` sees it. Each part is queried when first used."""

    def __init__(self, game: Game, family: str, pool: Pool, user: User | AnonymousUser) -> None:
        self._everyone = _ranked(game, family, pool)
        self._user = user
        self._rating = None if user.is_anonymous else _of(user, game, family, pool)

    @cached_property
    def top(self) -> list[Row]:
        """The best players, by place."""
        best = self._everyone.select_related("user").order_by("-rating", "user_id")[:TOP]
        return [Row(number, rating) for number, rating in enumerate(best, 1)]

    @cached_property
    def mine(self) -> Row | None:
        """The user's row; None without a place."""
        rating = self._rating
        if rating is None or not self._everyone.filter(pk=rating.pk).exists():
            return None
        return Row(sum(step["better"] for step in self._steps) + 1, rating)

    @cached_property
    def unranked(self) -> str:
        """The reason the user has no place, as text; "" if they have one."""
        return "" if self.mine else _why_unranked(self._user, self._rating)

    @cached_property
    def players(self) -> int:
        """Number of players with a place."""
        return sum(step["count"] for step in self._steps)

    @cached_property
    def distribution(self) -> Histogram:
        """How many players have which rating."""
        counts = {int(step["step"]) * STEP: step["count"] for step in self._steps}
        return charts.histogram(counts, STEP, self.mine and self.mine.rating.rating)

    @cached_property
    def _steps(self) -> list[Any]:
        """Per step of rating: number of players, and how many of them are ahead of the user."""
        # One query for everything: the scan over all ranked players is the expensive part.
        before = Q(pk=None)
        if self._rating is not None:
            before = Q(rating__gt=self._rating.rating)
            before |= Q(rating=self._rating.rating, user_id__lt=self._rating.user_id)
        better = Count("pk", filter=before)
        steps = self._everyone.values(step=Floor(F("rating") / STEP))
        return list(steps.annotate(count=Count("pk"), better=better).order_by())


def best_of(game: Game, people: QuerySet[Any, Any]) -> list[Row]:
    """The best of some users with a rating that is not provisional, under the usual rated rules for two.

    Args:
        people: a query of user ids.
    """
    if game.pure_luck:
        return []
    family, pool = game.usual_preset(rated=True), Pool.TWO
    known = Rating.objects.filter(game=game.slug, family=family, pool=pool, user__in=people)
    sure = known.filter(deviation__lte=SURE_ENOUGH[pool]).exclude(user__in=User.objects.filter(WITHOUT_PLACE))
    best = sure.select_related("user").order_by("-rating", "user_id")[:BEST]
    return [Row(number, rating) for number, rating in enumerate(best, 1)]


def _of(user: User, game: Game, family: str, pool: Pool) -> Rating | None:
    ratings = Rating.objects.filter(game=game.slug, family=family, pool=pool, user=user)
    return ratings.select_related("user").first()


def _ranked(game: Game, family: str, pool: Pool) -> QuerySet[Rating]:
    """The ratings that have a place: certain, recent, and with enough opponents."""
    now = timezone.now()
    known = Rating.objects.filter(
        game=game.slug,
        family=family,
        pool=pool,
        deviation__lte=SURE_ENOUGH[pool],
        updated__gte=now - ACTIVE,
        opponents__gte=farming.ENOUGH_OPPONENTS,
    )
    # Exclude by two short lists: looking each row up among all users takes twice as long as all the rest.
    newcomers = User.objects.filter(date_joined__gt=now - farming.SETTLED_IN)
    gone = User.objects.filter(WITHOUT_PLACE)
    return known.exclude(user__in=gone.values("pk")).exclude(user__in=newcomers.values("pk"))


def _why_unranked(user: User | AnonymousUser, rating: Rating | None) -> str:
    if user.is_anonymous or user.is_guest:
        return _("Sign up to be ranked. Guests play casual matches.")
    if rating is None:
        return _("Not ranked yet: you have not played a rated match with these rules.")
    if rating.provisional:
        return _("Not ranked yet: your rating is provisional. Play a few more rated matches.")
    if rating.opponents < farming.ENOUGH_OPPONENTS:
        needed = _(
            "Not ranked yet: you have met %(met)d of the %(enough)d opponents needed in rated matches."
        )
        return needed % {"met": rating.opponents, "enough": farming.ENOUGH_OPPONENTS}
    if user.date_joined > timezone.now() - farming.SETTLED_IN:
        return _("Not ranked yet: your account must be three days old.")
    return _("Not ranked: your last rated match was more than a year ago.")
