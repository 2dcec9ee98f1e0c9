"""Runs of puzzles of rising rating. Writes `PuzzleRun` and `PuzzleBest`.

A streak ends with the first mistake. A storm lasts three minutes from its first answer: a mistake costs ten
seconds, and many right answers in a row gain some. Each puzzle of a run is answered once: an answer says
which one it is about, and one about another changes nothing. A puzzle that a release has taken out of the
collection is skipped.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from random import SystemRandom

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.domain.refusals import Refused
from games.net.limits import limiter
from games.puzzles import collection, difficulty
from games.puzzles.collection import Shown
from games.rules.base import gettext_noop
from lobby.people.models import User
from lobby.puzzles.models import PuzzleBest, PuzzleRun

STREAK, STORM = "streak", "storm"
KINDS = (STREAK, STORM)

LENGTH = 60
"""Puzzles of a run."""
SEPARATOR = "."
RIGHT, WRONG, SKIPPED = "1", "0", "-"

STORM_LASTS = timedelta(minutes=3)
MISTAKE_COSTS = timedelta(seconds=10)
GAINS = {5: timedelta(seconds=3), 12: timedelta(seconds=5), 20: timedelta(seconds=7)}
"""What so many right answers in a row gain."""
GAIN_EVERY, GAIN_LATER = 10, timedelta(seconds=10)
"""From 30 on, every ten gain as much."""

KEPT_FOR = timedelta(days=1)
"""For how long a run is kept."""

_limits = limiter(settings.PUZZLE_RUN_LIMIT)


class TooManyRuns(Refused):
    """The person or the network has begun too many runs."""

    code, status = "too-many-runs", 429
    sentence = gettext_noop("Too many runs. Wait a few minutes and try again.")
    headers = settings.PUZZLE_RUN_LIMIT.retry_after


def begin(user: User | None, network: str, slug: str, kind: str) -> PuzzleRun:
    """Begin a run.

    Args:
        user: an account; None for visitors and guests.
        network: whose limit counts without an account.
        slug: a game that has puzzles.
        kind: one of `KINDS`.

    Raises `TooManyRuns`.
    """
    if not _limits.take(network if user is None else f"user {user.pk}", time.monotonic()):
        raise TooManyRuns
    now, ratings = timezone.now(), difficulty.ratings(slug)
    chosen = SystemRandom().sample([*ratings], min(LENGTH, len(ratings)))
    keys = SEPARATOR.join(sorted(chosen, key=ratings.__getitem__))
    PuzzleRun.objects.filter(created__lt=now - KEPT_FOR).delete()
    return PuzzleRun.objects.create(user=user, game=slug, kind=kind, puzzles=keys, created=now)


def of(key: str, user: User | None) -> PuzzleRun:
    """A run of an account, or one without. Raises `PuzzleRun.DoesNotExist`."""
    return _found(PuzzleRun.objects.all(), key, user)


@transaction.atomic
def answer(key: str, user: User | None, number: int, move: str) -> PuzzleRun:
    """Answer the puzzle of a run that has this number, from 0, unless it is answered or the run is over.

    Raises `PuzzleRun.DoesNotExist`, or `IllegalMove`, which changes nothing.
    """
    run = _found(PuzzleRun.objects.select_for_update(), key, user)
    now = timezone.now()
    if number != len(run.results) or is_over(run, now):
        return run
    run.results += RIGHT if collection.is_answer(current(run, now), move) else WRONG
    run.started = run.started or now
    _skip(run)
    run.save(update_fields=["results", "started"])
    if user is not None:
        best, _ = PuzzleBest.objects.get_or_create(
            user=user, game=run.game, kind=run.kind, defaults={"score": 0, "at": now}
        )
        PuzzleBest.objects.filter(pk=best.pk, score__lt=score(run)).update(score=score(run), at=now)
    return run


def is_over(run: PuzzleRun, now: datetime) -> bool:
    """Whether no more puzzle can be answered."""
    if run.kind == STREAK and WRONG in run.results:
        return True
    ends = deadline(run)
    return len(run.results) == len(_keys(run)) or (ends is not None and now >= ends)


def current(run: PuzzleRun, now: datetime) -> Shown:
    """The puzzle that is to be answered next; of a run that is over, the last one of those before."""
    there, keys, answered = collection.by_game()[run.game], _keys(run), len(run.results)
    if not is_over(run, now):
        return collection.shown(there[keys[answered]])
    known = [there[key] for key in keys[:answered] if key in there]
    return collection.shown(known[-1] if known else next(iter(there.values())))


def deadline(run: PuzzleRun) -> datetime | None:
    """When a storm is over; None for a streak, and before the first answer."""
    if run.kind == STREAK or run.started is None:
        return None
    ends, in_a_row = run.started + STORM_LASTS, 0
    for result in run.results.replace(SKIPPED, ""):
        in_a_row = in_a_row + 1 if result == RIGHT else 0
        ends += _gain(in_a_row) if result == RIGHT else -MISTAKE_COSTS
    return ends


def score(run: PuzzleRun) -> int:
    """How many puzzles are solved."""
    return run.results.count(RIGHT)


def combo(run: PuzzleRun) -> int:
    """How many were solved in a row until now."""
    answered = run.results.replace(SKIPPED, "")
    return len(answered) - len(answered.rstrip(RIGHT))


def missed(run: PuzzleRun) -> list[str]:
    """The keys of the puzzles that were answered wrongly, of those that are still there."""
    there, answered = collection.by_game()[run.game], zip(_keys(run), run.results, strict=False)
    return [key for key, result in answered if result == WRONG and key in there]


def bests(user_id: int) -> dict[str, dict[str, int]]:
    """The best scores of a person: by game, by kind."""
    found: dict[str, dict[str, int]] = {}
    for game, kind, best in PuzzleBest.objects.filter(user=user_id).values_list("game", "kind", "score"):
        found.setdefault(game, {})[kind] = best
    return found


def forget(user_id: int) -> None:
    """Delete the runs of a user, and the best ones."""
    PuzzleRun.objects.filter(user=user_id).delete()
    PuzzleBest.objects.filter(user=user_id).delete()


def _found(runs: QuerySet[PuzzleRun], key: str, user: User | None) -> PuzzleRun:
    run = runs.get(key=key, user=user, game__in=collection.by_game())
    _skip(run)
    return run


def _skip(run: PuzzleRun) -> None:
    """Skip puzzles that are no longer there, up to the next one to be answered."""
    there, keys = collection.by_game()[run.game], _keys(run)
    while len(run.results) < len(keys) and keys[len(run.results)] not in there:
        run.results += SKIPPED


def _keys(run: PuzzleRun) -> list[str]:
    return run.puzzles.split(SEPARATOR)


def _gain(in_a_row: int) -> timedelta:
    if in_a_row > max(GAINS) and in_a_row % GAIN_EVERY == 0:
        return GAIN_LATER
    return GAINS.get(in_a_row, timedelta())
