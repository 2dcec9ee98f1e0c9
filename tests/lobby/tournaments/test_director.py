"""The steps of a tournament: pairing, matches, forfeits and the end."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from io import StringIO
from itertools import count
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.domain.match_actions import ABORTED, Act
from games.models import Match, Ply
from games.net.hub import hub
from games.net.measures import measures
from games.net.threads import in_thread
from games.play.matches import matches
from games.rules.base import Leave
from lobby.accounts import deletion
from lobby.moderation import moderation
from lobby.people import relationships
from lobby.people.models import User
from lobby.ratings import results
from lobby.ratings.models import Result
from lobby.tournaments import entries, next_matches, organising, pairings, refusals, sheet, tournaments
from lobby.tournaments.director import LEASE, STEP_AFTER, TICK_SECONDS, director, renew, rest, take
from lobby.tournaments.formats.base import Kind
from lobby.tournaments.models import Pairing, Tournament
from tests.helpers import finished
from tests.helpers.tournaments import (
    CANTSTOP,
    begun,
    command,
    entered,
    look,
    matches_of,
    people,
    play_round,
    seated,
    win,
)

pytestmark = pytest.mark.django_db
State = Tournament.State
AFTER = timedelta(hours=2)


@pytest.fixture
def four(db: None) -> list[User]:
    return people("Ada Bo Cleo Dan")


def players(tournament: Tournament, round: int) -> set[str]:
    """The names of those who were paired in a round."""
    return {name for table in seated(tournament, round) for name in table}


def points(tournament: Tournament) -> dict[str, float]:
    """The points of the players, by name."""
    known = sheet.read(tournament)
    return {known.entrants[line.player].user.username: line.points for line in known.standings()}


def taken(now: datetime) -> str | None:
    """The tournament that a director takes now, which then dies."""
    lease = take(now)
    return None if lease is None else lease.tournament_id


class Died(Exception):
    """A process has died."""


def look_and_die(tournament: Tournament, number: int) -> bool:
    """A director looks at a tournament and dies at its nth write; returns whether there was one."""
    writes = count()

    def execute(execute: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")) and next(writes) == number:
            raise Died
        return execute(sql, *arguments)

    with connection.execute_wrapper(execute), suppress(Died):
        look(tournament)
        return False
    return True


class TestRounds:
    def test_a_tournament_is_played_to_its_end(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        for _ in range(3):
            play_round(tournament)
            tournament = look(tournament)
        assert (tournament.state, Match.objects.count()) == (State.FINISHED, 6)
        assert sum(points(tournament).values()) == 6
        assert sheet.read(tournament).open == []

    def test_a_round_waits_for_its_last_match(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        win(matches_of(tournament)[0])
        look(tournament, later=AFTER)
        assert tournaments.last_round(tournament) == 1

    def test_the_organiser_is_told_which_table_holds_a_round_up(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        first, second = matches_of(tournament)
        win(first)
        finished.play(second, "1")
        (table,) = pairings.holding_up(tournament)
        assert (table.round, table.table, table.match, table.status) == (1, 2, second.pk, "playing")
        assert table.to_move == [table.players[1]]

    def test_a_match_that_has_ended_counts_at_once(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        win(matches_of(tournament)[0], 1)
        assert points(tournament)[seated(tournament, 1)[0][1]] == 1

    def test_rounds_end_when_all_withdrew(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        for player in four:
            entries.withdraw(player, tournament.pk, command())
        play_round(tournament)
        assert look(tournament).state == State.FINISHED

    def test_a_pause_between_rounds(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, pause=10)
        play_round(tournament)
        tournament = look(tournament)
        assert (tournaments.last_round(tournament), tournament.next_round is None) == (1, False)
        tournament = look(tournament, later=timedelta(minutes=11))
        assert (tournaments.last_round(tournament), tournament.next_round) == (2, None)

    def test_the_organiser_pauses_and_goes_on(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        organising.pause(ulno, tournament.pk, True, command())
        play_round(tournament)
        look(tournament, later=AFTER)
        assert tournaments.last_round(tournament) == 1
        organising.pause(ulno, tournament.pk, False, command())
        look(tournament)
        assert tournaments.last_round(tournament) == 2

    @pytest.mark.parametrize("format", ["swiss", "round_robin", "knockout"])
    def test_a_paused_tournament_ends_with_its_last_round(
        self, ulno: User, four: list[User], format: str
    ) -> None:
        tournament = begun(ulno, four, format)
        for _ in range(len(four)):
            play_round(tournament)
            tournament = look(tournament)
            if tournaments.last_round(tournament) == sheet.form_of(tournament).rounds(
                len(four), sheet.options_of(tournament)
            ):
                break
        organising.pause(ulno, tournament.pk, True, command())
        assert look(tournament).state == State.RUNNING
        play_round(tournament)
        assert look(tournament).state == State.FINISHED

    @pytest.mark.parametrize("columns", [{}, {"pause": 10}])
    def test_a_pause_without_players_is_over(
        self, ulno: User, four: list[User], columns: dict[str, Any]
    ) -> None:
        tournament = begun(ulno, four, **columns)
        play_round(tournament)
        if not columns:
            organising.pause(ulno, tournament.pk, True, command())
        assert look(tournament).state == State.RUNNING
        for player in four:
            entries.withdraw(player, tournament.pk, command())
        assert look(tournament).state == State.FINISHED

    def test_tournament_begins_at_its_time(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four, starts=timezone.now() + timedelta(hours=1))
        assert look(tournament).state == State.OPEN
        assert look(tournament, later=AFTER).state == State.RUNNING

    def test_tournament_cancelled_at_its_time_without_players(self, ulno: User) -> None:
        tournament = entered(ulno, [], starts=timezone.now() + timedelta(hours=1))
        assert look(tournament, later=AFTER).state == State.CANCELLED

    def test_tables_of_four_are_scored_by_place(self, ulno: User, four: list[User]) -> None:
        kind = {"game": "cantstop", "options": CANTSTOP, "seats": 4, "rounds": 1}
        tournament = begun(ulno, four, "tables", **kind)
        (match,) = matches_of(tournament)
        finished.play(match, Leave(1), Leave(0), Leave(2))
        told = sheet.read(tournament).pairings[0].points
        assert told is not None
        assert told[3] == 1
        assert sum(told) == 2


class TestForfeits:
    def test_forfeit_of_absent_player(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        finished.play(matches_of(tournament)[0], Act(ABORTED, 0))
        told = sheet.read(tournament).pairings[0]
        assert (told.kind, told.points, told.met) == (Kind.FORFEIT, (0, 1), False)

    def test_forfeit_of_both_absent_players(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        first, second = matches_of(tournament)
        finished.play(first, Act(ABORTED, 0))
        finished.play(second, Act(ABORTED, 0))
        (_, there), _ = seated(tournament, 1)
        look(tournament, online=[User.objects.get(username=there)])
        told = [pairing.points for pairing in sheet.read(tournament).pairings[:2]]
        assert told == [(0, 1), (0, 0)]

    def test_forfeit_not_applied_to_correspondence(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "round_robin", clock="3d")
        match, _ = matches_of(tournament)
        assert match.deadline is not None
        assert abs(match.deadline - match.created - timedelta(days=3)) < timedelta(seconds=1)
        finished.play(match, Leave(0, "time"))
        tournament = look(tournament, online=[], later=timedelta(days=3))
        told = sheet.read(tournament).pairings[0]
        assert (told.kind, told.points) == (Kind.PLAYED, (0, 1))

    def test_leaving_before_the_first_move_loses_too(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        finished.play(matches_of(tournament)[0], Leave(1))
        assert sheet.read(tournament).pairings[0].points == (1, 0)

    def test_removed_player_loses_current_match_only(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        play_round(tournament)
        look(tournament)
        before = sheet.read(tournament).pairings[:2]
        organising.remove(ulno, tournament.pk, "Ada", "Unkind", command())
        known = sheet.read(tournament)
        assert known.pairings[:2] == before
        (open_table,) = known.open
        ada = next(pk for pk, entrant in known.entrants.items() if entrant.user.username == "Ada")
        assert ada not in open_table.seats

    def test_a_banned_player_is_not_paired_and_holds_nothing_up(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        moderation.ban(ulno, four[0], "Insults")
        tournament = look(tournament)
        play_round(tournament)
        look(tournament)
        assert "Ada" not in players(tournament, 2)

    def test_a_deleted_account_is_not_paired_and_holds_nothing_up(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        deletion.forget(four[0].pk)
        tournament = look(tournament)
        play_round(tournament)
        look(tournament)
        assert f"deleted-{four[0].pk}" not in players(tournament, 2)

    def test_withdrawn_player_forfeits_paired_match(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four)
        organising.start(ulno, tournament.pk, command())
        known = sheet.read(tournament)
        new = known.form.pair(known.players, known.pairings, known.options)
        pairings.store(tournament, new, timezone.now())
        entries.withdraw(four[0], tournament.pk, command())
        look(tournament)
        assert Match.objects.count() == 1

    def test_a_faster_match_decides_after_a_draw(self) -> None:
        assert [pairings.faster(each) for each in ("15+10", "3+2", "2+1", "3d", "")] == [
            *("3+2", "1+0", "1+0"),
            *("3d", ""),
        ]


class TestAbsence:
    """Whoever misses a match is not paired until they are back."""

    def wave(self, tournament: Tournament, online: list[User], *asleep: User) -> None:
        """Those who are there play their matches, and those who sleep miss theirs."""
        for match in matches_of(tournament):
            if match.status == Match.Status.PLAYING:
                seats = match.seatings.filter(user__in=asleep).values_list("seat", flat=True)
                if seats:
                    finished.play(match, Act(ABORTED, seats[0]))
                else:
                    win(match)
        look(tournament, online=online)

    def away(self, tournament: Tournament) -> dict[str, int]:
        """The names of those who are away, and how many matches they have missed."""
        rows = tournament.entrants.exclude(away=None)
        return dict(rows.values_list("user__username", "missed"))

    def back(self, tournament: Tournament, user: User) -> None:
        entries.enter(user, tournament.pk, "", command())

    def test_absent_player_in_small_arena_not_paired_again(self, ulno: User, four: list[User]) -> None:
        cleo = four[2]
        tournament = begun(ulno, four[:3], "arena")
        for _ in range(6):
            self.wave(tournament, four[:3], cleo)
        matches = Match.objects.filter(seatings__user=cleo)
        assert matches.count() == 1
        assert self.away(tournament) == {"Cleo": 1}
        self.back(tournament, cleo)
        assert self.away(tournament) == {}
        for _ in range(6):
            self.wave(tournament, four[:3], cleo)
        assert matches.count() == 2
        assert tournament.entrants.get(user=cleo).withdrawn is not None

    def test_absent_player_withdrawn_can_return(self, ulno: User, four: list[User]) -> None:
        bo = four[1]
        tournament = begun(ulno, four[:2], "arena")
        self.wave(tournament, four[:2], bo)
        self.back(tournament, bo)
        look(tournament, online=four[:2])
        self.wave(tournament, four[:2], bo)
        assert tournament.entrants.get(user=bo).withdrawn is not None
        assert look(tournament, online=four[:2]).state == State.RUNNING
        self.back(tournament, bo)
        look(tournament, online=four[:2])
        win(matches_of(tournament)[0])
        look(tournament, online=four[:2])
        entrant = tournament.entrants.get(user=bo)
        assert (entrant.withdrawn, entrant.away, entrant.missed) == (None, None, 0)

    def test_absent_player_in_swiss_not_paired_until_back(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, [*four, *people("Eve Finn")], rounds=4)
        self.wave(tournament, [], four[0])
        assert self.away(tournament) == {"Ada": 1}
        assert "Ada" not in players(tournament, 2)
        self.back(tournament, four[0])
        self.wave(tournament, [])
        assert "Ada" in players(tournament, 3)
        assert points(tournament)["Ada"] == 0

    def test_absent_player_in_round_robin_forfeits_until_back(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "round_robin")
        self.wave(tournament, [], four[0])
        of_round = [each for each in sheet.read(tournament).pairings if each.round == 2]
        assert {each.reason for each in of_round} == {"schedule", "away"}
        self.back(tournament, four[0])
        self.wave(tournament, [])
        assert len(matches_of(tournament, 3)) == 2
        # What was played before counts.
        assert sheet.read(tournament).standings()[0].points == 2

    def test_rounds_of_tables_leave_a_sleeper_out(self, ulno: User, four: list[User]) -> None:
        kind = {"game": "cantstop", "options": CANTSTOP, "seats": 4, "rounds": 3}
        tournament = begun(ulno, [*four, *people("Eve Finn")], "tables", **kind)
        sleeper = User.objects.get(username=seated(tournament, 1)[0][0])
        for match in matches_of(tournament):
            seat = match.seatings.filter(user=sleeper).values_list("seat", flat=True).first()
            finished.play(match, *([Act(ABORTED, seat)] if seat is not None else [Leave(0), Leave(1)]))
        look(tournament)
        assert self.away(tournament) == {sleeper.username: 1}
        assert sleeper.username not in players(tournament, 2)

    def test_absent_player_noted_in_correspondence(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "round_robin", clock="3d")
        finished.play(matches_of(tournament)[0], Leave(0, "time"))
        look(tournament)
        assert self.away(tournament) == {seated(tournament, 1)[0][0]: 1}

    def test_present_player_who_moved_or_aborted_not_absent(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        first, second = matches_of(tournament)
        finished.play(first, Act(ABORTED, 0))
        Ply.objects.filter(match=first).update(command="by hand")
        finished.play(second, "1", "7", Leave(0, "time"))
        look(tournament)
        assert self.away(tournament) == {}

    def test_absent_players_all_tournament_continues(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        for match in matches_of(tournament):
            finished.play(match, Act(ABORTED, 0))
        look(tournament)
        assert len(self.away(tournament)) == 2
        first = User.objects.get(username=min(self.away(tournament)))
        self.wave(tournament, [], *four)
        assert look(tournament).state == State.RUNNING
        self.back(tournament, first)

    def test_absent_player_not_noted_in_knockout(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "knockout")
        self.wave(tournament, [], four[0])
        assert self.away(tournament) == {}

    def test_absent_player_withdrawn_or_removed_cannot_return(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "round_robin")
        self.wave(tournament, [], *four[:2])
        for sleeper in self.away(tournament):
            user = User.objects.get(username=sleeper)
            entries.withdraw(user, tournament.pk, command())
            with pytest.raises(refusals.NoLateEntry):
                self.back(tournament, user)

    def test_the_page_offers_the_way_back(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four[:3], "arena")
        self.wave(tournament, four[:3], four[2])
        self.wave(tournament, four[:3], four[2])
        assert self.away(tournament) == {"Cleo": 1}
        browser = Client()
        browser.force_login(four[2], backend="lobby.auth.backends.PasswordBackend")
        address = f"/tournament/{tournament.pk}"
        assert "You missed your match" in browser.get(address).content.decode()
        page = browser.post(f"{address}/enter", {"key": command()}, follow=True).content.decode()
        assert "You missed your match" not in page
        assert "You are in." in page


class TestOddChair:
    def test_a_computer_player_takes_it(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four[:3], computer=1)
        tables = seated(tournament, 1)
        assert [len(table) for table in tables] == [2, 2]
        known = sheet.read(tournament)
        assert (len(known.players), len(known.standings())) == (3, 3)
        (match,) = [match for match in matches_of(tournament) if match.seatings.filter(level=1).exists()]
        assert not match.rated


class TestArena:
    def test_arena_pairs_present_players_only(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four, "arena")
        organising.start(ulno, tournament.pk, command())
        look(tournament, online=four[1:3])
        (table,) = seated(tournament, 1)
        assert {*table} == {"Bo", "Cleo"}

    def test_two_who_wait_are_paired_again_and_again(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four[:2], "arena")
        for _ in range(2):
            play_round(tournament)
            look(tournament, online=four[:2])
        assert tournaments.last_round(tournament) == 3

    def test_people_who_blocked_each_other_are_not_paired(self, ulno: User, four: list[User]) -> None:
        relationships.block(four[0], four[1])
        relationships.block(four[2], four[0])
        tournament = begun(ulno, four, "arena")
        assert {frozenset(table) for table in seated(tournament, 1)} == {
            frozenset({"Ada", "Dan"}),
            frozenset({"Bo", "Cleo"}),
        }
        alone = begun(ulno, four[:2], "arena")
        assert seated(alone, 1) == []

    def test_a_match_that_ends_after_the_time_counts(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four[:2], "arena")
        assert look(tournament, online=four, later=AFTER).state == State.RUNNING
        win(matches_of(tournament)[0], 1)
        tournament = look(tournament, online=four, later=AFTER)
        assert tournament.state == State.FINISHED
        assert sorted(points(tournament).values()) == [0, 2]
        assert Match.objects.count() == 1

    def test_a_paused_arena_pairs_nobody_and_ends_at_its_time(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four, "arena")
        organising.start(ulno, tournament.pk, command())
        organising.pause(ulno, tournament.pk, True, command())
        assert look(tournament, online=four).state == State.RUNNING
        assert look(tournament, online=four, later=AFTER).state == State.FINISHED
        assert Match.objects.count() == 0


class TestNothingIsLostOrDoubled:
    def test_a_repeated_step_makes_nothing_twice(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        for _ in range(3):
            look(tournament)
        assert (Pairing.objects.count(), Match.objects.count()) == (2, 2)

    def test_a_process_dies_before_the_matches_are_made(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four)
        organising.start(ulno, tournament.pk, command())
        known = sheet.read(tournament)
        new = known.form.pair(known.players, known.pairings, known.options)
        pairings.store(tournament, new, timezone.now())
        look(tournament)
        assert (Pairing.objects.count(), Match.objects.count()) == (2, 2)

    def test_a_process_dies_at_any_write(self, ulno: User, four: list[User], settings: Any) -> None:
        settings.TOURNAMENTS_PER_PERSON = 100
        for number in count():
            tournament = begun(ulno, four)
            play_round(tournament)
            died = look_and_die(tournament, number)
            look(tournament)
            assert len(matches_of(tournament, 1)) == len(matches_of(tournament, 2)) == 2
            assert tournament.pairings.count() == 4
            if not died:
                break
        assert number > 5

    def test_one_process_has_the_lease(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        now = timezone.now()
        assert [taken(now), taken(now)] == [tournament.pk, None]
        assert taken(now + LEASE) == tournament.pk

    def test_a_tournament_of_a_process_that_died_goes_on_within_five_seconds(
        self, ulno: User, four: list[User]
    ) -> None:
        tournament = begun(ulno, four)
        now = timezone.now()
        assert taken(now) == tournament.pk
        assert taken(now + timedelta(seconds=5) - timedelta(seconds=TICK_SECONDS)) == tournament.pk

    def test_a_lease_is_renewed_during_a_long_step(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        now = timezone.now()
        lease = take(now)
        assert lease is not None
        assert renew(lease, now + LEASE / 2)
        assert taken(now + LEASE) is None
        rest(lease, now + LEASE)
        assert taken(now + LEASE + STEP_AFTER) == tournament.pk

    def test_a_lease_that_was_lost_is_not_renewed(self, ulno: User, four: list[User]) -> None:
        begun(ulno, four)
        now = timezone.now()
        lease = take(now)
        assert lease is not None
        assert taken(now + LEASE) is not None
        assert not renew(lease, now + LEASE)

    def test_a_lease_ends_with_the_next_look(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        now = timezone.now()
        lease = take(now)
        assert lease is not None
        rest(lease, now)
        assert taken(now) is None
        assert taken(now + STEP_AFTER) == tournament.pk

    def test_step_keeps_tournament_due_again(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        now = timezone.now()
        lease = take(now)
        assert lease is not None
        entries.withdraw(four[0], tournament.pk, command())
        rest(lease, now)
        assert taken(timezone.now()) == tournament.pk


@pytest.mark.django_db(transaction=True)
class TestMatches:
    def test_the_end_of_a_match_makes_its_tournament_due(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        now = timezone.now()
        taken(now)
        match = win(matches_of(tournament)[0])
        results.settle(match.pk)
        assert taken(timezone.now()) == tournament.pk

    def test_a_step_that_fails_is_tried_again_soon_and_delays_no_other_tournament(
        self, ulno: User, four: list[User], caplog: pytest.LogCaptureFixture
    ) -> None:
        broken, other = entered(ulno, four), entered(ulno, four)
        for each in (broken, other):
            organising.start(ulno, each.pk, command())
        # What no match can be made of, and what a later version would understand.
        Tournament.objects.filter(pk=broken.pk).update(options={"unheard": "of"})
        for _ in range(2):
            async_to_sync(director.once)()
            Tournament.objects.filter(pk=broken.pk).update(due=timezone.now())
        assert [len(matches_of(each)) for each in (broken, other)] == [0, 2]
        told = [record for record in caplog.records if record.levelname == "ERROR"]
        assert [broken.pk in record.getMessage() for record in told] == [True]
        async_to_sync(director.once)()
        assert taken(timezone.now() + STEP_AFTER) is not None
        Tournament.objects.filter(pk=broken.pk).update(options=tournaments.find(other.pk).options)
        Tournament.objects.filter(pk=broken.pk).update(due=timezone.now())
        async_to_sync(director.once)()
        assert len(matches_of(broken)) == 2

    def test_a_decided_match_ends_without_a_result(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four, rated=True)
        organising.decide(ulno, tournament.pk, 1, 1, [1, 0], "Power cut", command())
        async_to_sync(director.direct)(tournament.pk, timezone.now())
        decided, other = matches_of(tournament)
        assert (decided.status, other.status) == ("finished", "playing")
        assert Ply.objects.get(match=decided).action == "stopped:0"
        results.settle(decided.pk)
        assert list(Result.objects.values_list("score", "missed")) == [("aborted", False)] * 2
        async_to_sync(matches.close)()

    def test_removed_player_at_table_of_four_others_play_on(self, ulno: User, four: list[User]) -> None:
        kind = {"game": "cantstop", "options": CANTSTOP, "seats": 4, "rounds": 1}
        tournament = begun(ulno, four, "tables", **kind)
        moderation.ban(ulno, four[0], "Insults")
        async_to_sync(director.direct)(tournament.pk, timezone.now())
        (match,) = matches_of(tournament)
        seat = match.seatings.get(user=four[0]).seat
        assert match.status == "playing"
        assert Ply.objects.get(match=match).action == f"left:{seat}:resigned"
        assert sheet.read(tournament).open != []
        async_to_sync(matches.close)()

    def test_players_are_told_of_their_match_on_all_pages(
        self, ulno: User, four: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[tuple[str, Any]] = []
        monkeypatch.setattr(hub, "announce", lambda topic, message: told.append((topic, message)))
        tournament = begun(ulno, four[:2], "arena")
        (match,), ((first, second),) = matches_of(tournament), seated(tournament, 1)
        one, other = (User.objects.get(username=name).pk for name in (first, second))
        there = f"person.{one}.en"
        (message,) = [m["next"] for topic, m in told if topic == there and m["type"] == "next-match"]
        assert (message["match"], message["round"], message["opponents"]) == (match.pk, 1, [second])
        assert 50_000 < message["left"] <= 60_000
        assert next_matches.next_matches(one)[0]["match"] == match.pk
        finished.play(match, "1")
        assert next_matches.next_matches(one) == []
        assert next_matches.next_matches(other) != []

    def test_pairing_announced_after_process_died(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        Pairing.objects.update(told=False)
        Match.objects.update(created=timezone.now() - AFTER)
        async_to_sync(director.direct)(tournament.pk, timezone.now())
        assert not Pairing.objects.filter(told=False).exists()

    def test_a_round_is_measured_when_it_is_paired(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        before = measures.waves
        for _ in range(2):
            async_to_sync(director.direct)(tournament.pk, timezone.now())
        assert measures.waves == before
        play_round(tournament)
        async_to_sync(director.direct)(tournament.pk, timezone.now())
        assert measures.waves == before + 1
        assert tournaments.running() == 1
        # It was never taken since it became due.
        assert tournaments.overdue(timezone.now() + AFTER) == 1

    async def test_two_processes_take_one_step(self, ulno: User, four: list[User]) -> None:
        tournament = await in_thread(entered)(ulno, four)
        await in_thread(organising.start)(ulno, tournament.pk, command())
        await asyncio.gather(*(in_thread(look)(tournament) for _ in range(4)))
        assert await Pairing.objects.acount() == 2
        assert await Match.objects.acount() == 2


class TestVerification:
    def test_verification_accepts_played_tournament(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        finished.play(matches_of(tournament)[0], Act(ABORTED, 0))
        play_round(tournament)
        said = StringIO()
        call_command("verify_tournament", tournament.pk, stdout=said)
        assert said.getvalue() == f"{tournament.pk}: 2 matches of 4 players replayed.\n"

    def test_an_outcome_that_is_not_that_of_the_plies(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        match = win(matches_of(tournament)[0], 0)
        Match.objects.filter(pk=match.pk).update(outcome=match.outcome.replace("[0]", "[1]"))
        with pytest.raises(CommandError, match="its outcome is another one"):
            call_command("verify_tournament", tournament.pk)

    def test_a_ply_that_was_changed(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        match = win(matches_of(tournament)[0])
        Ply.objects.filter(match=match, number=1).update(action="2")
        with pytest.raises(CommandError, match="ply 1, 2: the position after it is another one"):
            call_command("verify_tournament", tournament.pk)

    def test_a_tournament_that_does_not_exist(self) -> None:
        with pytest.raises(CommandError, match="no tournament"):
            call_command("verify_tournament", "nothing")
