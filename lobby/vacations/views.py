"""The page of a user's vacation. `lobby.vacations.vacations` decides."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from lobby.commands import CommandError
from lobby.http.idempotency import command_of
from lobby.http.user_request import UserRequest
from lobby.vacations import vacations
from lobby.vacations.forms import VacationForm
from lobby.vacations.vacations import VacationError


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def vacation(request: UserRequest) -> HttpResponse:
    """The user's vacation, or the form to take one; a POST takes it."""
    form = VacationForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            vacations.take(request.user, form.cleaned_data["days"], form.beginning(), command_of(request))
            return redirect("vacation")
        except (CommandError, VacationError) as error:
            form.refuse(error)
    now = timezone.now()
    context = {
        "form": form,
        "vacation": vacations.current(request.user.pk),
        "now": now,
        "left": vacations.days_left(request.user.pk, now.year),
        "most": vacations.DAYS_A_YEAR,
    }
    return render(request, "vacations/vacation.html", context, status=400 if form.errors else 200)


@require_POST
@login_required
def end(request: UserRequest) -> HttpResponse:
    """End or cancel the user's vacation."""
    try:
        vacations.end(request.user, command_of(request))
    except (CommandError, VacationError) as error:
        messages.error(request, error.words)
    return redirect("vacation")
