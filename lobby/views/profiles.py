"""The page of somebody who plays here."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from lobby import profiles


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Results, ratings, opponents and recent matches of whoever has this name."""
    person = profiles.find(name)
    if person is None:
        raise Http404
    if person.is_deleted:
        return render(request, "lobby/deleted.html", status=410)
    if person.username != name:
        query = f"?{urlencode(request.GET)}" if request.GET else ""
        return redirect(person.get_absolute_url() + query)
    results = profiles.past(person)
    page, matches = profiles.recent(person, request.GET.get("page"))
    context = {
        "person": person,
        "mine": person == request.user,
        "records": profiles.records(results),
        "standings": profiles.standings(person, results),
        "streaks": profiles.streaks(results),
        "opponents": profiles.opponents(person),
        "page": page,
        "matches": matches,
    }
    return render(request, "lobby/profile.html", context)
