"""Ladders: places, challenges, deadlines, and who may do what."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.domain.match_actions import ABORTED, Act
from games.domain.refusals import Refused
from games.models import Match
from games.net.limits import Buckets
from lobby.accounts import deletion
from lobby.clubs import clubs, members
from lobby.clubs.models import Club
from lobby.ladders import ladders
from lobby.ladders.ladders import MOST_DAYS, REACH
from lobby.ladders.models import ClubLadder, LadderChallenge, Rung
from lobby.people import relationships
from lobby.people.models import User
from lobby.tables import challenges as table_challenges
from lobby.tables import tables
from tests.helpers import finished
from tests.helpers.clubs import club_of
from tests.helpers.ladders import accepted, keep, ladder_of, last, order, plan, played
from tests.helpers.tournaments import command, people

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def five() -> list[User]:
    return people("Ada Bo Cleo Dan Eve")


@pytest.fixture
def club(five: list[User]) -> Club:
    return club_of(*five)


@pytest.fixture
def ladder(club: Club, five: list[User]) -> ClubLadder:
    return ladder_of(club, five[0], five)


def refused(service: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        service(*arguments, command())
    return caught.value.code


class TestPlaces:
    def test_who_joins_gets_the_last_place_once(self, ladder: ClubLadder, five: list[User]) -> None:
        ladders.join(five[1], ladder.pk, command())
        assert order(ladder) == "Ada Bo Cleo Dan Eve"

    def test_who_leaves_makes_room(self, ladder: ClubLadder, five: list[User]) -> None:
        ladders.leave(five[1], ladder.pk, command())
        assert order(ladder) == "Ada Cleo Dan Eve"

    def test_challenger_who_wins_takes_the_place(self, ladder: ClubLadder, five: list[User]) -> None:
        _ada, bo, _cleo, _dan, eve = five
        over = played(ladder, eve, bo, eve)
        assert order(ladder) == "Ada Eve Bo Cleo Dan"
        assert (over.ending, over.won, over.place) == ("played", True, 2)

    def test_challenged_who_wins_stays(self, ladder: ClubLadder, five: list[User]) -> None:
        over = played(ladder, five[4], five[1], five[1])
        assert order(ladder) == "Ada Bo Cleo Dan Eve"
        assert over.won is False

    def test_a_match_without_a_result_is_lost_by_who_did_not_come(
        self, ladder: ClubLadder, five: list[User]
    ) -> None:
        accepted(ladder, five[2], five[1])
        ladders.play(five[2], ladder.pk, command())
        ladders.play(five[1], ladder.pk, command())
        match = last(ladder).match
        assert match is not None
        seat = match.seatings.get(user=five[1]).seat
        finished.play(match, Act(ABORTED, seat))
        keep()
        assert order(ladder) == "Ada Cleo Bo Dan Eve"


class TestChallenges:
    def test_only_up_to_three_places_above(self, ladder: ClubLadder, five: list[User]) -> None:
        ada, _bo, cleo, dan, eve = five
        assert REACH == 3
        assert refused(ladders.challenge, eve, ladder.pk, "Ada") == "out-of-reach"
        assert refused(ladders.challenge, cleo, ladder.pk, "Dan") == "out-of-reach"
        assert refused(ladders.challenge, cleo, ladder.pk, "Cleo") == "out-of-reach"
        ladders.challenge(dan, ladder.pk, "Ada", command())
        assert last(ladder).defender == ada

    def test_nobody_is_in_two(self, ladder: ClubLadder, five: list[User]) -> None:
        _ada, bo, cleo, dan, eve = five
        ladders.challenge(dan, ladder.pk, "Cleo", command())
        assert refused(ladders.challenge, dan, ladder.pk, "Bo") == "in-challenge"
        assert refused(ladders.challenge, cleo, ladder.pk, "Bo") == "in-challenge"
        assert refused(ladders.challenge, eve, ladder.pk, "Dan") == "they-are-in-challenge"
        ladders.challenge(eve, ladder.pk, "Bo", command())
        assert ladders.may_challenge(ladder, bo.pk) == set()

    def test_a_lost_challenge_rests_for_a_week(self, ladder: ClubLadder, five: list[User]) -> None:
        _ada, bo, cleo, _dan, _eve = five
        over = played(ladder, cleo, bo, bo)
        assert refused(ladders.challenge, cleo, ladder.pk, "Bo") == "too-soon"
        assert ladders.may_challenge(ladder, cleo.pk) == {five[0].pk}
        LadderChallenge.objects.filter(pk=over.pk).update(ended=timezone.now() - 8 * DAY)
        ladders.challenge(cleo, ladder.pk, "Bo", command())

    def test_not_between_people_with_a_block(self, ladder: ClubLadder, five: list[User]) -> None:
        relationships.block(five[1], five[2])
        assert refused(ladders.challenge, five[2], ladder.pk, "Bo") == "blocked"

    def test_declined_and_unanswered_ones_are_won(self, ladder: ClubLadder, five: list[User]) -> None:
        _ada, bo, cleo, _dan, eve = five
        ladders.challenge(cleo, ladder.pk, "Bo", command())
        ladders.answer(bo, ladder.pk, False, command())
        assert order(ladder) == "Ada Cleo Bo Dan Eve"
        ladders.challenge(eve, ladder.pk, "Cleo", command())
        keep(timezone.now() + 3 * DAY - timedelta(minutes=1))
        assert last(ladder).ended is None
        keep(timezone.now() + 3 * DAY + timedelta(minutes=1))
        assert order(ladder) == "Ada Eve Cleo Bo Dan"
        assert last(ladder).ending == "unanswered"

    def test_nobody_is_notified_without_end(
        self, ladder: ClubLadder, five: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(table_challenges, "of_pair", Buckets(rate=0.001, burst=2))
        _ada, bo, cleo, _dan, eve = five
        for _again in range(2):
            ladders.challenge(eve, ladder.pk, "Dan", command())
            ladders.withdraw(eve, ladder.pk, command())
        assert refused(ladders.challenge, eve, ladder.pk, "Dan") == "too-many-challenges"
        accepted(ladder, cleo, bo)
        table = ladders.play(cleo, ladder.pk, command())
        assert table is not None
        tables.cancel(table)
        assert refused(ladders.play, cleo, ladder.pk) == "too-many-challenges"

    def test_withdrawn_as_long_as_it_is_not_answered(self, ladder: ClubLadder, five: list[User]) -> None:
        _ada, bo, cleo, _dan, _eve = five
        ladders.challenge(cleo, ladder.pk, "Bo", command())
        assert refused(ladders.withdraw, bo, ladder.pk) == "no-challenge"
        ladders.withdraw(cleo, ladder.pk, command())
        accepted(ladder, cleo, bo)
        assert refused(ladders.withdraw, cleo, ladder.pk) == "no-challenge"
        assert refused(ladders.answer, bo, ladder.pk, False) == "no-challenge"

    @pytest.mark.parametrize(("asking", "expected"), [(2, "Ada Cleo Bo Dan Eve"), (1, ""), (None, "")])
    def test_an_unplayed_one_is_won_by_the_only_one_who_invited(
        self, ladder: ClubLadder, five: list[User], asking: int | None, expected: str
    ) -> None:
        before = order(ladder)
        accepted(ladder, five[2], five[1])
        if asking is not None:
            ladders.play(five[asking], ladder.pk, command())
        keep(timezone.now() + 8 * DAY)
        assert last(ladder).ending == "unplayed"
        assert order(ladder) == (expected or before)

    def test_a_match_in_play_goes_on_beyond_the_time(self, ladder: ClubLadder, five: list[User]) -> None:
        accepted(ladder, five[2], five[1])
        ladders.play(five[2], ladder.pk, command())
        ladders.play(five[1], ladder.pk, command())
        keep(timezone.now() + 8 * DAY)
        assert last(ladder).ended is None

    def test_with_days_per_move_the_match_begins_with_the_answer(self, club: Club, five: list[User]) -> None:
        ladder = ladder_of(club, five[0], five, clock="3d", rated=True)
        match = accepted(ladder, five[2], five[1]).match
        assert match is not None
        assert (match.clock, match.rated, match.status) == ("3d", True, Match.Status.PLAYING)
        again = ladders.play(five[2], ladder.pk, command())
        assert again is not None
        assert again.match == match

    def test_who_leaves_ends_it(self, ladder: ClubLadder, five: list[User]) -> None:
        accepted(ladder, five[2], five[1])
        ladders.leave(five[1], ladder.pk, command())
        assert (last(ladder).ending, last(ladder).won) == ("left", None)
        assert order(ladder) == "Ada Cleo Dan Eve"

    def test_the_keeper_acts_once(self, ladder: ClubLadder, five: list[User]) -> None:
        over = played(ladder, five[4], five[1], five[4])
        ladders.settle(over.pk, timezone.now())
        keep()
        assert order(ladder) == "Ada Eve Bo Cleo Dan"


class TestIdle:
    def test_idle_people_fall_by_one_place(self, ladder: ClubLadder, five: list[User]) -> None:
        Rung.objects.filter(user=five[1]).update(due=timezone.now() - DAY)
        keep()
        assert order(ladder) == "Ada Cleo Bo Dan Eve"
        keep()
        assert order(ladder) == "Ada Cleo Bo Dan Eve"

    def test_nobody_falls_who_is_in_a_challenge_or_on_the_last_place(
        self, ladder: ClubLadder, five: list[User]
    ) -> None:
        ladders.challenge(five[2], ladder.pk, "Bo", command())
        Rung.objects.filter(user__in=[five[1], five[4]]).update(due=timezone.now() - DAY)
        keep()
        assert order(ladder) == "Ada Bo Cleo Dan Eve"

    def test_leaders_change_the_days(self, club: Club, ladder: ClubLadder, five: list[User]) -> None:
        ladders.set_up(five[0], club.pk, plan(idle_days=0), command())
        assert not Rung.objects.filter(due__isnull=False).exists()
        assert order(ladder) == "Ada Bo Cleo Dan Eve"


class TestOwners:
    def test_only_organisers_set_it_up(self, club: Club, five: list[User]) -> None:
        assert refused(ladders.set_up, five[1], club.pk, plan()) == "not-organiser"
        stranger = people("Zoe")[0]
        assert refused(ladders.set_up, stranger, club.pk, plan()) == "not-member"
        ladder = ladder_of(club, five[0], five[:1])
        assert refused(ladders.join, stranger, ladder.pk) == "not-member"
        assert refused(ladders.close, five[1], club.pk) == "not-organiser"

    def test_bad_plans_are_refused(self, club: Club, five: list[User]) -> None:
        for columns, code in (
            ({"clock": ""}, "untimed-ladder"),
            ({"clock": "7+99999"}, "bad-clock"),
            ({"answer_days": 0}, "bad-days"),
            ({"play_days": MOST_DAYS + 1}, "bad-days"),
            ({"idle_days": 1000}, "bad-days"),
            ({"game": "chess"}, "unknown-game"),
        ):
            assert refused(ladders.set_up, five[0], club.pk, plan(**columns)) == code

    def test_a_club_has_the_ladder_of_a_game_that_it_plays(self, club: Club, five: list[User]) -> None:
        clubs.change(five[0], club.pk, clubs.Charter(club.name, games=["cantstop"]), command())
        assert refused(ladders.set_up, five[0], club.pk, plan()) == "club-game"

    @pytest.mark.parametrize("go", ["leave", "remove", "delete"])
    def test_who_leaves_the_club_leaves_the_ladder(
        self, club: Club, ladder: ClubLadder, five: list[User], go: str
    ) -> None:
        accepted(ladder, five[2], five[1])
        if go == "leave":
            members.leave(five[1], club.pk, command())
        elif go == "remove":
            members.remove(five[0], club.pk, "Bo", "", command())
        else:
            deletion.forget(five[1].pk)
        assert order(ladder) == "Ada Cleo Dan Eve"
        assert last(ladder).ended is not None

    def test_it_ends_with_its_club(self, club: Club, ladder: ClubLadder, five: list[User]) -> None:
        clubs.dissolve(five[0], club.pk, command())
        assert not ClubLadder.objects.exists()
        assert refused(ladders.join, five[0], ladder.pk) == "unknown-club"

    def test_closing_deletes_it(self, ladder: ClubLadder, five: list[User]) -> None:
        ladders.close(five[0], ladder.pk, command())
        assert not Rung.objects.exists()
