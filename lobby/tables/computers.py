"""Accounts of the site's computer players. The only module that creates them.

An account is named after its level, and further accounts at one table by the level's other names. If users
took all of these before the level existed, an account has a number in its name.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from itertools import count
from typing import NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from games.bots.base import Level
from games.net.limits import limiter
from games.registry import GAMES, Game
from lobby.people.models import User
from lobby.tables.refusals import BadLevel, TooManyComputers

seatings = limiter(settings.COMPUTER_LIMIT)
"""Rate limit of seating computer players, per user and address: they cost the server more than players."""


class Skill(NamedTuple):
    """A game and level of a computer player: `level` counts from 1, `sentence` is in English."""

    game: Game
    level: int
    sentence: str

    @property
    def title(self) -> str:
        """The title of the game in the active language."""
        return _(self.game.title)

    @property
    def words(self) -> str:
        """The sentence in the active language."""
        return _(self.sentence)

    @property
    def address(self) -> str:
        """URL of the page to begin a match on this level."""
        return f"{reverse('play-computer-at', args=[self.game.slug])}?level={self.level}"


def seat(game: Game, level: int, besides: Collection[int] = ()) -> User:
    """Find or create an account that plays a game on a level.

    Args:
        game: the game.
        level: counts from 1.
        besides: ids of accounts that are not to be used.

    Raises:
        TableError: "bad-level".
    """
    if not 1 <= level <= len(game.levels):
        raise BadLevel
    chosen = game.levels[level - 1]
    return _known(chosen.name, besides) or _new(chosen, besides)


def seat_all(game: Game, levels: Collection[int], besides: Collection[int] = ()) -> list[User]:
    """Different accounts for one table that play on these levels, in their order.

    Raises:
        TableError: "bad-level".
    """
    seated: list[User] = []
    for level in levels:
        seated.append(seat(game, level, {*besides, *(user.pk for user in seated)}))
    return seated


def check_seatings(*keys: object) -> None:
    """Count the seating of computer players against the rate limit of each key.

    Args:
        keys: user ids or addresses.

    Raises:
        TableError: "too-many-computers".
    """
    now = time.monotonic()
    if not all(seatings.take(str(key), now) for key in keys):
        raise TooManyComputers


def level_at(game: Game, user: User) -> int | None:
    """The level on which an account plays a game; None for users and for levels of other games."""
    if not user.computer:
        return None
    return next((n for n, level in enumerate(game.levels, 1) if level.name == user.computer), None)


def skills(user: User) -> list[Skill]:
    """The games and levels of a computer player, in the order of the registry; empty for users."""
    return [
        Skill(game, level, game.levels[level - 1].sentence)
        for game in GAMES.values()
        if (level := level_at(game, user)) is not None
    ]


def address(user: User) -> str:
    """URL of the page to play against a computer player."""
    skill = next(iter(skills(user)), None)
    return reverse("play-computer") if skill is None else skill.address


def middle(game: Game) -> int:
    """The default level."""
    return (len(game.levels) + 1) // 2


def _known(name: str, besides: Collection[int]) -> User | None:
    mine = User.objects.filter(computer=name, is_active=True).exclude(pk__in=besides)
    return mine.order_by("pk").first()


def _new(level: Level, besides: Collection[int]) -> User:
    names = _names(level)
    while True:
        try:
            # The name may belong to a user, or another process may create the same account now.
            with transaction.atomic():
                return User.objects.create_user(next(names), is_bot=True, computer=level.name)
        except IntegrityError:
            made = _known(level.name, besides)
            if made is not None:
                return made


def _names(level: Level) -> Iterator[str]:
    yield from (level.name, *level.others)
    yield from (f"{level.name}-{number}" for number in count(2))
