"""Who may sit down at which table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser

from games.domain import codec
from games.domain.options import preset_of
from games.domain.refusals import Refused
from games.registry import GAMES
from games.store.prepared import PreparedQuery
from lobby.models import Pool, Rating, Table, User
from lobby.people import relationships
from lobby.ratings.glicko2 import AVERAGE
from lobby.ratings.rated import NotRated, may_play_rated
from lobby.tables import refusals


def check(user: User, table: Table, seated: Iterable[User], by_invitation: bool) -> None:
    """Refuse somebody whom the terms of a table or the people at it keep away.

    Raises:
        TableError: "invited-only", "blocked" or "out-of-range".
        NotRated: "guest", "bot" or "conduct".
    """
    welcome = table.listed or by_invitation if table.invited_id is None else user.pk == table.invited_id
    if not welcome:
        raise refusals.InvitedOnly
    if not relationships.blocked_ids(user.pk).isdisjoint(other.pk for other in seated):
        raise refusals.Blocked
    if table.rated:
        casual = may_play_rated(user)
        why = unfit(casual, rating_at(user, table), table.lowest_rating, table.highest_rating)
        if why is not None:
            raise why


def unfit(casual: NotRated | None, rating: float, lowest: int | None, highest: int | None) -> Refused | None:
    """Why somebody cannot play a rated match that asks for ratings from `lowest` to `highest`.

    `casual` is why they play none at all, if that is so.
    """
    if casual is not None:
        return casual
    rounded = round(rating)
    if (lowest is not None and rounded < lowest) or (highest is not None and rounded > highest):
        return refusals.OutOfRange(rating=rounded)
    return None


def judge(ratings: Mapping[str, float], casual: NotRated | None) -> Callable[[Mapping[str, Any]], str | None]:
    """A function that tells why somebody cannot sit down at a table (`messages.TableFields`), if so.

    `ratings` are theirs (`ratings_of`), and `casual` is why they play no rated match, if that is so. The
    function says no more than the terms of the table do, and costs nothing however many tables there are.
    """

    def why_not(table: Mapping[str, Any]) -> str | None:
        rating = ratings.get(table["pool"], AVERAGE)
        why = unfit(casual, rating, table["lowest_rating"], table["highest_rating"])
        return None if why is None or not table["rated"] else why.words

    return why_not


def rating_at(user: User, table: Table) -> float:
    """The rating with which somebody would play at a table."""
    game = GAMES[table.game]
    preset = preset_of(game, codec.decode(game.rules.Options, table.options))
    return ratings_of(user).get(pool_key(table.game, preset, table.seats), AVERAGE)


def pool_key(game: str, preset: str | None, seats: int) -> str:
    """Whom a match compares: the game, the family of its rules, and whether two play or more."""
    return f"{game} {preset or ''} {Pool.TWO if seats == 2 else Pool.MANY}"


_ratings = PreparedQuery(
    lambda user: Rating.objects.filter(user=user).values_list("game", "family", "pool", "rating")
)


def ratings_of(user: User | AnonymousUser) -> dict[str, float]:
    """All ratings of somebody by `pool_key`; a stranger has none."""
    if not user.is_authenticated:
        return {}
    return {f"{game} {family} {pool}": rating for game, family, pool, rating in _ratings(user.pk)}
