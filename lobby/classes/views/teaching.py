"""The pages of classes for teachers. `lobby.classes` decides."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.domain import texts
from games.domain.refusals import Refused
from games.share import addresses
from lobby.accounts import export as exports
from lobby.classes import cards, classes, pupils, teachers
from lobby.classes.forms import MakeForm
from lobby.classes.models import SchoolClass
from lobby.classes.refusals import ClassError, UnknownClass
from lobby.classes.views.coming import home_page
from lobby.classes.views.learning import pupil_page
from lobby.http.idempotency import Act, command_of, without_fields
from lobby.http.user_request import UserRequest
from lobby.people.models import User


@require_POST
@login_required
def make(request: UserRequest) -> HttpResponse:
    """Make a class."""
    form = MakeForm(request.POST)
    if not form.is_valid():
        return home_page(request, HTTPStatus.BAD_REQUEST, form=form)
    try:
        made = classes.make(request.user, form.cleaned_data["title"], command_of(request))
    except Refused as error:
        form.add_error(None, error.words)
        return home_page(request, error.status, form=form)
    return redirect(made)


@require_safe
@never_cache
def school_class(request: HttpRequest, class_code: str) -> HttpResponse:
    """The page of a class for its teachers and its pupils; for others the form by which pupils log in."""
    code = classes.normal(class_code)
    try:
        return _teacher(request, classes.taught(request.user, code))
    except UnknownClass as error:
        if not request.user.is_authenticated:
            return home_page(request, code=code)
        home = request.user.pupil_of
        if home is not None and home.code == code:
            return pupil_page(request, home, request.user)
        return home_page(request, error.status, problem=error.words)


def _teacher(
    request: HttpRequest, found: SchoolClass, refused: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    """The same; what was sent with the action `refused` is there to be corrected."""
    context = {
        "school_class": found,
        "pupils": classes.pupils(found),
        "teachers": teachers.of(found),
        "most": settings.CLASS_PUPILS,
        "minutes": classes.LESSON // timedelta(minutes=1),
        "address": addresses.for_others(request, found.get_absolute_url()),
        "refused": refused,
        "sent": request.POST,
    }
    return render(request, "classes/teacher.html", context, status=status)


@require_safe
@never_cache
def pupil(request: HttpRequest, class_code: str, pupil_id: int) -> HttpResponse:
    """The page of a pupil for the teachers of the class."""
    return _pupil_page(request, class_code, pupil_id)


def _pupil_page(request: HttpRequest, code: str, pupil_id: int, status: int = HTTPStatus.OK) -> HttpResponse:
    try:
        found = classes.taught(request.user, code)
        known = pupils.of_class(found, pupil_id)
    except ClassError as error:
        return home_page(request, error.status, problem=error.words)
    context = {
        "school_class": found,
        "pupil": known,
        "pin": "" if known.card.pin_used else cards.pin(known.card),
        "others": classes.taught_by(request.user).exclude(pk=found.pk),
        "sent": request.POST,
    }
    return render(request, "classes/pupil.html", context, status=status)


@require_safe
@never_cache
def export(request: HttpRequest, class_code: str, pupil_id: int) -> HttpResponse:
    """All data about a pupil, for a teacher to hand out."""
    try:
        known = pupils.of_class(classes.taught(request.user, class_code), pupil_id)
    except ClassError as error:
        return home_page(request, error.status, problem=error.words)
    everything = exports.everything_about(known)
    response = JsonResponse(everything, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = content_disposition_header(True, f"parlour-{known.first_name}.json")
    return response


@require_safe
@never_cache
def card_sheet(request: HttpRequest, class_code: str) -> HttpResponse:
    """The cards of all pupils, to print. A PIN is on its card until it is used."""
    try:
        found = classes.taught(request.user, class_code)
    except UnknownClass as error:
        return home_page(request, error.status, problem=error.words)
    sheet = [
        {
            "pupil": pupil,
            "link": addresses.for_others(request, cards.link(found, pupil.card)),
            "letters": cards.letters(pupil.card),
            "pin": "" if pupil.card.pin_used else cards.pin(pupil.card),
        }
        for pupil in classes.pupils(found)
    ]
    address = addresses.for_others(request, reverse("classes"))
    return render(request, "classes/cards.html", {"school_class": found, "cards": sheet, "address": address})


@require_POST
@login_required
def act(request: UserRequest, class_code: str, act: str) -> HttpResponse:
    """Carry out an action of a teacher."""
    try:
        ACTIONS[act](request, request.user, class_code, command_of(request))
    except UnknownClass as error:
        return home_page(request, error.status, problem=error.words)
    except Refused as error:
        messages.error(request, error.words)
        if act in WITH_TEXT:
            return _teacher(request, classes.taught(request.user, class_code), act, error.status)
        if act in OF_PUPIL:
            return _pupil_page(request, class_code, _pupil(request), error.status)
    if act == "leave":
        return redirect("classes")
    if act in OF_PUPIL:
        where = classes.normal(request.POST.get("to", "")) if act == "move" else class_code
        return redirect("class-pupil", where, _pupil(request))
    return redirect("class", class_code)


def _pupil(request: HttpRequest) -> int:
    return texts.number(request.POST.get("pupil", ""))


def _add(request: HttpRequest, user: User, code: str, command: str) -> None:
    pupils.add(user, code, request.POST.get("names", ""), command)


def _rename(request: HttpRequest, user: User, code: str, command: str) -> None:
    pupils.rename(user, code, _pupil(request), request.POST.get("name", ""), command)


def _move(request: HttpRequest, user: User, code: str, command: str) -> None:
    pupils.move(user, code, _pupil(request), request.POST.get("to", ""), command)


def _new_card(request: HttpRequest, user: User, code: str, command: str) -> None:
    pupils.renew_card(user, code, _pupil(request), command)


def _change(request: HttpRequest, user: User, code: str, command: str) -> None:
    classes.change(user, code, request.POST.get("title", ""), "chat" in request.POST, command)


def _invite(request: HttpRequest, user: User, code: str, command: str) -> None:
    teachers.invite(user, code, request.POST.get("name", ""), command)


ACTIONS: dict[str, Act] = {
    "add": _add,
    "rename": _rename,
    "move": _move,
    "change": _change,
    "invite": _invite,
    "new-card": _new_card,
    "open": without_fields(classes.let_in),
    "close": without_fields(classes.let_nobody_in),
    "accept": without_fields(teachers.accept),
    "leave": without_fields(teachers.leave),
}
"""Actions in a class, by the end of the URL."""
WITH_TEXT = ("add", "change", "invite")
"""Those with a form for a text on the page of the class, which is shown again if it is refused."""
OF_PUPIL = ("rename", "move", "new-card")
"""Those on the page of a pupil."""


@require_POST
@login_required
def remove(request: UserRequest, class_code: str) -> HttpResponse:
    """Remove a pupil, and erase everything about them."""
    try:
        # In the server's event loop, which holds the matches in memory.
        async_to_sync(pupils.remove)(request.user, class_code, _pupil(request))
    except UnknownClass as error:
        return home_page(request, error.status, problem=error.words)
    except Refused as error:
        messages.error(request, error.words)
    else:
        messages.success(request, gettext("The pupil has been removed."))
    return redirect("class", class_code)
