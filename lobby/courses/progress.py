"""How far accounts are in the courses of games. Writes `CourseProgress`.

Progress only grows, so whatever is sent twice or late changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.utils import timezone

from games.registry import GAMES
from lobby.courses.models import CourseProgress
from lobby.people.models import User


@transaction.atomic
def note(user: User, lessons: Mapping[str, int]) -> None:
    """Note how many lessons of which courses an account has done.

    Args:
        user: an account, no guest.
        lessons: by game; games without a course are left out, and more lessons than a course has are all.
    """
    now = timezone.now()
    # The rows of one account are locked in one order.
    for slug in sorted(lessons.keys() & GAMES.keys()):
        course = GAMES[slug].course
        if course is None or lessons[slug] <= 0:
            continue
        done = min(lessons[slug], len(course.lessons))
        row, _ = CourseProgress.objects.get_or_create(user=user, game=slug, defaults={"at": now})
        CourseProgress.objects.filter(pk=row.pk, lessons__lt=done).update(lessons=done, at=now)


def of(user_ids: Iterable[int]) -> dict[int, dict[str, int]]:
    """How many lessons each of these people has done: by user, by game. Only courses that they have begun."""
    done = defaultdict[int, dict[str, int]](dict)
    rows = CourseProgress.objects.filter(user__in=user_ids)
    for user_id, game, lessons in rows.values_list("user", "game", "lessons"):
        done[user_id][game] = lessons
    return dict(done)


def forget(user_id: int) -> None:
    """Delete the progress of a user."""
    CourseProgress.objects.filter(user=user_id).delete()
