"""Leaving often: what counts as a miss, and for how long rated matches are closed by several."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from games.domain import codec
from games.domain.match_actions import ABORTED, Act
from games.domain.refusals import RematchConduct
from games.play import signals
from games.registry import GAMES
from games.rules.base import Leave, Roll
from lobby.pairing import queue
from lobby.pairing.pairing_options import CLOCKS, Tile
from lobby.people.models import User
from lobby.ratings import conduct
from lobby.ratings.conduct import MAX_CLOSURE, MISS_LIFETIME, closed_until, misses
from lobby.ratings.models import Rating, Result
from lobby.ratings.rated import NotRated, may_play_rated
from lobby.ratings.results import settle
from lobby.tables import challenges
from lobby.tables.admission import check
from lobby.tables.tables import TableTerms, set_table, sit_down
from tests.helpers import finished

# Of today, since the database has a clock of its own.
NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
MINUTE = timedelta(minutes=1)
CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
RATED = TableTerms(rated=True)
SENTENCE = "You have left games recently. You can play rated games again in 15 minutes."


class TestWhatAMissIs:
    @pytest.mark.parametrize(
        ("plies", "who"),
        [
            ([("6", "c1"), ("left:1:resigned", "c2")], set()),
            ([("6", "c1"), ("left:1:time", None)], set()),
            ([(codec.action_text(Leave(1, "abandoned")), "c1")], {1}),
            ([("abandoned:1", "c1")], {1}),
            ([("aborted:0", None)], {0}),
            ([("aborted:0", "c1")], set()),
            ([("caretaker:2", "c1"), ("6", None)], {2}),
            ([("caretaker:2", "c1"), ("6", None), ("reclaimed:2", "c2")], set()),
            ([("caretaker:2", "c1"), ("reclaimed:2", "c2"), ("caretaker:2", "c3")], {2}),
            ([("agreed:0", "c1")], set()),
            ([("saved:0", "c1"), ("resumed:0", "c2"), ("left:0:resigned", "c3")], set()),
        ],
    )
    def test_misses_read_from_plies(self, plies, who):
        assert misses(plies) == who

    @pytest.mark.parametrize("command", [None, "c1"])
    def test_a_rated_match_is_not_aborted_for_nothing(self, command):
        assert misses([("6", "c0"), ("aborted:1", command)], rated=True) == {1}


class TestForHowLong:
    def closed(self, *ago, now=NOON):
        return closed_until([NOON - each for each in ago], now)

    def test_a_single_miss_costs_nothing(self):
        assert self.closed(timedelta(0)) is None

    @pytest.mark.parametrize(("number", "minutes"), [(2, 15), (3, 30), (4, 60), (5, 120), (8, 960)])
    def test_every_further_one_doubles_the_time(self, number, minutes):
        assert self.closed(*[timedelta(0)] * number) == NOON + minutes * MINUTE

    @pytest.mark.parametrize("number", [9, 10, 1000])
    def test_closure_at_most_a_day(self, number):
        assert self.closed(*[timedelta(0)] * number) == NOON + MAX_CLOSURE

    def test_closure_counts_from_last_miss(self):
        assert self.closed(5 * MINUTE, timedelta(days=2)) == NOON + 10 * MINUTE

    def test_closure_ends(self):
        assert self.closed(15 * MINUTE, 20 * MINUTE) is None

    def test_closure_ignores_misses_of_a_week_ago(self):
        assert self.closed(timedelta(0), MISS_LIFETIME) is None
        assert self.closed(timedelta(0), MISS_LIFETIME - MINUTE) is not None


def miss(user, other, at=NOON):
    """A match that `user` left without a word."""
    match = finished.play(finished.begun([other, user]), "1", "1", Leave(1, "abandoned"), at=at)
    settle(match.pk)


@pytest.fixture
def left_twice(ulno, artjom):
    for _ in range(2):
        miss(ulno, artjom)
    return ulno


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def code(function, *arguments, **named):
    with pytest.raises(NotRated) as caught:
        function(*arguments, **named)
    assert caught.value.code == "conduct"
    return caught.value.words


def tile(rated=True):
    return Tile("kalah", "circle", CLOCKS[0], rated)


class TestTheResult:
    def test_result_notes_who_missed_end(self, ulno, artjom):
        miss(ulno, artjom)
        assert Result.objects.get(user=ulno).missed
        assert not Result.objects.get(user=artjom).missed

    def test_a_first_move_that_never_came_is_a_miss_and_nobodys_loss(self, ulno, artjom):
        for seat in (0, 1):
            match = finished.play(finished.begun([ulno, artjom]), Act(ABORTED, seat), at=NOON)
            settle(match.pk)
            by_user = {result.user_id: result for result in Result.objects.filter(match=match)}
            assert [by_user[user.pk].score for user in (ulno, artjom)] == ["aborted", "aborted"]
            assert [by_user[user.pk].missed for user in (ulno, artjom)] == [seat == 0, seat == 1]
        assert not Rating.objects.exists()

    @pytest.mark.parametrize("reason", ["resigned", "time"])
    def test_leaving_before_everybody_has_moved_is_a_miss_and_nobodys_loss(self, ulno, artjom, reason):
        match = finished.play(finished.begun([ulno, artjom]), "1", Leave(1, reason), at=NOON)
        settle(match.pk)
        assert set(match.results.values_list("user", "score", "missed")) == {
            (ulno.pk, "aborted", False),
            (artjom.pk, "aborted", True),
        }

    def test_casual_match_has_no_misses(self, ulno, artjom):
        match = finished.begun([ulno, artjom], rated=False)
        settle(finished.play(match, "1", Leave(1, "resigned"), at=NOON).pk)
        assert not Result.objects.filter(missed=True).exists()

    def test_leaving_after_a_throw_is_a_loss_as_any(self, ulno, artjom):
        match = finished.begun([ulno, artjom], "cantstop")
        finished.play(match, "roll", Roll((1, 1, 1, 1)), "2+2", "stop", Leave(0), at=NOON)
        settle(match.pk)
        assert set(match.results.values_list("user", "score", "missed", "rated")) == {
            (ulno.pk, "lost", False, True),
            (artjom.pk, "won", False, True),
        }


class TestWhatIsClosed:
    def test_rated_play_open_after_one_miss(self, clock, ulno, artjom):
        miss(ulno, artjom)
        assert may_play_rated(ulno) is None
        queue.enter(ulno, tile())
        set_table(ulno, "kalah", CIRCLE, 2, "lot", RATED)

    def test_a_rated_table_is_neither_set_nor_joined(self, clock, left_twice, artjom):
        assert code(set_table, left_twice, "kalah", CIRCLE, 2, "lot", RATED) == SENTENCE
        table = set_table(artjom, "kalah", CIRCLE, 2, "lot", RATED)
        assert code(sit_down, left_twice, table.pk) == SENTENCE
        assert code(check, left_twice, table, [artjom], by_invitation=True) == SENTENCE

    def test_rated_challenge_refused_after_misses(self, clock, left_twice, artjom):
        assert code(challenges.challenge, left_twice, artjom, "kalah", CIRCLE, "lot", RATED) == SENTENCE
        table = challenges.challenge(artjom, left_twice, "kalah", CIRCLE, "lot", RATED)
        assert code(sit_down, left_twice, table.pk) == SENTENCE

    def test_rated_pairing_refused_after_misses(self, clock, left_twice):
        assert code(queue.enter, left_twice, tile()) == SENTENCE

    def test_rated_rematch_refused_after_misses(self, clock, left_twice, artjom):
        assert conduct.guard in signals.rated_rematch_wanted.listeners
        with pytest.raises(RematchConduct):
            conduct.guard(left_twice.pk)
        conduct.guard(artjom.pk)

    def test_casual_matches_are_open(self, clock, left_twice, artjom):
        queue.enter(left_twice, tile(rated=False))
        set_table(left_twice, "kalah", CIRCLE, 2, "host")
        table = set_table(artjom, "kalah", CIRCLE, 2, "host")
        assert sit_down(left_twice, table.pk).match is not None

    def test_a_quarter_of_an_hour_later_all_is_open(self, clock, left_twice):
        clock.move_to(NOON + 15 * MINUTE - timedelta(seconds=1))
        assert "in 1 minute." in code(queue.enter, left_twice, tile())
        clock.move_to(NOON + 15 * MINUTE)
        queue.enter(left_twice, tile())

    def test_long_waits_are_told_in_hours(self, clock, ulno, artjom):
        for _ in range(6):
            miss(ulno, artjom)
        assert may_play_rated(ulno).words.endswith("again in 4 hours.")

    def test_rated_play_of_guest_refused_as_guest(self, clock, artjom):
        guest = User.objects.create_user("Guest", is_guest=True)
        for _ in range(2):
            miss(guest, artjom)
        assert may_play_rated(guest).code == "guest"
        assert may_play_rated(AnonymousUser()).code == "guest"


class TestThePages:
    @pytest.fixture
    def client(self, clock, left_twice):
        client = Client()
        client.force_login(left_twice)
        return client

    def test_quick_pairing_says_it_beside_the_choice(self, client):
        text = client.get("/").text
        assert f'id="casual-kalah">{SENTENCE}' in text
        assert 'name="rated" value="yes" autocomplete="off" disabled' in text

    def test_rated_pairing_request_answered_with_reason(self, client):
        answer = client.post(
            "/pairing", {"tile": tile().name, "rated": "yes"}, headers={"accept": "application/json"}
        )
        assert (answer.status_code, answer.json()) == (409, {"code": "conduct", "detail": SENTENCE})

    def test_the_form_of_a_table_says_it(self, client):
        fields = {"preset": "circle", "seats": "2", "first": "lot", "rated": "yes"}
        assert SENTENCE in client.get("/new/kalah").text
        answer = client.post("/new/kalah", fields)
        assert answer.status_code == 400
        assert SENTENCE in answer.text

    def test_the_same_again_leads_to_the_form(self, client, left_twice, artjom):
        match = finished.won([left_twice, artjom], at=NOON)
        answer = client.post(f"/m/{match.pk}/again", follow=True)
        assert SENTENCE in answer.text

    def test_the_list_of_tables_says_it(self, client, artjom):
        set_table(artjom, "kalah", CIRCLE, 2, "lot", RATED)
        assert SENTENCE in client.get("/").text.partition('id="open-tables"')[2]
