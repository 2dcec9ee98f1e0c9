"""Simuls: one host against up to thirty players."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.domain import clock
from games.domain.refusals import Refused
from lobby.accounts import deletion
from lobby.notices.models import Device
from lobby.people.models import User
from lobby.ratings.models import Rating
from lobby.sockets import greeting
from lobby.tournaments import entries, hosting, organising, sheet, tables, tournaments, verification
from lobby.tournaments.formats import simul
from lobby.tournaments.formats.simul import Score
from lobby.tournaments.models import Tournament
from lobby.webhooks.models import Hook
from tests.helpers import finished
from tests.helpers.clubs import club_of
from tests.helpers.tournaments import (
    begun,
    changes,
    command,
    entered,
    look,
    matches_of,
    people,
    plan,
    play_round,
    seated,
    win,
)

pytestmark = pytest.mark.django_db
State = Tournament.State


@pytest.fixture
def four(db: None) -> list[User]:
    return people("Ada Bo Cleo Dan")


def code(function: Any, *arguments: Any) -> str:
    """The code with which something is refused."""
    with pytest.raises(Refused) as caught:
        function(*arguments)
    assert caught.value.words
    return caught.value.code


class TestPlan:
    @pytest.mark.parametrize(
        ("columns", "refusal"),
        [
            ({"rated": True}, "simul-casual"),
            ({"clock": ""}, "simul-clock"),
            ({"host_seat": "third"}, "bad-host-seat"),
            ({"extra_minutes": 91}, "bad-extra"),
            ({"lowest_rating": 1600, "highest_rating": 1500}, "bad-range"),
            ({"computer": 99}, "bad-level"),
        ],
    )
    def test_refused(self, ulno: User, columns: dict[str, Any], refusal: str) -> None:
        assert code(organising.create, ulno, plan("simul", **columns), command()) == refusal

    def test_a_computer_needs_no_clock(self, ulno: User) -> None:
        assert organising.create(ulno, plan("simul", clock="", computer=8), command()).state == State.OPEN


class TestEntry:
    def test_the_host_cannot_enter(self, ulno: User) -> None:
        tournament = entered(ulno, [], "simul")
        assert code(entries.enter, ulno, tournament.pk, "", command()) == "host"

    def test_the_organiser_can_play_the_computer(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, [ulno, *four], "simul", computer=1)
        assert len(matches_of(tournament)) == 5

    def test_an_entrant_who_becomes_the_host_has_no_board(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, [ulno, *four], "simul", computer=1)
        organising.change(ulno, tournament.pk, changes(computer=0), command())
        organising.start(ulno, tournament.pk, command())
        look(tournament)
        assert len(matches_of(tournament)) == 4

    def test_ratings_limit_who_enters_a_casual_simul(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, [], "simul", highest_rating=1600)
        rated = {"game": "kalah", "family": "circle", "pool": "two", "rating": 1700, "deviation": 80}
        Rating.objects.create(user=four[0], **rated, volatility=0.06, updated=timezone.now())
        assert code(entries.enter, four[0], tournament.pk, "", command()) == "out-of-range"
        entries.enter(four[1], tournament.pk, "", command())

    def test_only_members_enter_the_simul_of_a_club(self, ulno: User, four: list[User]) -> None:
        club = club_of(ulno, *four[:2])
        tournament = entered(ulno, four[:2], "simul", club_id=club.pk)
        assert code(entries.enter, four[2], tournament.pk, "", command()) == "members-only"

    def test_a_simul_has_so_many_boards(
        self, ulno: User, four: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(simul, "MOST", 3)
        tournament = entered(ulno, four[:3], "simul")
        assert code(entries.enter, four[3], tournament.pk, "", command()) == "full"

    def test_who_comes_back_needs_a_board_like_everybody(
        self, ulno: User, four: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(simul, "MOST", 3)
        ada, dan = four[0], four[3]
        simple, chosen = entered(ulno, four[:3], "simul"), entered(ulno, four[:3], "simul", host_admits=True)
        organising.admit(ulno, chosen.pk, "", True, command())
        for tournament in (simple, chosen):
            entries.withdraw(ada, tournament.pk, command())
            entries.enter(dan, tournament.pk, "", command())
        assert code(entries.enter, ada, simple.pk, "", command()) == "full"
        organising.admit(ulno, chosen.pk, "Dan", True, command())
        entries.enter(ada, chosen.pk, "", command())
        assert tournaments.admitted(chosen).count() == 3

    def test_nobody_enters_later(self, ulno: User, artjom: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "simul")
        assert code(entries.enter, artjom, tournament.pk, "", command()) == "no-late-entry"


class TestAdmission:
    def test_the_host_chooses(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four, "simul", host_admits=True)
        assert code(organising.start, ulno, tournament.pk, command()) == "too-few-players"
        for name in ("Ada", "Bo", "Cleo"):
            organising.admit(ulno, tournament.pk, name, True, command())
        organising.admit(ulno, tournament.pk, "Bo", False, command())
        organising.start(ulno, tournament.pk, command())
        look(tournament)
        assert {name for table in seated(tournament, 1) for name in table} == {"Ulno", "Ada", "Cleo"}
        assert tournament.entrants.filter(withdrawn__isnull=False).count() == 2

    def test_all_are_let_in_as_far_as_there_are_boards(
        self, ulno: User, four: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(simul, "MOST", 3)
        tournament = entered(ulno, four, "simul", host_admits=True)
        organising.admit(ulno, tournament.pk, "", True, command())
        assert tournaments.admitted(tournament).count() == 3
        assert code(organising.admit, ulno, tournament.pk, "Dan", True, command()) == "full"

    def test_refused(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four[:3], "simul", host_admits=True)
        assert code(organising.admit, four[0], tournament.pk, "", True, command()) == "not-organiser"
        assert code(organising.admit, ulno, tournament.pk, "Dan", True, command()) == "unknown-entrant"
        organising.admit(ulno, tournament.pk, "", True, command())
        organising.start(ulno, tournament.pk, command())
        assert code(organising.admit, ulno, tournament.pk, "Bo", False, command()) == "started"
        swiss = entered(ulno, four)
        assert code(organising.admit, ulno, swiss.pk, "", True, command()) == "no-host"


class TestPlay:
    def test_the_host_plays_everybody_to_the_end(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "simul", host_seat="first", extra_minutes=20)
        assert {match.clock for match in matches_of(tournament)} == {"5+3 20@0"}
        play_round(tournament, [0, 0, 1, 0])
        tournament = look(tournament)
        known = sheet.read(tournament)
        assert (tournament.state, known.score) == (State.FINISHED, Score(3, 1))
        assert tables.victory(known, known.standings()) == "Ulno: 3 to 1"
        assert [line.rank for line in known.standings()] == [1, 2, 2, 2]
        assert verification.breaches(tournament) == []

    def test_the_sides_alternate_with_the_clock_of_the_host(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "simul", extra_minutes=5)
        assert [clock.parse(match.clock).host for match in matches_of(tournament)] == [0, 1, 0, 1]

    def test_a_level_of_the_computer_is_the_host(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "simul", computer=8, host_seat="first", clock="")
        boards = matches_of(tournament)
        assert {match.seatings.get(seat=0).level for match in boards} == {8}
        assert all(match.bot_due is not None for match in boards)
        play_round(tournament, [0, 1, 0, 0])
        known = sheet.read(look(tournament))
        assert known.score == Score(3, 1)
        assert known.standings()[0].rank == 1

    def test_a_player_who_is_removed_loses_the_board_only(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "simul")
        organising.remove(ulno, tournament.pk, "Bo", "Rude", command())
        assert sheet.read(tournament).score == Score(1, 0)
        assert code(organising.remove, ulno, tournament.pk, "Ulno", "Rude", command()) == "unknown-entrant"
        assert code(entries.withdraw, ulno, tournament.pk, command()) == "not-entered"

    def test_the_boards_of_a_host_without_an_account_are_lost(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "simul")
        deletion.forget(ulno.pk)
        tournament = look(tournament)
        assert (tournament.state, sheet.read(tournament).score) == (State.FINISHED, Score(0, 4))

    @pytest.mark.parametrize(("host_seat", "minutes"), [("first", 25), ("second", 5)])
    def test_a_first_move_has_the_time_of_its_clock(
        self, ulno: User, four: list[User], host_seat: str, minutes: int
    ) -> None:
        tournament = begun(ulno, four, "simul", host_seat=host_seat, extra_minutes=20)
        for match in matches_of(tournament):
            assert match.deadline is not None
            assert round((match.deadline - match.created) / timedelta(minutes=1)) == minutes


class TestNews:
    def test_the_host_is_told_once(self, ulno: User, four: list[User]) -> None:
        hook = Hook.objects.create(
            user=ulno, url="https://push.example/1", events=["notice"], secret="s" * 32
        )
        Device.objects.create(hook=hook, name="Phone", p256dh="key", auth="secret")
        begun(ulno, four, "simul")
        assert hook.deliveries.count() == 1
        told = greeting.greeting(ulno.pk)
        assert (told["next"], len(told["waiting"])) == ([], 2)
        assert [each["table"] for each in greeting.greeting(four[1].pk)["next"]] == [2]

    def test_a_program_of_the_host_hears_of_every_board(self, ulno: User, four: list[User]) -> None:
        hook = Hook.objects.create(
            user=ulno, url="https://program.example/1", events=["tournament.round"], secret="s" * 32
        )
        begun(ulno, four, "simul")
        assert hook.deliveries.count() == 4


class TestHosting:
    def test_the_boards_that_wait_come_first(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "simul", host_seat="first")
        first, second, _third, _fourth = matches_of(tournament)
        win(second, 0)
        finished.play(first, "1")
        hosted = hosting.hosted_by(ulno, tournament)
        assert hosted is not None
        shown = [(board.number, board.waits, board.result) for board in hosted.boards]
        assert shown == [(3, True, ""), (4, True, ""), (1, False, ""), (2, False, "1 : 0")]
        assert hosted.score == "1 to 0"

    def test_the_host_is_led_to_the_board_that_waits(
        self, ulno: User, four: list[User], client: Client
    ) -> None:
        tournament = begun(ulno, four, "simul", host_seat="first")
        address = reverse("tournament-boards", args=[tournament.pk])
        client.force_login(ulno)
        first = matches_of(tournament)[0]
        assert client.get(address).headers["Location"] == first.get_absolute_url()
        play_round(tournament)
        look(tournament)
        assert client.get(address).headers["Location"] == tournament_page(tournament)

    def test_the_host_is_never_told_to_be_late(self, ulno: User, four: list[User], client: Client) -> None:
        tournament = begun(ulno, four, "simul")
        client.force_login(ulno)
        page = client.get(tournament_page(tournament)).content.decode()
        assert "You are the host" in page
        assert reverse("tournament-boards", args=[tournament.pk]) in page

    def test_only_the_host_sees_the_boards(self, ulno: User, four: list[User], client: Client) -> None:
        tournament = begun(ulno, four, "simul")
        address, match = reverse("tournament-boards", args=[tournament.pk]), matches_of(tournament)[0]
        for user in (four[0], four[1], None):
            if user is None:
                client.logout()
            else:
                client.force_login(user)
            assert client.get(address).headers["Location"] == tournament_page(tournament)
            assert 'id="simul"' not in client.get(match.get_absolute_url()).content.decode()
        client.force_login(ulno)
        assert 'id="simul"' in client.get(match.get_absolute_url()).content.decode()


def tournament_page(tournament: Tournament) -> str:
    return reverse("tournament", args=[tournament.pk])


class TestPages:
    def test_the_result_is_told_everywhere(self, ulno: User, four: list[User], client: Client) -> None:
        tournament = begun(ulno, four, "simul", extra_minutes=20)
        win(matches_of(tournament)[0], 0)
        for name in ("tournament", "tournament-wall"):
            assert "1 to 0" in client.get(reverse(name, args=[tournament.pk])).content.decode()
        assert "1 to 0" in client.get(reverse("tournaments")).content.decode()
        told = client.get(f"/api/v1/tournaments/{tournament.pk}").json()
        assert (told["score"], told["host_seat"], told["extra_minutes"]) == ([1, 0], "alternating", 20)
        (listed,) = client.get("/api/v1/tournaments").json()["tournaments"]
        assert listed["score"] == [1, 0]
        stored = client.get(reverse("tournament-json", args=[tournament.pk])).json()
        assert stored["tournament"]["score"] == [1, 0]
        assert "Dan,0" in client.get(reverse("tournament-csv", args=[tournament.pk])).content.decode()

    def test_the_page_names_the_host_and_offers_no_entry(
        self, ulno: User, four: list[User], client: Client
    ) -> None:
        tournament = entered(ulno, four, "simul", host_admits=True)
        client.force_login(ulno)
        page = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
        assert "Host: Ulno" in page
        assert "Let all in" in page
        assert reverse("tournament-enter", args=[tournament.pk]) not in page
        client.force_login(four[0])
        page = client.get(reverse("tournament", args=[tournament.pk])).content.decode()
        assert "The host has not chosen you yet." in page
        assert "Let all in" not in page
