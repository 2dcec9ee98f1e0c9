"""Which matches may be rated, and which users may play them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _

from games.domain.options import preset_of
from games.domain.refusals import Refused
from games.registry import Game
from games.rules.base import gettext_noop
from games.store.prepared import PreparedQuery
from lobby.people.models import User
from lobby.ratings import conduct
from lobby.ratings.models import Rating


class NotRated(Refused):
    """The match cannot be rated."""


class PureLuck(NotRated):
    """The game has no decisions."""

    code, status = "pure-luck", 422
    sentence = gettext_noop("%(game)s is pure luck, so it is never rated.")


class OwnRules(NotRated):
    """The options are none of the presets."""

    code, status = "own-rules", 422
    sentence = gettext_noop("Matches with custom rules are never rated.")


class RatedGuest(NotRated):
    """A guest cannot play rated matches."""

    code, status = "guest", 403
    sentence = gettext_noop("Guests play casual matches. Sign up to play rated.")


class RatedBot(NotRated):
    """A computer player cannot play rated matches."""

    code, status = "bot", 403
    sentence = gettext_noop("Computer players play casual matches.")


class Conduct(NotRated):
    """The user has left matches lately, and has to wait."""

    code, status = "conduct", 403
    sentence = gettext_noop("You have left games recently. You can play rated games again in %(wait)s.")


class KnownRating(NamedTuple):
    """A rating of a user in one pool."""

    game: str
    family: str
    pool: str
    rating: float
    deviation: float


_ratings = PreparedQuery(
    lambda user: Rating.objects.filter(user=user).order_by().values_list(*KnownRating._fields)
)


def ratings_of(user_id: int) -> list[KnownRating]:
    """All ratings of a user."""
    return [KnownRating(*rating) for rating in _ratings(user_id)]


def may_be_rated(game: Game, options: Any) -> NotRated | None:
    """None if matches of a game with these `Options` may be rated, otherwise "pure-luck" or "own-rules"."""
    if game.pure_luck:
        return PureLuck(game=_(game.title))
    if preset_of(game, options) is None:
        return OwnRules()
    return None


def may_have_rating(person: User | AnonymousUser) -> NotRated | None:
    """None if a user may have ratings, otherwise "guest" or "bot". Visitors count as guests."""
    if not person.is_authenticated or person.is_guest:
        return RatedGuest()
    if person.is_bot:
        return RatedBot()
    return None


def may_play_rated(person: User | AnonymousUser) -> NotRated | None:
    """None if a user may begin a rated match now, otherwise "guest", "bot" or "conduct" (`.conduct`)."""
    if not person.is_authenticated:
        return may_have_rating(person)
    return casual_only([person]).get(person.pk)


def casual_only(people: Collection[User]) -> dict[int, NotRated]:
    """Why users may not begin a rated match now, by user; those who may are left out.

    One query for all of them.
    """
    never = {person.pk: may_have_rating(person) for person in people}
    barred = {user_id: why for user_id, why in never.items() if why is not None}
    waits = conduct.closed_for(never.keys() - barred.keys(), timezone.now())
    return {**barred, **{user_id: Conduct(wait=wait) for user_id, wait in waits.items()}}


def can_be_rated(game: Game, options: Any, person: User | AnonymousUser) -> NotRated | None:
    """Why the match cannot be rated, because of the game, the rules or the player; None if it can."""
    return may_be_rated(game, options) or may_play_rated(person)
