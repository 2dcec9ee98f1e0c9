"""`manage.py demo`: users, matches and a table, so that a fresh checkout has something to show."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.domain.messages import MoveCommand
from games.net.threads import in_thread
from games.play.begin import create
from games.play.matches import matches
from games.registry import GAMES
from lobby.people.models import User
from lobby.ratings import results
from lobby.tables import tables
from lobby.tables.models import Table

PASSWORD = "demo"  # noqa: S105 - known to all, and only created with DEBUG
NAMES = ("Ada", "Boris", "Carmen", "Dagmar")
ADMINISTRATOR = "admin"
OPENING_PLIES = 6
"""Plies played of a match in progress."""


class Command(BaseCommand):
    """Create demo data, for development only."""

    help = (
        "Create demo people, a finished match and one in play of each game, and an open table. Needs DEBUG."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the data, unless it exists. Raises `CommandError` without DEBUG."""
        if not settings.DEBUG:
            raise CommandError("Demo accounts have a known password: set DEBUG=1, on your own computer only.")
        if User.objects.filter(username__in=NAMES).exists():
            self.stdout.write("The demo data is there already.")
            return
        people = [User.objects.create_user(name, password=PASSWORD) for name in NAMES]
        User.objects.create_superuser(ADMINISTRATOR, password=PASSWORD)
        asyncio.run(_play(people, random.Random(1)))  # noqa: S311 - which moves does not matter
        game = next(iter(GAMES.values()))
        tables.set_table(people[2], game.slug, next(iter(game.rules.PRESETS.values())), 2, Table.First.LOT)
        self.stdout.write(f"Log in as {', '.join(NAMES)} or {ADMINISTRATOR}; the password is “{PASSWORD}”.")


async def _play(people: Sequence[User], rng: random.Random) -> None:
    for game in GAMES.values():
        options = next(iter(game.rules.PRESETS.values()))
        finished = (await in_thread(create)(game.slug, options, people[:2])).pk
        await play_at_random(finished, people[:2], rng)
        await in_thread(results.settle)(finished)
        in_play = (await in_thread(create)(game.slug, options, people[2:])).pk
        await play_at_random(in_play, people[2:], rng, OPENING_PLIES)
    await matches.close()


async def play_at_random(
    match_id: str, players: Sequence[User], rng: random.Random, plies: int | None = None
) -> None:
    """Play a match of two of these users for so many plies, or to its end if None."""
    while (live := await matches.get(match_id)).outcome is None and live.ply != plies:
        move = MoveCommand(
            type="move", id=f"demo-{live.ply:08d}", after=live.ply, move=rng.choice(live.legal())
        )
        await matches.play(match_id, players[live.state.turn].pk, move)
