"""The page of a user's API tokens: create, show once, revoke."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from lobby.auth.gates import password_again
from lobby.commands import CommandError
from lobby.http.idempotency import once
from lobby.http.user_request import UserRequest
from lobby.people.models import User
from lobby.tokens import tokens as service
from lobby.tokens.forms import TokenForm
from lobby.tokens.models import Token
from lobby.tokens.tokens import TokenError


def _is_post(request: HttpRequest) -> bool:
    return request.method == "POST"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@partial(password_again, enabled=_is_post)
def tokens(request: UserRequest) -> HttpResponse:
    """The user's tokens; a POST creates one, which only this response shows."""
    form, made = TokenForm(request.POST if request.method == "POST" else None), ""
    if form.is_valid():
        user, data = request.user, form.cleaned_data

        def make() -> tuple[User, Token]:
            nonlocal made
            made = service.make(user, data["name"], data["scopes"])
            return user, service.find(made)

        try:
            if not once(request, make)[2]:
                messages.info(
                    request,
                    gettext(
                        "You sent this form twice, and one token was created. If you did not copy it, "
                        "revoke it and create another."
                    ),
                )
                return redirect("tokens")
        except (CommandError, TokenError) as error:
            form.refuse(error)
    context = {
        "form": TokenForm() if made else form,
        "made": made,
        "tokens": service.of(request.user),
    }
    return render(request, "programs/tokens.html", context, status=400 if form.errors else 200)


@require_POST
@login_required
@password_again
def revoke(request: UserRequest, number: int) -> HttpResponse:
    """Revoke a token of the user."""
    service.revoke(request.user, number)
    messages.success(request, gettext("The token no longer works."))
    return redirect("tokens")
