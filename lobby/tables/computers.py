"""The accounts of the site's computer players, which nobody else makes.

A level plays under its own name. Where more of it sit at one table, or a person has the name from before
it was a level's, further accounts of the same level carry a number.
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

from games.net.limits import Buckets
from games.registry import GAMES, Game
from lobby.models import User
from lobby.tables.refusals import BadLevel, TooManyComputers

seatings = Buckets.at(settings.COMPUTER_LIMIT)
"""How often people, and addresses, may have computers seated: these cost the site more than people do."""


class Skill(NamedTuple):
    """What a computer player plays, and how: `level` counts from 1, `sentence` is in English."""

    game: Game
    level: int
    sentence: str

    @property
    def title(self) -> str:
        """The title of the game, in the language that is active."""
        return _(self.game.title)

    @property
    def words(self) -> str:
        """The sentence in that language."""
        return _(self.sentence)

    @property
    def address(self) -> str:
        """Where one chooses to play it."""
        return f"{reverse('play-computer-at', args=[self.game.slug])}?level={self.level}"


def seat(game: Game, level: int, besides: Collection[int] = ()) -> User:
    """An account that plays a game on a level, none of those `besides` by id.

    Raises:
        TableError: "bad-level".
    """
    if not 1 <= level <= len(game.levels):
        raise BadLevel
    name = game.levels[level - 1].name
    return _known(name, besides) or _new(name, besides)


def seat_all(game: Game, levels: Collection[int], besides: Collection[int] = ()) -> list[User]:
    """Accounts for one table that play a game on these levels, in their order.

    Raises:
        TableError: "bad-level".
    """
    seated: list[User] = []
    for level in levels:
        seated.append(seat(game, level, {*besides, *(user.pk for user in seated)}))
    return seated


def check_seatings(*keys: object) -> None:
    """Count that somebody has computer players seated; the keys say who they are.

    Raises:
        TableError: "too-many-computers".
    """
    now = time.monotonic()
    if not all(seatings.take(str(key), now) for key in keys):
        raise TooManyComputers


def level_at(game: Game, user: User) -> int | None:
    """The level on which somebody plays a game, None for people and for levels of other games."""
    if not user.computer:
        return None
    return next((n for n, level in enumerate(game.levels, 1) if level.name == user.computer), None)


def skills(user: User) -> list[Skill]:
    """What a computer player plays, in the order of the registry; nothing for people."""
    return [
        Skill(game, level, game.levels[level - 1].sentence)
        for game in GAMES.values()
        if (level := level_at(game, user)) is not None
    ]


def address(user: User) -> str:
    """Where one plays a computer player."""
    skill = next(iter(skills(user)), None)
    return reverse("play-computer") if skill is None else skill.address


def middle(game: Game) -> int:
    """The level for somebody who has not chosen one yet."""
    return (len(game.levels) + 1) // 2


def _known(name: str, besides: Collection[int]) -> User | None:
    mine = User.objects.filter(computer=name, is_active=True).exclude(pk__in=besides)
    return mine.order_by("pk").first()


def _new(name: str, besides: Collection[int]) -> User:
    names = _names(name)
    while True:
        try:
            # A person may have the name, or another process make the same account just now.
            with transaction.atomic():
                return User.objects.create_user(next(names), is_bot=True, computer=name)
        except IntegrityError:
            made = _known(name, besides)
            if made is not None:
                return made


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{number}" for number in count(2))
