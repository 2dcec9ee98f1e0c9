"""Preferences, sessions, export and deletion of an account."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.conf import settings as site_settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.domain.refusals import SavingUnavailable
from lobby.accounts import deletion, guests
from lobby.accounts import export as exports
from lobby.accounts.guests import NameTaken, TooManyNames
from lobby.auth.forms import GoodbyeForm, GuestNameForm
from lobby.auth.gates import password_again
from lobby.http.next_page import next_page
from lobby.http.user_request import UserRequest
from lobby.notices import devices, reminders
from lobby.people import language, preferences
from lobby.people.preferences import PreferenceError
from lobby.webhooks import vapid


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """The page of all settings; a POST stores one of them for an account."""
    if request.method == "POST":
        return _save(request)
    return render(request, "accounts/settings.html", _told_away(request))


def _told_away(request: HttpRequest) -> dict[str, Any]:
    """Context for notifications: the user's devices and, for accounts, e-mail reminders."""
    user = request.user
    if not user.is_authenticated:
        return {}
    told: dict[str, Any] = {"devices": devices.of(user), "push_key": vapid.public()}
    if not user.is_guest:
        address, wanted = reminders.address_of(user.pk), reminders.wanted_by(user.pk)
        told["reminders"] = {"address": address, "wanted": wanted}
    return told


def _save(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated or request.user.is_guest:
        sentence = gettext("Without an account, your browser keeps the settings.")
        return JsonResponse({"code": "no-account", "sentence": sentence}, status=403)
    name, value = request.POST.get("name", ""), request.POST.get("value", "")
    try:
        preferences.save(request.user, name, value)
    except PreferenceError as error:
        return JsonResponse({"code": error.code, "sentence": error.words}, status=error.status)
    return HttpResponse(status=204)


@require_http_methods(["GET", "HEAD", "POST"])
def choose_language(request: HttpRequest) -> HttpResponse:
    """Change the language, and redirect back.

    A GET does so for visitors: their pages have no CSRF token then, and proxies may answer with them.
    """
    response = HttpResponseRedirect(next_page(request))
    if request.method != "POST" and request.user.is_authenticated:
        return response
    try:
        language.choose(request, response, (request.POST or request.GET).get("language", ""))
    except PreferenceError as error:
        messages.error(request, error.words)
    return response


@require_POST
@login_required
@password_again
def end_session(request: HttpRequest, number: int) -> HttpResponse:
    """End another session of the user."""
    others = UserSession.objects.exclude(session_key=request.session.session_key)
    ended = others.filter(user=request.user.pk, pk=number)
    if ended:
        get_adapter().end_sessions(ended)
        messages.success(request, gettext("That browser has been logged out."))
    return redirect("usersessions_list")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def name(request: UserRequest) -> HttpResponse:
    """The form to rename a guest. Accounts keep their names, and teachers rename pupils."""
    if not request.user.is_guest or request.user.pupil_of is not None:
        return redirect("settings")
    form = GuestNameForm(request.user, request.POST if request.method == "POST" else None)
    limit: Mapping[str, str] = {}
    if form.is_valid():
        try:
            guests.rename(request.user.pk, form.cleaned_data["username"])
        except NameTaken:
            form.add_error("username", gettext("That name has just been taken. Please choose another."))
        except TooManyNames:
            limit = site_settings.NAME_LIMIT.retry_after
            form.add_error(None, gettext("Too many name changes. Please wait a few minutes."))
        else:
            messages.success(request, gettext("Your name has been changed."))
            return redirect("settings")
    status = 429 if limit else 400 if form.errors else 200
    response = render(request, "accounts/name.html", {"form": form}, status=status)
    for header, value in limit.items():
        response[header] = value
    return response


@require_safe
@never_cache
@login_required
@password_again
def export(request: UserRequest) -> HttpResponse:
    """Download all data about the user."""
    everything: dict[str, Any] = exports.everything_about(request.user)
    response = JsonResponse(everything, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = content_disposition_header(
        True, f"parlour-{request.user.username}.json"
    )
    return response


def _has_no_password(request: HttpRequest) -> bool:
    """Whether `delete` needs reauthentication; otherwise its form asks for the password."""
    return request.user.is_authenticated and not request.user.has_usable_password()


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@partial(password_again, enabled=_has_no_password)
def delete(request: UserRequest) -> HttpResponse:
    """Delete the user's account, after a confirmation."""
    if request.user.pupil_of is not None:
        messages.info(request, gettext("Your teacher can delete everything about you."))
        return redirect("settings")
    form = GoodbyeForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            # In the server's event loop, which holds the matches in memory.
            async_to_sync(deletion.delete_account)(request.user.pk)
        except SavingUnavailable as error:
            form.add_error(None, error.words)
        else:
            logout(request)
            messages.success(request, gettext("Your data has been deleted. Goodbye!"))
            return redirect("lobby")
    context = {"form": form, "in_play": deletion.plays_now(request.user)}
    return render(request, "accounts/delete.html", context, status=400 if form.errors else 200)
