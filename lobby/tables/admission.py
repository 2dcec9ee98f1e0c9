"""Which players may sit down at a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser

from games.domain import codec
from games.domain.options import preset_of
from games.domain.refusals import Refused
from games.registry import GAMES
from lobby.clubs import lookup
from lobby.people import circles, relationships
from lobby.people.models import User
from lobby.ratings import rated
from lobby.ratings.glicko2 import AVERAGE
from lobby.ratings.models import Pool, Rating
from lobby.ratings.rated import KnownRating, NotRated, may_play_rated
from lobby.tables import refusals
from lobby.tables.models import Table


def check(user: User, table: Table, seated: Iterable[User], by_invitation: bool) -> None:
    """Refuse a player whom the table's terms or a block keep away.

    Args:
        user: the player who wants to sit down.
        table: the table.
        seated: the players who sit there already.
        by_invitation: whether the player has a valid invitation.

    Raises:
        TableError: "invited-only", "blocked" or "out-of-range".
        NotRated: "guest", "bot" or "conduct".
    """
    welcome = (
        is_open_to(user, table, by_invitation) if table.invited_id is None else user.pk == table.invited_id
    )
    if not welcome:
        raise refusals.InvitedOnly
    if relationships.apart_from(user.pk, [other.pk for other in seated]):
        raise refusals.Blocked
    if table.rated:
        casual = may_play_rated(user)
        why = unfit(casual, rating_at(user, table), table.lowest_rating, table.highest_rating)
        if why is not None:
            raise why


def is_open_to(user: User | AnonymousUser, table: Table, by_invitation: bool) -> bool:
    """Whether a table for no one person is open to a user: all, the invited, members, or a class."""
    if table.listed or by_invitation:
        return True
    if table.host.pupil_of_id is not None:
        return circles.may_see(user.pk, table.host)
    return table.club_id is not None and user.pk is not None and lookup.is_member(table.club_id, user.pk)


def unfit(casual: NotRated | None, rating: float, lowest: int | None, highest: int | None) -> Refused | None:
    """The reason a player cannot play a rated match for ratings from `lowest` to `highest`, or None.

    `casual` is the reason the player may not play rated matches at all, if there is one.
    """
    if casual is not None:
        return casual
    rounded = round(rating)
    if (lowest is not None and rounded < lowest) or (highest is not None and rounded > highest):
        return refusals.OutOfRange(rating=rounded)
    return None


def judge(ratings: Mapping[str, float], casual: NotRated | None) -> Callable[[Mapping[str, Any]], str | None]:
    """Build a function that returns the reason a player cannot sit down at a table, or None.

    The function takes a table as `messages.TableFields`, checks only the terms, and makes no queries.

    Args:
        ratings: the player's ratings (`ratings_of`).
        casual: the reason the player may not play rated matches, if there is one.
    """

    def why_not(table: Mapping[str, Any]) -> str | None:
        rating = ratings.get(table["pool"], AVERAGE)
        why = unfit(casual, rating, table["lowest_rating"], table["highest_rating"])
        return None if why is None or not table["rated"] else why.words

    return why_not


def rating_at(user: User, table: Table) -> float:
    """The rating of a player in the pool of a table."""
    game = GAMES[table.game]
    preset = preset_of(game, codec.decode(game.rules.Options, table.options))
    return ratings_of(user).get(pool_key(table.game, preset, table.seats), AVERAGE)


def pool_key(game: str, preset: str | None, seats: int) -> str:
    """Key of a rating pool: game, family of rules, and whether two or more play."""
    return f"{game} {preset or ''} {_pool(seats)}"


def _pool(seats: int) -> Pool:
    return Pool.TWO if seats == 2 else Pool.MANY


def ratings_of(user: User | AnonymousUser) -> dict[str, float]:
    """All ratings of a user by `pool_key`; empty for visitors."""
    return by_pool(rated.ratings_of(user.pk)) if user.is_authenticated else {}


def by_pool(ratings: Iterable[KnownRating]) -> dict[str, float]:
    """Ratings by `pool_key`."""
    return {f"{each.game} {each.family} {each.pool}": each.rating for each in ratings}


def ratings_in(user_ids: Collection[int], game: str, preset: str | None, seats: int) -> dict[int, float]:
    """The ratings in one pool by user; those who have none there are left out."""
    rows = Rating.objects.filter(user__in=user_ids, game=game, family=preset or "", pool=_pool(seats))
    return dict(rows.values_list("user", "rating"))
