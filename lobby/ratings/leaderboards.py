"""Who plays a game best: the leaderboard of a family of rules, one's own place, and how ratings lie."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Floor
from django.utils import timezone
from django.utils.translation import gettext as _

from games.registry import Game
from lobby.models import SURE_ENOUGH, WITHOUT_PLACE, Pool, Rating, User
from lobby.ratings import charts, farming
from lobby.ratings.charts import Histogram

TOP = 50
ACTIVE = timedelta(days=365)
STEP = 50
"""How many points of rating one bar of the distribution stands for."""


class Row(NamedTuple):
    """A place and who has it."""

    place: int
    rating: Rating


class Leaderboard(NamedTuple):
    """The best of `players` people, somebody's own row or why they have none, and how the ratings lie."""

    top: list[Row]
    players: int
    mine: Row | None
    unranked: str
    distribution: Histogram


def leaderboard(game: Game, family: str, pool: Pool, user: User | AnonymousUser) -> Leaderboard:
    """The leaderboard of a game under a preset, as `user` sees it."""
    everyone = _ranked(game, family, pool)
    best = everyone.select_related("user").order_by("-rating", "user_id")[:TOP]
    top = [Row(number, rating) for number, rating in enumerate(best, 1)]
    rating = None if user.is_anonymous else _of(user, game, family, pool)
    mine = next((row for row in top if row.rating == rating), None)
    # By one walk through all that have a place, which takes longer than all else.
    better = Count("pk", filter=Q(rating__gt=0 if rating is None else rating.rating))
    steps = everyone.values(step=Floor(F("rating") / STEP)).annotate(count=Count("pk"), better=better)
    rows = list(steps.order_by())
    if mine is None and rating is not None and everyone.filter(pk=rating.pk).exists():
        mine = Row(sum(row["better"] for row in rows) + 1, rating)
    counts = {int(row["step"]) * STEP: row["count"] for row in rows}
    return Leaderboard(
        top,
        sum(counts.values()),
        mine,
        "" if mine else _why_unranked(user, rating),
        charts.histogram(counts, STEP, mine and mine.rating.rating),
    )


def _of(user: User, game: Game, family: str, pool: Pool) -> Rating | None:
    ratings = Rating.objects.filter(game=game.slug, family=family, pool=pool, user=user)
    return ratings.select_related("user").first()


def _ranked(game: Game, family: str, pool: Pool) -> QuerySet[Rating]:
    """The ratings that have a place: enough is known, and known of late, of somebody whom others know."""
    now = timezone.now()
    known = Rating.objects.filter(
        game=game.slug,
        family=family,
        pool=pool,
        deviation__lte=SURE_ENOUGH[pool],
        updated__gte=now - ACTIVE,
        opponents__gte=farming.ENOUGH_OPPONENTS,
    )
    # They are few: to look each of some thousands up among all people takes twice as long as all else.
    newcomers = User.objects.filter(date_joined__gt=now - farming.SETTLED_IN)
    gone = User.objects.filter(WITHOUT_PLACE)
    return known.exclude(user__in=gone.values("pk")).exclude(user__in=newcomers.values("pk"))


def _why_unranked(user: User | AnonymousUser, rating: Rating | None) -> str:
    if user.is_anonymous or user.is_guest:
        return _("Places are for players with an account. Guests play casual matches.")
    if rating is None:
        return _("You have no place yet: you have not played a rated match under these rules.")
    if rating.provisional:
        return _("You have no place yet: your rating is provisional. A few more rated matches will do.")
    if rating.opponents < farming.ENOUGH_OPPONENTS:
        needed = _(
            "You have no place yet: you have met %(met)d opponents in rated matches, of %(enough)d needed."
        )
        return needed % {"met": rating.opponents, "enough": farming.ENOUGH_OPPONENTS}
    if user.date_joined > timezone.now() - farming.SETTLED_IN:
        return _("You have no place yet: an account has one after three days.")
    return _("You have no place at the moment: your last rated match was more than a year ago.")
