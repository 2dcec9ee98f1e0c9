"""A site with a past: people, and matches that they finished, in a database of its own.

A match of each game is played out by the service; the others are copies of it with other players, written in
bulk, since nobody looks at more than a few of them move by move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any

PLIES = 4
"""Plies of a copied match; the played ones have all of theirs."""
NOW = 300
"""Matches in play, tables that wait for somebody, and lines of the chat in the lobby."""
OF_THE_BUSY = 20
"""One of so many matches is the busy person's."""
ROWS = 5000
"""Rows that are written by one call."""


@dataclass(frozen=True, slots=True)
class Past:
    """Who and what to look at.

    Attributes:
        busy: who played one match of `OF_THE_BUSY`.
        usual: somebody with a handful of them.
        played: a match of each game that is there move by move, by the name of the game.
        table: one that waits for somebody.
    """

    busy: Any
    usual: Any
    played: dict[str, str]
    table: str


def fill(people: int, finished: int, present: int = NOW, seed: int = 1) -> Past:
    """Write so many people and finished matches into an empty database, and so much of what goes on now."""
    from django.db import connection, transaction

    rng, now = Random(seed), datetime.now(UTC)
    users = _people(people, now)
    busy, usual = users[0], users[1]
    with transaction.atomic():
        _ratings(users, rng, now)
    played = asyncio.run(_played_out((busy, usual), rng))
    with transaction.atomic():
        _copies(list(played.values()), users, finished, present, rng, now)
        table = _lobby(users, present, rng)
    with connection.cursor() as cursor:
        # What either does by itself once there is time: a past does not stand in the log of the last minute.
        cursor.execute("ANALYZE" if connection.vendor == "postgresql" else "PRAGMA wal_checkpoint(TRUNCATE)")
    return Past(busy, usual, played, table)


def _people(number: int, now: datetime) -> list[Any]:
    from lobby.people.models import User

    joined = now - timedelta(days=400)
    users = [User(username=f"person-{each}", date_joined=joined, password="!") for each in range(number)]
    User.objects.bulk_create(users, batch_size=500)
    return list(User.objects.filter(username__startswith="person-").order_by("pk"))


def _ratings(users: Sequence[Any], rng: Random, now: datetime) -> None:
    from games.registry import GAMES
    from lobby.ratings.models import Pool, Rating

    Rating.objects.bulk_create(
        (
            Rating(
                user=user, game=game.slug, family=next(iter(game.rules.PRESETS)), pool=Pool.TWO,
                rating=rng.gauss(1500, 200), deviation=80.0, volatility=0.06, matches=30, opponents=9,
                updated=now - timedelta(days=rng.random() * 300),
            )
            for game in GAMES.values()
            for user in users
            if rng.random() < 0.4 or user is users[0]
        ),
        batch_size=500,
    )  # fmt: skip


async def _played_out(users: Sequence[Any], rng: Random) -> dict[str, str]:
    """A match of each game between these two, played by chance until it is over."""
    from config.management.commands.demo import play_at_random
    from games.net.threads import in_thread
    from games.play.begin import create
    from games.play.matches import matches
    from games.registry import GAMES
    from lobby.ratings import results

    played = {}
    for game in GAMES.values():
        options = next(iter(game.rules.PRESETS.values()))
        match_id = (await in_thread(create)(game.slug, options, users)).pk
        await play_at_random(match_id, users, rng)
        await in_thread(results.settle)(match_id)
        played[game.slug] = match_id
    await matches.close()
    return played


def _copies(
    played: Sequence[str], users: Sequence[Any], finished: int, present: int, rng: Random, now: datetime
) -> None:
    """Matches as those, by other people: the finished ones over a year, and those in play."""
    from games.models import Match, Ply, Seating
    from lobby.ratings.models import Result

    patterns = [Match.objects.get(pk=pk) for pk in played]
    plies = {match.pk: list(Ply.objects.filter(match=match).order_by("number")[:PLIES]) for match in patterns}
    scores = {match.pk: list(Result.objects.filter(match=match).order_by("pk")) for match in patterns}
    rows: dict[Any, list[tuple[Any, ...]]] = {Match: [], Seating: [], Result: [], Ply: []}
    for number in range(finished + present):
        pattern = patterns[number % len(patterns)]
        over = number < finished
        pk, ended = _name(number), now - timedelta(days=365 * (1 - number / (finished + present)))
        one = users[0] if over and number % OF_THE_BUSY == 0 else users[int(rng.random() ** 2 * len(users))]
        two = rng.choice(users)
        while two is one:
            two = rng.choice(users)
        if finished <= number < finished + 2 * len(patterns):
            # These two are in the middle of something as well, of each game at either seat.
            one, two = users[:2] if number < finished + len(patterns) else users[1::-1]
        at_end = {"ended": ended} if over else {"ended": None, "outcome": None, "status": "playing"}
        rows[Match].append(_row(pattern, id=pk, created=ended - timedelta(minutes=9), **at_end))
        for seat, user in enumerate((one, two)):
            rows[Seating].append(_row(Seating(seat=seat), match_id=pk, user_id=user.pk))
            if over:
                result = scores[pattern.pk][seat]
                about = {"match_id": pk, "user_id": user.pk, "ended": ended, "known": ended, "rated": True}
                before = 1500 + number % 97
                ratings = {"rating_before": before, "rating_after": before + 7, "deviation_after": 80}
                rows[Result].append(_row(result, **about, **ratings))
        rows[Ply] += [_row(ply, match_id=pk) for ply in plies[pattern.pk]]
        if len(rows[Match]) == ROWS:
            _write(rows)
    _write(rows)


def _lobby(users: Sequence[Any], present: int, rng: Random) -> str:
    """Tables that wait for somebody, and what was said; one of the tables."""
    from lobby.chat.models import ChatLine
    from lobby.tables.models import Chair, Table

    some = [*rng.sample(list(users[2:]), min(present, len(users) - 2)), *users[:2]]
    table = {"game": "kalah", "options": {}, "seats": 2}
    tables = Table.objects.bulk_create(Table(host=user, **table) for user in some)
    Chair.objects.bulk_create(
        Chair(table=table, number=0, user=user) for table, user in zip(tables, some, strict=True)
    )
    ChatLine.objects.bulk_create(
        ChatLine(user=rng.choice(users), text=f"Line {number}", command=f"line-{number:08d}")
        for number in range(present)
    )
    return tables[0].pk


def _name(number: int) -> str:
    """The address of a copy."""
    from games.models import ID_ALPHABET, ID_LENGTH

    letters = ""
    for _ in range(ID_LENGTH):
        number, letter = divmod(number, len(ID_ALPHABET))
        letters += ID_ALPHABET[letter]
    return letters


def _fields(model: Any) -> list[Any]:
    """The columns that are written; the database numbers rows itself."""
    return [field for field in model._meta.concrete_fields if field.get_internal_type() != "BigAutoField"]


def _row(pattern: Any, **changes: Any) -> tuple[Any, ...]:
    """The columns of a row like `pattern`, but for some attributes."""
    from django.db import connection

    found = []
    for field in _fields(type(pattern)):
        value = changes.get(field.attname, getattr(pattern, field.attname))
        if isinstance(value, datetime):
            value = connection.ops.adapt_datetimefield_value(value)
        found.append(value)
    return tuple(found)


def _write(rows: dict[Any, list[tuple[Any, ...]]]) -> None:
    from django.db import connection

    for model, some in rows.items():
        columns = [field.column for field in _fields(model)]
        sql = (
            f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) "
            f"VALUES ({', '.join(['%s'] * len(columns))})"
        )
        with connection.cursor() as cursor:
            for part in _parts(some):
                cursor.executemany(sql, part)
        some.clear()


def _parts(rows: Iterable[tuple[Any, ...]]) -> Iterable[list[tuple[Any, ...]]]:
    rows = iter(rows)
    while part := list(islice(rows, ROWS)):
        yield part
