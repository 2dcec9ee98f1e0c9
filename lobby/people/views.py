"""The page of relationships, following, muting and blocking, and reports."""

from __future__ import annotations

import time

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.net.limits import limiter
from lobby.chat.models import REASON_LENGTH
from lobby.http.next_page import next_page
from lobby.moderation import reports
from lobby.moderation.reports import ReportError, Subject
from lobby.people import following, relationships
from lobby.people.models import NAME_LENGTH, Relationship, User
from lobby.people.online import is_hidden, seen_by
from lobby.people.relationships import RelationshipError, Unknown
from lobby.people.spelling import folded
from lobby.tables import challenges

MAX_FOUND = 10
"""How many people a search finds at most."""
ACTIONS = {
    "follow": relationships.follow,
    "unfollow": relationships.unfollow,
    "mute": relationships.mute,
    "unmute": relationships.unmute,
    "block": relationships.block,
    "unblock": relationships.unblock,
}
"""Actions on another user, by the end of the URL."""

TOO_MANY = 429
PAGE_SIZE = 50
"""Users per page."""

searches = limiter(settings.SEARCH_LIMIT)
"""Rate limit of searches per user: fast enough for typing, too slow to list all members."""


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """The users I follow with their status, mute or block, and search by name."""
    if not request.user.is_authenticated:
        return _sign_in_first(request)
    user = request.user
    wanted = request.GET.get("find", "").strip()
    allowed = not wanted or searches.take(str(user.pk), time.monotonic())
    context = {
        "followed": _with_standings(user, relationships.people(user.pk, Relationship.Kind.FOLLOW)),
        "silenced": [
            ("unblock", _("Unblock"), relationships.people(user.pk, Relationship.Kind.BLOCK), _("Blocked")),
            ("unmute", _("Unmute"), relationships.people(user.pk, Relationship.Kind.MUTE), _("Muted")),
        ],
        "wanted": wanted,
        "found": _with_standings(user, search(user, wanted)) if wanted and allowed else [],
        "too_fast": not allowed,
        "ties": relationships.kinds_by_user(user.pk),
    }
    response = render(request, "people/people.html", context, status=200 if allowed else TOO_MANY)
    for header, value in () if allowed else settings.SEARCH_LIMIT.retry_after.items():
        response[header] = value
    return response


@require_safe
def online(request: HttpRequest) -> HttpResponse:
    """The players online: what they play, and a challenge button where they accept challenges."""
    page = Paginator(seen_by(request.user.pk), PAGE_SIZE).get_page(request.GET.get("page"))
    here = list(page.object_list)
    welcoming = challenges.welcoming(request.user.pk, here)
    context = {
        "page": page,
        "people": [
            (person, standing, person.pk in welcoming and person.pk != request.user.pk)
            for person, standing in zip(here, following.standings(here), strict=True)
        ],
        "hidden": request.user.is_authenticated and is_hidden(request.user),
    }
    return render(request, "people/online.html", context)


@require_POST
def decide(request: HttpRequest, name: str, act: str) -> HttpResponse:
    """Follow, mute or block a user, or undo it, and redirect back."""
    if act not in ACTIONS:
        raise Http404
    if not request.user.is_authenticated:
        return _sign_in_first(request)
    try:
        ACTIONS[act](request.user, relationships.named(name, request.user.pk))
    except RelationshipError as error:
        return _refused(request, error)
    return _done(request, "")


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, name: str) -> HttpResponse:
    """The form to report a user; a POST sends the report."""
    if not request.user.is_authenticated:
        return _sign_in_first(request)
    subject = None
    try:
        about = relationships.named(name, request.user.pk)
        subject = _subject(request, request.user, about)
        if request.method == "POST":
            reports.report(request.user, about, request.POST.get("reason", ""), subject)
            return _done(request, _("Thank you. A moderator will look at it."))
    except RelationshipError as error:
        return _refused(request, error)
    except ReportError as error:
        if _wants_json(request):
            return _refused(request, error)
        return _report_form(request, about, subject, error)
    return _report_form(request, about, subject)


def _report_form(
    request: HttpRequest, about: User, subject: Subject | None, error: ReportError | None = None
) -> HttpResponse:
    context = {
        "person": about,
        "given": _given(request),
        "quote": "" if subject is None else reports.quoted(subject),
        "problem": error and error.words,
        "reason": request.POST.get("reason", ""),
        "most": REASON_LENGTH,
        "next": next_page(request, "people"),
    }
    response = render(request, "people/report.html", context, status=error.status if error else 200)
    for header, value in error.headers.items() if error else ():
        response[header] = value
    return response


def _subject(request: HttpRequest, reporter: User, about: User) -> Subject | None:
    """What the report is about besides the user."""
    return next((reports.find(reporter, about, kind, key) for kind, key in _given(request).items()), None)


def _given(request: HttpRequest) -> dict[str, str]:
    """The kind and the key of what is reported, from the address or the form."""
    given = {kind: request.POST.get(kind) or request.GET.get(kind, "") for kind in reports.FINDERS}
    return {kind: key for kind, key in given.items() if key}


def _with_standings(user: User, people: list[User]) -> list[tuple[User, following.Standing]]:
    return list(zip(people, following.standings(people, relationships.blocked_ids(user.pk)), strict=True))


def _done(request: HttpRequest, sentence: str) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"said": sentence})
    if sentence:
        messages.success(request, sentence)
    return HttpResponseRedirect(next_page(request, "people"))


def _refused(request: HttpRequest, error: RelationshipError | ReportError) -> HttpResponse:
    if _wants_json(request):
        refused = {"code": error.code, "detail": error.words}
        return JsonResponse(refused, status=error.status, headers=error.headers)
    if isinstance(error, Unknown):
        raise Http404
    messages.error(request, error.words)
    return HttpResponseRedirect(next_page(request, "people"))


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"code": "signed-out", "detail": _("You are not logged in.")}, status=401)
    return redirect_to_login(
        request.get_full_path() if request.method == "GET" else next_page(request, "people")
    )


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


def search(user: User, name: str) -> list[User]:
    """Other users whose names begin with `name`, regardless of case; an exact match comes first."""
    if not name or len(name) > NAME_LENGTH:
        return []
    found = User.objects.filter(folded_name__startswith=folded(name))
    found = found.filter(is_deleted=False, is_active=True, is_bot=False, pupil_of=None)
    # Sorting by name puts the exact match first.
    return list(found.exclude(pk=user.pk).order_by("folded_name")[:MAX_FOUND])
