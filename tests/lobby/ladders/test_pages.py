"""The page of a ladder, its form, the API, and what people are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lobby.accounts import export
from lobby.clubs.models import Club
from lobby.ladders import ladders, notices
from lobby.ladders.models import ClubLadder
from lobby.people.models import User
from lobby.tables.models import Table
from lobby.tokens import tokens
from tests.helpers.clubs import club_of
from tests.helpers.ladders import accepted, ladder_of, played
from tests.helpers.tournaments import command, people

pytestmark = pytest.mark.django_db


@pytest.fixture
def four() -> list[User]:
    return people("Ada Bo Cleo Dan")


@pytest.fixture
def club(four: list[User]) -> Club:
    return club_of(*four)


def reading(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(club: Club, user: User | None = None) -> str:
    answer = reading(user).get(reverse("club-ladder", args=[club.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def sent(club: Club, user: User, act: str, **values: str) -> Any:
    return reading(user).post(reverse(f"club-ladder-{act}", args=[club.slug]), values, follow=True)


def test_an_organiser_sets_it_up_and_members_play_on_it(club: Club, four: list[User]) -> None:
    ada, bo, cleo, _dan = four
    assert reading(bo).get(reverse("club-ladder", args=[club.slug])).status_code == 404
    form = {"preset": "circle", "seats": "2", "clock": "5+3", "rated": "no"}
    days = {"answer_days": "3", "play_days": "7", "idle_days": "30"}
    answer = sent(club, ada, "edit", **form, **days)
    assert answer.redirect_chain == [(reverse("club-ladder", args=[club.slug]), 302)]
    for person in (bo, cleo):
        assert "Join the ladder" in page(club, person)
        sent(club, person, "join")
    assert "Challenge Bo" in page(club, cleo)
    assert "Challenge Cleo" not in page(club, bo)
    sent(club, cleo, "challenge", name="Bo")
    assert "You have challenged Bo." in page(club, cleo)
    assert "Cleo challenges you." in page(club, bo)
    assert "You are in a challenge." in reading(bo).get(club.get_absolute_url()).content.decode()
    sent(club, bo, "accept")
    table = Table.objects.filter(host=cleo)
    assert sent(club, cleo, "play").redirect_chain[-1][0] == table.get().get_absolute_url()
    match = sent(club, bo, "play").redirect_chain[-1][0]
    assert match.startswith("/m/")
    assert match in page(club)


def test_the_form_keeps_what_was_chosen_and_refuses_no_clock(club: Club, four: list[User]) -> None:
    ladder_of(club, four[0], four, idle_days=17)
    shown = reading(four[0]).get(reverse("club-ladder-edit", args=[club.slug])).content.decode()
    assert 'value="17"' in shown
    days = {"answer_days": "3", "play_days": "7", "idle_days": "30"}
    answer = sent(club, four[0], "edit", preset="circle", seats="2", clock="", **days)
    assert answer.status_code == 400
    assert "Matches on a ladder need a clock." in answer.content.decode()


def test_history_says_who_took_or_defended_which_place(club: Club, four: list[User]) -> None:
    ada, bo, cleo, dan = four
    ladder = ladder_of(club, ada, four)
    played(ladder, cleo, bo, bo)
    played(ladder, dan, ada, dan)
    shown = page(club)
    assert "Bo defends place 2 against Cleo" in shown
    assert "Dan takes place 1 from Ada" in shown


def test_others_see_it_and_are_offered_nothing(club: Club, four: list[User]) -> None:
    ladder_of(club, four[0], four)
    for reader in (None, people("Zoe")[0]):
        assert "<form" not in page(club, reader).split("<main")[1].split("</main>")[0]
        assert reading(reader).get(club.get_absolute_url()).content.decode().count("Open the ladder") == 1
    assert reading(four[1]).get(reverse("club-ladder-edit", args=[club.slug])).status_code == 302
    assert sent(club, people("Yan")[0], "join").status_code == 200
    assert ClubLadder.objects.get().rungs.count() == 4


def test_programs_play_on_it(club: Club, four: list[User]) -> None:
    ada, bo, cleo, _dan = four
    at = f"/api/v1/clubs/{club.pk}/ladder"

    def ask(user: User, scopes: list[str], act: str = "", **values: Any) -> Any:
        client = Client(headers={"Authorization": f"Bearer {tokens.make(user, 'program', scopes)}"})
        send = client.post if act else client.put
        return send(f"{at}{act}", {"id": command(), **values}, content_type="application/json")

    assert Client().get(at).json()["code"] == "unknown-ladder"
    made = ask(ada, ["clubs"], game="kalah", preset="circle", clock="5+3")
    assert (made.status_code, made.json()["places"]) == (200, [])
    for person in (bo, cleo):
        ask(person, ["clubs"], "/join")
    assert ask(cleo, ["clubs"], "/challenge", name="Bo").status_code == 403
    ask(cleo, ["lobby"], "/challenge", name="Bo")
    ask(bo, ["lobby"], "/answer", accepted=True)
    (told,) = Client().get(at).json()["challenges"]
    assert (told["challenger"], told["challenged"], told["place"]) == ("Cleo", "Bo", 1)
    assert told["accepted"] < told["due"]
    ask(bo, ["lobby"], "/play")
    assert ask(cleo, ["lobby"], "/play").json()["match"] == Client().get(at).json()["challenges"][0]["match"]
    assert ask(bo, ["lobby"], "/withdraw").json()["code"] == "no-challenge"
    assert ask(ada, ["clubs"], "/close").status_code == 204


def test_people_are_told_of_challenges_and_their_ends(
    club: Club, four: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, str, str]] = []

    def tell(user_id: int, _id: str, path: str, words: Callable[[], tuple[str, str]], _now: Any) -> None:
        assert path == reverse("club-ladder", args=[club.slug])
        told.append((user_id, *words()))

    monkeypatch.setattr(notices, "tell", tell)
    ada, bo, cleo, _dan = four
    ladder = ladder_of(club, ada, four)
    played(ladder, cleo, bo, cleo)
    assert told == [
        (bo.pk, "Harbour club", "Cleo challenges you on the ladder. Answer within 3 days."),
        (cleo.pk, "Harbour club", "Bo has accepted your challenge. Play within 7 days."),
        (cleo.pk, "Harbour club", "You have won the challenge against Bo."),
        (bo.pk, "Harbour club", "You have lost the challenge against Cleo."),
    ]
    told.clear()
    ladders.challenge(bo, ladder.pk, "Cleo", command())
    ladders.withdraw(bo, ladder.pk, command())
    assert len(told) == 1


def test_the_export_of_an_account_has_its_place_and_challenges(club: Club, four: list[User]) -> None:
    ladder = ladder_of(club, four[0], four)
    accepted(ladder, four[2], four[1])
    found = export.everything_about(four[2])
    assert [each["place"] for each in found["ladders"]] == [3]
    assert [each["place"] for each in found["ladder_challenges"]] == [2]
