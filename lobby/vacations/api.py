"""Vacations for programs. `lobby.vacations.vacations` decides."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router
from pydantic import AwareDatetime, Field
from typing_extensions import TypedDict

from games.api.access import Token
from games.api.routes import answer
from games.api.scopes import READ, VACATION
from games.domain.instants import timestamp
from games.domain.messages import CommandId
from lobby.api.callers import my_account
from lobby.api.messages import Body
from lobby.people.models import User
from lobby.vacations import vacations
from lobby.vacations.vacations import DAYS_A_YEAR

router = Router(tags=["Vacation"])


class VacationCommand(Body):
    """A command about your vacation. The same `id` acts once, however often it is sent."""

    id: CommandId


class VacationBody(VacationCommand):
    """A vacation of whole `days`. Without `begins` it begins now."""

    days: Annotated[int, Field(ge=1, le=DAYS_A_YEAR)]
    # Strict pydantic takes no text for a time.
    begins: Annotated[AwareDatetime, Field(strict=False)] | None = None


class YourVacation(TypedDict):
    """Your vacation that goes on or is planned; the times are null without one.

    `days_left` are the whole days that you have left in this calendar year.
    """

    begins: str | None
    ends: str | None
    days_left: int


@router.get("/vacation", auth=Token(READ), response=YourVacation, summary="Your vacation")
def read_vacation(request: HttpRequest) -> HttpResponse:
    """Your vacation, and how many days you have left this year."""
    return _answer(my_account(request))


@router.post("/vacation", auth=Token(VACATION), response=YourVacation, summary="Take a vacation")
def take_vacation(request: HttpRequest, body: VacationBody) -> HttpResponse:
    """Stop your clocks in matches with days per move, now or from a time on."""
    me = my_account(request)
    vacations.take(me, body.days, body.begins, body.id)
    return _answer(me)


@router.post("/vacation/end", auth=Token(VACATION), response=YourVacation, summary="End your vacation")
def end_vacation(request: HttpRequest, body: VacationCommand) -> HttpResponse:
    """End the vacation that goes on, or cancel the planned one."""
    me = my_account(request)
    vacations.end(me, body.id)
    return _answer(me)


def _answer(user: User) -> HttpResponse:
    vacation = vacations.current(user.pk)
    return answer(
        {
            "begins": vacation and timestamp(vacation.begins),
            "ends": vacation and timestamp(vacation.ends),
            "days_left": vacations.days_left(user.pk, timezone.now().year),
        }
    )
