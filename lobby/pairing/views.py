"""Quick pairing: the forms of its tiles, and the offer of a computer player."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from lobby.accounts import guests
from lobby.accounts.guests import TooManyGuests
from lobby.front.views import too_many_guests
from lobby.pairing import queue
from lobby.pairing.loop import matchmaker
from lobby.pairing.pairing_options import Tile
from lobby.pairing.queue import NotWaiting, PairingError
from lobby.ratings.rated import NotRated
from lobby.tables import solo


@require_POST
def enter(request: HttpRequest) -> HttpResponse:
    """Enter the queue; a visitor becomes a guest first."""
    tile = Tile.parse(request.POST.get("tile", ""), rated=request.POST.get("rated") == "yes")
    try:
        with transaction.atomic():
            user = guests.person(request)
            queue.enter(user, tile)
    except TooManyGuests:
        return too_many_guests(request)
    except (NotRated, PairingError) as error:
        return _refused(request, error)
    guests.remember(request, user)
    matchmaker.wake()
    return _answer(request, user.pk)


@require_POST
def cancel(request: HttpRequest) -> HttpResponse:
    """Leave the queue."""
    if request.user.is_authenticated:
        queue.cancel([request.user.pk])
    return _answer(request, request.user.pk)


@require_POST
def play_computer(request: HttpRequest) -> HttpResponse:
    """Leave the queue and play the computer that is offered."""
    try:
        if not request.user.is_authenticated:
            raise NotWaiting
        match = solo.instead_of_waiting(request.user)
    except PairingError as error:
        return _refused(request, error)
    if _asks_for_json(request):
        return _answer(request, request.user.pk)
    return HttpResponseRedirect(reverse("match", args=[match.pk]))


def _answer(request: HttpRequest, user_id: int | None) -> HttpResponse:
    """The user's state in quick pairing: as JSON for scripts, otherwise on the front page."""
    if not _asks_for_json(request):
        return HttpResponseRedirect(f"{reverse('lobby')}#pairing")
    nothing: dict[str, Any] = {"seek": None, "paired": None}
    return JsonResponse(nothing if user_id is None else queue.situation(user_id))


def _refused(request: HttpRequest, error: NotRated | PairingError) -> HttpResponse:
    if _asks_for_json(request):
        return JsonResponse({"code": error.code, "detail": error.words}, status=409)
    messages.error(request, error.words)
    return HttpResponseRedirect(f"{reverse('lobby')}#pairing")


def _asks_for_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"
