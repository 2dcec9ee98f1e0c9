"""A player's profile, and the download of their matches."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.net.limits import network_of
from games.net.shared_pages import for_a_second
from games.registry import GAMES
from lobby.inbox import conversations
from lobby.people import circles
from lobby.profiles import matches_file, profiles
from lobby.profiles.summaries import known_results, summed_up
from lobby.puzzles import ratings as puzzle_ratings
from lobby.puzzles import runs as puzzle_runs
from lobby.ratings.unsettled import unsettled_results
from lobby.tables import computers


@require_safe
@for_a_second
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Results, ratings, opponents and recent matches of a player."""
    person = circles.named(name, request.user.pk)
    if person is None:
        raise Http404
    if person.is_deleted:
        return render(request, "accounts/deleted.html", status=410)
    if person.username != name:
        query = f"?{urlencode(request.GET)}" if request.GET else ""
        return redirect(person.get_absolute_url() + query)
    mine = person == request.user
    now = datetime.now(UTC)
    # Read this first: a match that is settled in between is then counted twice for a moment, not missed.
    unsettled = unsettled_results(person.pk, request.user.pk, now)
    known = known_results(person.pk, request.user.pk, now)
    summary = summed_up(known)
    page, matches = profiles.recent(person, known, unsettled, request.GET.get("page"))
    context = {
        "person": person,
        "mine": mine,
        "may_write": request.user.is_authenticated and conversations.refusal(request.user, person) is None,
        "skills": computers.skills(person),
        "records": profiles.records(summary.counts, unsettled),
        "standings": profiles.standings(person, summary.histories),
        "streaks": summary.streaks,
        "streak": summary.streaks and profiles.streak_in_words(summary.streaks),
        "puzzles": _at_puzzles(person.pk),
        "opponents": profiles.opponents(summary.opponents),
        "page": page,
        "unsettled": bool(unsettled),
        "number": page.paginator.count + len(unsettled),
        "matches": matches,
        "boards": profiles.held_by(person) if mine else [],
    }
    return render(request, "people/profile.html", context)


def _at_puzzles(user_id: int) -> list[tuple[str, list[tuple[str, int]]]]:
    """The games whose puzzles somebody has solved: the rating and the best runs, as far as there are any."""
    ratings, bests = puzzle_ratings.of_solver(user_id), puzzle_runs.bests(user_id)
    shown = []
    for slug, game in GAMES.items():
        best = bests.get(slug, {})
        facts = (
            (gettext("Rating"), round(ratings.get(slug, 0))),
            (gettext("Best streak"), best.get(puzzle_runs.STREAK, 0)),
            (gettext("Best storm"), best.get(puzzle_runs.STORM, 0)),
        )
        shown.append((gettext(game.title), [(name, number) for name, number in facts if number]))
    return [(title, facts) for title, facts in shown if facts]


@require_safe
def matches(request: HttpRequest, name: str) -> HttpResponseBase:
    """All finished matches of a player that the asking user may see, as a JSON document."""
    person = circles.named(name, request.user.pk)
    if person is None:
        raise Http404
    if person.is_deleted:
        return JsonResponse({"code": "deleted", "detail": gettext("This account was deleted.")}, status=410)
    if not matches_file.downloads.take(network_of(request), time.monotonic()):
        detail = gettext("Too many downloads. Please wait a few minutes.")
        refused = {"code": "too-many", "detail": detail}
        return JsonResponse(refused, status=429, headers=settings.DOWNLOAD_LIMIT.retry_after)
    document = matches_file.document(person, request.user.pk, datetime.now(UTC))
    headers = {"Content-Disposition": content_disposition_header(True, f"parlour-{person.username}.json")}
    return StreamingHttpResponse(document, content_type="application/json", headers=headers)
