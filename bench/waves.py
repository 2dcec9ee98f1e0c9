"""Time of whole waves of an arena, stored on SQLite: `python -m bench.waves`.

1,000 players wait in each wave. Their matches end by chance, all at once; times are processor time of one
process.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import django

from tools.harness.servers import parlour_environment

PLAYERS, WAVES = 1_000, 10


def main() -> None:
    """Print the rows of docs/explanation/performance.md."""
    with tempfile.TemporaryDirectory() as directory:
        url = f"sqlite:///{Path(directory) / 'waves.sqlite3'}"
        os.environ.update(
            parlour_environment(DATABASE_URL=url, REDIS_URL="", TOURNAMENT_PLAYERS=str(PLAYERS))
        )
        django.setup()
        waves()


def waves() -> None:
    """Play the arena, and print how long each step of its last wave took."""
    from django.core.management import call_command
    from django.utils import timezone

    from games.registry import GAMES
    from lobby.people.models import User
    from lobby.tournaments import director, entries, organising, plans, sheet
    from lobby.tournaments.models import Pairing

    call_command("migrate", verbosity=0)
    people = [User.objects.create_user(f"player-{number}") for number in range(PLAYERS)]
    options = GAMES["kalah"].rules.PRESETS["circle"]
    plan = plans.Plan("Waves", "kalah", options, "arena", clock="3+2", minutes=60)
    arena = organising.create(people[0], plan, "command-0")
    for person in people:
        entries.enter(person, arena.pk, "", f"command-{person.pk}")
    organising.start(people[0], arena.pk, "command-s")
    online, lot = {person.pk for person in people}, random.Random(1)
    for _wave in range(WAVES):
        pairing = spent(lambda: director.pair(arena.pk, timezone.now(), online))
        making = spent(lambda: director.make_matches(arena.pk))
        end_all(lot)
    matches = Pairing.objects.filter(round=WAVES).count()
    table = spent(lambda: sheet.read(arena).standings())
    print("| step | CPU ms |\n|---|---|")
    print(f"| pair {PLAYERS:,} players, wave {WAVES}, and store the pairings | {pairing:.0f} |")
    print(f"| make its {matches} matches, {director.MATCHES_AT_ONCE} in each transaction | {making:.0f} |")
    print(f"| standings from {Pairing.objects.count():,} matches | {table:.0f} |")


def spent(work: Callable[[], object]) -> float:
    """Processor time of some work, in milliseconds."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def end_all(lot: random.Random) -> None:
    """End every match in play."""
    from django.utils import timezone

    from games.domain import codec
    from games.models import Match
    from games.rules.base import Outcome

    playing = list(Match.objects.filter(status=Match.Status.PLAYING))
    for match in playing:
        match.status, match.ended = Match.Status.FINISHED, timezone.now()
        match.outcome = codec.encode(Outcome((lot.randrange(2),), "resigned")).decode()
    Match.objects.bulk_update(playing, ["status", "ended", "outcome"], batch_size=100)


if __name__ == "__main__":
    main()
