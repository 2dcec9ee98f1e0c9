"""The pages of a user's webhooks. `lobby.webhooks.hooks` decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from lobby.commands import CommandError
from lobby.http.idempotency import once
from lobby.http.user_request import UserRequest
from lobby.webhooks import hooks
from lobby.webhooks.forms import WORDS, HookForm
from lobby.webhooks.hooks import HookError, TooFast
from lobby.webhooks.models import Hook
from lobby.webhooks.outgoing import Unsent

ACTIONS: dict[str, Callable[[Hook], None]] = {
    "ping": hooks.ping,
    "off": hooks.switch_off,
    "on": hooks.switch_on,
    "delete": hooks.delete,
}
"""Actions on a webhook, by the end of the URL. Replacing the secret is separate, since it is then shown."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def overview(request: UserRequest) -> HttpResponse:
    """The user's webhooks and the form for a new one; a POST adds it and shows its secret."""
    if not hooks.may_have(request.user):
        messages.error(request, _("You need an account for webhooks."))
        return redirect("settings")
    form = HookForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        user, data = request.user, form.cleaned_data
        site = request.build_absolute_uri("/").rstrip("/")
        try:
            _user, hook, _new = once(
                request, lambda: (user, hooks.add(user, data["url"], data["events"], site))
            )
        except CommandError as error:
            form.add_error(None, error.words)
        except (HookError, Unsent) as error:
            form.refuse(error)
        else:
            return _show(request, hook, hook.secret)
    mine = hooks.of(request.user)
    context = {
        "form": form,
        "hooks": mine,
        "room": len(mine) < hooks.MAX_HOOKS,
        "most": hooks.MAX_HOOKS,
    }
    return render(request, "programs/hooks.html", context, status=400 if form.errors else 200)


@require_safe
@never_cache
@login_required
def hook(request: UserRequest, hook_id: int) -> HttpResponse:
    """A webhook and the log of its deliveries."""
    return _show(request, _find(request, hook_id))


@require_POST
@never_cache
@login_required
def decide(request: UserRequest, hook_id: int, act: str) -> HttpResponse:
    """Perform an action on a webhook."""
    found = _find(request, hook_id)
    if act == "secret":
        return _show(request, found, hooks.replace_secret(found))
    if act not in ACTIONS:
        raise Http404
    try:
        ACTIONS[act](found)
    except TooFast:
        raise
    except HookError as error:
        messages.error(request, error.words)
    return redirect("hooks") if act == "delete" else redirect("hook", found.pk)


@require_POST
@login_required
def again(request: UserRequest, hook_id: int, delivery_id: int) -> HttpResponse:
    """Send a delivery again."""
    found = _find(request, hook_id)
    try:
        hooks.send_again(found, delivery_id)
    except TooFast:
        raise
    except HookError as error:
        messages.error(request, error.words)
    return redirect("hook", found.pk)


def _find(request: UserRequest, hook_id: int) -> Hook:
    try:
        return hooks.find(request.user, hook_id)
    except HookError:
        raise Http404 from None


def _show(request: HttpRequest, found: Hook, secret: str = "") -> HttpResponse:
    """The page of a webhook; a new secret is shown only this once."""
    context: dict[str, Any] = {
        "hook": found,
        "events": [WORDS[event] for event in found.events],
        "log": hooks.log(found),
        "secret": secret,
    }
    return render(request, "programs/hook.html", context)
