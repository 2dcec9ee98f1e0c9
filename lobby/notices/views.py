"""Turning notifications and reminders on and off. `lobby.notices` decides."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.domain.refusals import Refused
from lobby.http.user_request import UserRequest
from lobby.notices import devices, reminders
from lobby.notices.devices import DeviceError
from lobby.notices.reminders import ReminderError
from lobby.webhooks.outgoing import Unsent


@require_POST
@login_required
def add_device(request: UserRequest) -> HttpResponse:
    """Register a browser by its push endpoint and keys."""
    url, p256dh, auth, name = (request.POST.get(field, "") for field in ("url", "p256dh", "auth", "name"))
    try:
        devices.add(request.user, url, p256dh, auth, name, request.build_absolute_uri("/").rstrip("/"))
    except (DeviceError, Unsent) as error:
        return _refused(error)
    return HttpResponse(status=204)


def _refused(error: Refused) -> HttpResponse:
    return JsonResponse({"code": error.code, "sentence": error.words}, status=error.status)


@require_POST
@login_required
def end_device(request: UserRequest, number: int) -> HttpResponse:
    """Remove a device."""
    devices.end(request.user, number)
    messages.success(request, _("Notifications are off for that device."))
    return redirect("settings")


@require_POST
@login_required
def choose_reminders(request: UserRequest) -> HttpResponse:
    """Turn e-mail reminders on or off."""
    if request.POST.get("wanted") == "1":
        try:
            reminders.start(request.user, request.build_absolute_uri("/").rstrip("/"))
        except ReminderError as error:
            messages.error(request, error.words)
        else:
            messages.success(request, _("We’ll e-mail you about turns and messages, at most once a day."))
    else:
        reminders.stop(request.user.pk)
        messages.success(request, _("We will no longer e-mail you about your turns."))
    return redirect("settings")


# Mail providers unsubscribe without cookies and without a form of ours (RFC 8058); the token authenticates.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop_reminders(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe from reminders by a link: a GET asks for confirmation, a POST does it."""
    user_id = reminders.whose(token)
    done = request.method == "POST"
    if done:
        reminders.stop(user_id)
    return render(request, "notices/stop.html", {"done": done})
