"""The inbox: a user's conversations, and the messages of one."""

from __future__ import annotations

from uuid import uuid4

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from pydantic import TypeAdapter, ValidationError

from games.domain import texts
from games.domain.messages import CommandId
from games.domain.refusals import Refused
from lobby.chat.lines import Muted
from lobby.http.user_request import UserRequest
from lobby.inbox import conversations
from lobby.inbox.models import MESSAGE_LENGTH
from lobby.people import circles
from lobby.people.models import User
from lobby.vacations import vacations

PAGE_SIZE = 20
"""Conversations per page."""

_command: TypeAdapter[str] = TypeAdapter(CommandId)


@require_safe
@never_cache
@login_required
def inbox(request: UserRequest) -> HttpResponse:
    """The user's conversations, the newest first."""
    page = Paginator(conversations.of(request.user.pk), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "entries": conversations.entries(request.user, page.object_list),
        "vacations": vacations.of_opponents(request.user.pk),
        "now": timezone.now(),
    }
    return render(request, "inbox/inbox.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def conversation(request: UserRequest, name: str) -> HttpResponse:
    """The messages with another user, and a form for the next one; a POST sends it."""
    other = _other(request, name)
    if request.method == "POST":
        return _send(request, request.user, other)
    conversations.read(request.user, other)
    return _page(request, request.user, other)


@require_POST
@login_required
def read(request: UserRequest, name: str) -> HttpResponse:
    """Note that the user has seen all messages of another."""
    conversations.read(request.user, _other(request, name))
    return HttpResponse(status=204)


def _send(request: HttpRequest, user: User, other: User) -> HttpResponse:
    wants_json = request.headers.get("Accept") == "application/json"
    try:
        command = _command.validate_python(request.POST.get("command", ""))
    except ValidationError:
        # Not the page's own form, which always has one.
        command = uuid4().hex
    try:
        message = conversations.send(user.pk, other, command, request.POST.get("text", ""))
    except Refused as error:
        if wants_json:
            answer = {"code": error.code, "detail": error.words}
            return JsonResponse(answer, status=error.status, headers=error.headers)
        response = _page(request, user, other, error)
        for header, value in error.headers.items():
            response[header] = value
        return response
    if wants_json:
        return JsonResponse(conversations.fields(message), status=201)
    return redirect("conversation", other.username)


def _page(request: HttpRequest, user: User, other: User, error: Refused | None = None) -> HttpResponse:
    before = texts.number(request.GET.get("before", "")) or None
    shown, older = conversations.page(user, other, before)
    refused = conversations.refusal(user, other)
    context = {
        "other": other,
        "shown": shown,
        "older": older,
        "newest": before is None,
        "refused": refused,
        "muted": isinstance(refused, Muted),
        "problem": error and error.words,
        "text": request.POST.get("text", ""),
        "command": uuid4().hex,
        "most": MESSAGE_LENGTH,
    }
    return render(request, "inbox/conversation.html", context, status=error.status if error else 200)


def _other(request: HttpRequest, name: str) -> User:
    """The user of that name; deleted ones too, to whom messages were written."""
    other = circles.named(name, request.user.pk)
    if other is None or other.computer:
        raise Http404
    return other
