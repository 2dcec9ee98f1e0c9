"""The pages of classes. `lobby.classes` decides."""

from __future__ import annotations

from http import HTTPStatus

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from games.domain import texts
from games.domain.refusals import Refused
from lobby.classes import classes, pupils, teachers
from lobby.classes.forms import MakeForm
from lobby.classes.models import SchoolClass
from lobby.classes.refusals import ClassError, UnknownClass
from lobby.http.idempotency import Act, command_of, without_fields
from lobby.people.models import User


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The classes of a teacher."""
    return _home(request, MakeForm())


def _home(
    request: HttpRequest, form: MakeForm, problem: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {
        "form": form,
        "problem": problem,
        "may_make": classes.may_make(request.user),
        "mine": classes.taught_by(request.user),
        "invitations": teachers.invitations(request.user),
    }
    return render(request, "classes/classes.html", context, status=status)


@require_POST
@login_required
def make(request: HttpRequest) -> HttpResponse:
    """Make a class."""
    assert request.user.is_authenticated
    form = MakeForm(request.POST)
    if not form.is_valid():
        return _home(request, form, status=HTTPStatus.BAD_REQUEST)
    try:
        made = classes.make(request.user, form.cleaned_data["title"], command_of(request))
    except Refused as error:
        form.add_error(None, error.words)
        return _home(request, form, status=error.status)
    return redirect(made)


@require_safe
def school_class(request: HttpRequest, class_code: str) -> HttpResponse:
    """The page of a class for its teachers."""
    try:
        found = classes.taught(request.user, class_code)
    except UnknownClass as error:
        return _home(request, MakeForm(), error.words, error.status)
    return _teacher(request, found)


def _teacher(
    request: HttpRequest, found: SchoolClass, refused: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    """The same; what was sent with the action `refused` is there to be corrected."""
    context = {
        "school_class": found,
        "pupils": classes.pupils(found),
        "teachers": teachers.of(found),
        "most": settings.CLASS_PUPILS,
        "refused": refused,
        "sent": request.POST,
    }
    return render(request, "classes/teacher.html", context, status=status)


@require_safe
def pupil(request: HttpRequest, class_code: str, pupil_id: int) -> HttpResponse:
    """The page of a pupil for the teachers of the class."""
    return _pupil_page(request, class_code, pupil_id)


def _pupil_page(request: HttpRequest, code: str, pupil_id: int, status: int = HTTPStatus.OK) -> HttpResponse:
    try:
        found = classes.taught(request.user, code)
        known = pupils.of_class(found, pupil_id)
    except ClassError as error:
        return _home(request, MakeForm(), error.words, error.status)
    context = {
        "school_class": found,
        "pupil": known,
        "others": classes.taught_by(request.user).exclude(pk=found.pk),
        "sent": request.POST,
    }
    return render(request, "classes/pupil.html", context, status=status)


@require_POST
@login_required
def act(request: HttpRequest, class_code: str, act: str) -> HttpResponse:
    """Carry out an action of a teacher."""
    assert request.user.is_authenticated
    try:
        ACTIONS[act](request, request.user, class_code, command_of(request))
    except UnknownClass as error:
        return _home(request, MakeForm(), error.words, error.status)
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
    "accept": without_fields(teachers.accept),
    "leave": without_fields(teachers.leave),
}
"""Actions in a class, by the end of the URL."""
WITH_TEXT = ("add", "change", "invite")
"""Those with a form for a text on the page of the class, which is shown again if it is refused."""
OF_PUPIL = ("rename", "move")
"""Those on the page of a pupil."""


@require_POST
@login_required
def remove(request: HttpRequest, class_code: str) -> HttpResponse:
    """Remove a pupil, and erase everything about them."""
    assert request.user.is_authenticated
    try:
        # In the server's event loop, which holds the matches in memory.
        async_to_sync(pupils.remove)(request.user, class_code, _pupil(request))
    except UnknownClass as error:
        return _home(request, MakeForm(), error.words, error.status)
    except Refused as error:
        messages.error(request, error.words)
    else:
        messages.success(request, gettext("The pupil has been removed."))
    return redirect("class", class_code)
