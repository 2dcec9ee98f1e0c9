"""What becomes of a finished match: results and ratings, exactly once."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import F

from games.domain import codec
from games.domain.match_actions import ABANDONED, ABORTED, AGREED, Act
from games.models import Match
from games.play import begin
from games.registry import GAMES
from games.rules.base import ENDED, Leave, Outcome, Roll
from games.store import history
from games.store.history import Participation
from lobby.people.models import User
from lobby.ratings import farming, glicko2, schedule
from lobby.ratings import results as ratings
from lobby.ratings.glicko2 import Strength
from lobby.ratings.models import Pool, Rating, Result
from lobby.ratings.rated import can_be_rated, may_be_rated
from lobby.ratings.results import make_known, rate, settle, unrated
from lobby.ratings.unsettled import without_results
from tests.conftest import PAIRS, Store
from tests.helpers import accounts, finished
from tests.helpers.samples import in_full
from tools.harness import prepared, subprocess_call
from tools.harness.patience import wait_until
from tools.harness.people import Person, command_id, seat_two

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
OWN = replace(CIRCLE, seeds=5)
PURE_LUCK = [game for game in GAMES.values() if game.pure_luck]


@pytest.fixture
def people(db):
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom", "Third", "Fourth")]


@pytest.fixture
def two(people):
    return people[:2]


@pytest.fixture
def guest(db):
    return User.objects.create_user("Guest", is_guest=True)


def results(match):
    """{user id: result} of a match, settled now."""
    settle(match.pk)
    return {result.user_id: result for result in Result.objects.filter(match=match)}


def scores(match):
    """The scores by seat."""
    by_user = results(match)
    return [by_user[seating.user_id].score for seating in match.seatings.all()]


def rating(user, **pool):
    return Rating.objects.get(user=user, **pool)


class TestWhatMayBeRated:
    @pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
    def test_every_preset_unless_the_game_is_pure_luck(self, game):
        for options in game.rules.PRESETS.values():
            refusal = may_be_rated(game, options)
            assert (refusal.code if refusal else None) == ("pure-luck" if game.pure_luck else None)

    def test_a_refusal_says_why_in_a_sentence(self):
        (game,) = PURE_LUCK
        sentence = may_be_rated(game, game.rules.Options()).words
        assert sentence == f"{game.title} is pure luck, so it is never rated."

    def test_rules_of_ones_own_are_not(self):
        assert may_be_rated(GAMES["kalah"], OWN).code == "own-rules"

    def test_two_accounts_are(self, two):
        assert can_be_rated(GAMES["kalah"], CIRCLE, two[0]) is None

    def test_a_guest_is_not(self, two, guest):
        assert can_be_rated(GAMES["kalah"], CIRCLE, guest).code == "guest"


class TestResults:
    def test_every_player_has_one(self, two):
        by_user = results(finished.won(two, winner=1, at=NOON))
        lost, won = by_user[two[0].pk], by_user[two[1].pk]
        assert (lost.score, won.score) == ("lost", "won")
        assert (won.game, won.family, won.pool) == ("kalah", "classic", "two")
        assert (won.reason, won.ended, won.rated) == ("resigned", NOON, True)

    def test_a_match_in_play_has_none(self, two):
        assert results(finished.begun(two)) == {}

    def test_a_match_that_does_not_exist_is_left_alone(self, db):
        settle("nowhere")
        assert not Result.objects.exists()

    def test_a_match_erased_after_it_was_read_is_left_alone(self, two, monkeypatch):
        read = ratings.read

        def read_before_it_is_erased(match_id):
            ended = read(match_id)
            begin.erase([match_id])
            return ended

        monkeypatch.setattr(ratings, "read", read_before_it_is_erased)
        assert settle(finished.won(two).pk) == []
        assert not Result.objects.exists()

    def test_rules_of_the_players_own_have_no_family(self, two):
        result = results(finished.won(two, options=OWN))[two[0].pk]
        assert (result.family, result.score, result.rated) == ("", "won", False)

    def test_a_draw_is_a_draw_for_both(self, two):
        # One seed in each of two pits: both sweep the same.
        match = finished.begun(two)
        outcome = Outcome((0, 1), "swept", (18, 18))
        Match.objects.filter(pk=match.pk).update(
            status="finished", ended=NOON, outcome='{"winners":[0,1],"reason":"swept","scores":[18,18]}'
        )
        assert ratings.scores(outcome, Participation(frozenset({0, 1}), {}, False), 2) == ["drawn", "drawn"]
        assert scores(match) == ["drawn", "drawn"]

    def test_results_keep_reason_of_each_leaver(self, people):
        match = finished.begun(people[:3], "cantstop", rated=False)
        finished.play(match, "roll", Roll((1, 1, 1, 1)), "2+2", "stop", "roll", Roll((1, 1, 1, 1)), "2+2")
        finished.play(match, Leave(1, "time"), "roll", Roll((1, 1, 1, 1)), "2+2", Leave(2, "resigned"))
        reasons = [results(match)[user.pk].reason for user in people[:3]]
        assert reasons == ["resigned", "time", "resigned"]


class TestAMatchThatEndsByAnAct:
    @pytest.mark.parametrize("kind", [AGREED, ABANDONED])
    def test_a_draw_is_one_for_both_and_moves_their_ratings(self, two, kind):
        results(finished.won(two))
        before = [rating(user).rating for user in two]
        match = finished.play(finished.begun(two), "1", "1", Act(kind, 0))
        assert scores(match) == ["drawn", "drawn"]
        assert {result.reason for result in match.results.all()} == {kind}
        after = [rating(user).rating for user in two]
        assert before[0] > after[0] > after[1] > before[1]

    def test_many_who_end_it_are_placed_as_it_stands(self, people):
        match = finished.begun(people[:3], "cantstop")
        for _ in range(3):
            finished.play(match, "roll", Roll((1, 1, 1, 1)), "2+2", "stop")
        # The first gains once more, and comes first for it.
        finished.play(match, "roll", Roll((1, 1, 1, 1)), "2", "stop", Act(ENDED, 1))
        standing = GAMES["cantstop"].rules.standing(
            codec.decode_state(GAMES["cantstop"].rules, last_state(match))
        )
        assert scores(match) == ["won" if seat in standing.winners else "lost" for seat in range(3)]
        assert set(Rating.objects.values_list("pool", flat=True)) == {"many"}
        places = ratings.ranks(standing, history.participation(match.pk), 3)
        for one, other in itertools.combinations(range(3), 2):
            strengths = rating(people[one]).rating, rating(people[other]).rating
            assert (strengths[0] > strengths[1]) == (places[one] < places[other])

    def test_many_who_end_it_before_all_have_acted_have_not_played(self, people):
        match = finished.begun(people[:3], "cantstop")
        finished.play(match, "roll", Roll((1, 1, 1, 1)), "2+2", "stop", Act(ENDED, 1))
        assert scores(match) == ["aborted"] * 3

    def test_a_first_move_that_never_came_costs_nobody_anything(self, two):
        for seat in (0, 1):
            assert scores(finished.play(finished.begun(two), Act(ABORTED, seat))) == ["aborted", "aborted"]
        assert not Rating.objects.exists()

    @pytest.mark.parametrize("kind", [ABANDONED, AGREED])
    def test_action_ends_short_match_as_aborted(self, two, kind):
        match = finished.play(finished.begun(two), "1", Act(kind, 1))
        assert scores(match) == ["aborted", "aborted"]
        assert not Rating.objects.exists()


def last_state(match):
    return match.plies.order_by("-number").first().state


class TestAMatchThatHardlyBegan:
    """Aborted before every seat has acted it counts for nothing."""

    def test_leave_before_any_move_aborts(self, two):
        match = finished.play(finished.begun(two), Leave(1))
        assert scores(match) == ["aborted", "aborted"]
        assert not Rating.objects.exists()

    def test_leave_before_second_player_moved_aborts(self, two):
        match = finished.play(finished.begun(two), "1", Leave(1, "time"))
        assert scores(match) == ["aborted", "aborted"]
        assert not Result.objects.filter(rated=True).exists()

    def test_leave_after_both_moved_loses(self, two):
        match = finished.begun(two)
        finished.play(match, "1", "1", Leave(0))
        assert scores(match) == ["lost", "won"]
        assert rating(two[0]).rating < 1500 < rating(two[1]).rating

    def test_scores_of_three_with_early_leaver_count(self, people):
        participation = Participation(acted=frozenset({0, 1}), left={2: "resigned"}, ended_by_leaving=False)
        assert ratings.scores(Outcome((1,), "three-columns"), participation, 3) == ["lost", "won", "lost"]

    def test_scores_of_three_ended_by_idle_leaver_aborted(self):
        participation = Participation(frozenset({0}), {2: "resigned", 1: "resigned"}, ended_by_leaving=True)
        assert ratings.scores(Outcome((0,), "resigned"), participation, 3) == ["aborted"] * 3

    def test_the_course_is_read_from_the_plies(self, people):
        match = finished.begun(people[:3], "cantstop")
        finished.play(match, Leave(2, "time"), "roll", Roll((1, 2, 3, 4)), Leave(1))
        participation = history.participation(match.pk)
        beside = [("left:2:time", None), ("left:1:resigned", None)]
        assert participation == Participation(frozenset({0}), {2: "time", 1: "resigned"}, True, beside)
        assert list(participation.left) == [2, 1]


class TestGlicko:
    def test_two_strangers(self, two):
        results(finished.won(two, at=NOON))
        for user, score in zip(two, (1.0, 0.0), strict=True):
            stored = rating(user, game="kalah", family="classic", pool=Pool.TWO)
            assert (stored.rating, stored.deviation, stored.volatility) == pytest.approx(
                tuple(glicko2.rate(Strength(), [(Strength(), score)], 0))
            )
            assert (stored.matches, stored.updated) == (1, NOON)

    def test_the_result_knows_the_change(self, two):
        result = results(finished.won(two))[two[0].pk]
        stored = rating(two[0])
        assert (result.rating_before, result.rating_after) == (1500, stored.rating)
        assert result.deviation_after == stored.deviation

    def test_time_since_the_last_match_makes_a_rating_less_certain(self, two):
        for number in range(8):
            results(finished.won(two, winner=number % 2, at=NOON))
        before = [ratings._strength(rating(user)) for user in two]
        results(finished.won(two, at=NOON + timedelta(days=500)))
        aged = [glicko2.aged(strength, 100) for strength in before]
        assert rating(two[0]).rating == pytest.approx(glicko2.rate(before[0], [(aged[1], 1.0)], 100).rating)
        assert aged[0].deviation > before[0].deviation

    def test_each_family_has_its_own(self, two):
        results(finished.won(two))
        results(finished.won(two, options=GAMES["kalah"].rules.PRESETS["kalaha"]))
        assert {each.family for each in Rating.objects.filter(user=two[0])} == {"classic", "kalaha"}

    def test_casual_matches_move_nothing(self, two):
        assert results(finished.won(two, rated=False))[two[0].pk].score == "won"
        assert not Rating.objects.exists()

    def test_a_guest_is_never_rated_whatever_the_terms_say(self, two, guest):
        results(finished.won([two[0], guest]))
        assert not Rating.objects.exists()

    def test_pure_luck_is_never_rated_whatever_the_terms_say(self, two):
        (game,) = PURE_LUCK
        match = finished.begun(two, game.slug)
        finished.play(match, "roll", Roll((3,) * 5), "roll", Roll((3,) * 5), Leave(1))
        assert scores(match) == ["won", "lost"]
        assert not Rating.objects.exists()

    def test_a_settled_rating_of_a_late_match_does_not_turn_time_back(self, two):
        results(finished.won(two, at=NOON))
        results(finished.won(two, at=NOON - timedelta(days=30)))
        assert rating(two[0]).updated == NOON

    def test_rating_provisional_until_enough_matches(self, two):
        for number in range(13):
            # More than ten a day between the same two would not count.
            results(finished.won(two, winner=number % 2, at=NOON + number * timedelta(hours=3)))
            assert rating(two[0]).provisional == (number < 12)


class TestThreeAndMore:
    def test_winners_come_first_then_points_then_who_left(self):
        outcome = Outcome((2,), "three-columns", (1, 2, 3, 2))
        participation = Participation(frozenset(range(4)), {3: "resigned"}, False)
        assert ratings.ranks(outcome, participation, 4) == [2, 1, 0, 3]

    def test_equal_points_are_equal(self):
        participation = Participation(frozenset(range(4)), {}, False)
        assert ratings.ranks(Outcome((2,), "won", (1, 1, 3, 1)), participation, 4) == [1, 1, 0, 1]

    def test_ranks_without_points_are_winners_and_others(self):
        participation = Participation(frozenset(range(3)), {}, False)
        assert ratings.ranks(Outcome((0, 2), "last-ace"), participation, 3) == [0, 1, 0]

    def test_ranks_player_who_left_last(self):
        participation = Participation(frozenset(range(3)), {0: "resigned"}, False)
        assert ratings.ranks(Outcome((1,), "won", (5, 1, 0)), participation, 3) == [2, 0, 1]

    def finish(self, people):
        """Everyone moves once, then all but the last leave in turn."""
        match = finished.begun(people, "cantstop")
        for _ in people:
            finished.play(match, "roll", Roll((1, 1, 1, 1)), "2+2", "stop")
        for seat in range(len(people) - 1):
            finished.play(match, Leave(seat))
        return match

    @pytest.mark.parametrize("seats", [3, 4])
    def test_ratings_of_three_or_more_in_own_pool(self, people, seats):
        match = self.finish(people[:seats])
        assert scores(match) == ["lost"] * (seats - 1) + ["won"]
        assert set(Rating.objects.values_list("pool", flat=True)) == {"many"}
        winner, loser = rating(people[seats - 1]), rating(people[0])
        assert loser.rating < 1500 < winner.rating
        assert loser.deviation < 350

    def test_the_scale_is_openskills_own_42_times(self, people):
        from openskill.models import PlackettLuce

        results(self.finish(people[:3]))
        usual = PlackettLuce()
        teams = usual.rate([[usual.rating()] for _ in range(3)], ranks=[1, 1, 0])
        for user, (player,) in zip(people, teams, strict=False):
            assert rating(user).rating == pytest.approx((player.mu - 25) * 42 + 1500, rel=1e-4)
            assert rating(user).deviation == pytest.approx(player.sigma * 42, rel=1e-4)

    def test_two_at_a_game_for_more_are_two(self, two):
        results(self.finish(two))
        assert set(Rating.objects.values_list("pool", flat=True)) == {"two"}


class TestExactlyOnce:
    def test_settle_repeatedly_rates_once(self, two):
        match = finished.won(two)
        results(match)
        once = rating(two[0]).rating
        for _ in range(3):
            results(match)
        assert rating(two[0]).rating == once
        assert Result.objects.count() == 2

    @pytest.mark.parametrize("pair", in_full("postgres+redis", "sqlite"))
    def test_settle_concurrently_rates_once(self, launcher, pair):
        """The same matches of the same three people, settled in opposite orders at the same time."""
        url = launcher.store(pair).database_url
        matches = subprocess_call.call(url, many_matches, 12)
        calls = [subprocess_call.start(url, settle_in_threads, order) for order in (matches, matches[::-1])]
        for call in calls:
            call.result()
        found = subprocess_call.call(url, what_is_stored)
        assert found == {"results": 24, "matches": [8, 8, 8]}


def many_matches(number):
    """Finished rated matches of three people, two by two."""
    people = [User.objects.create_user(f"Player{i}") for i in range(3)]
    pairs = [(people[i % 3], people[(i + 1) % 3]) for i in range(number)]
    return [finished.won(pair).pk for pair in pairs]


def settle_in_threads(matches):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(settle, [match for match in matches for _ in range(2)]))


def what_is_stored():
    played = Rating.objects.order_by("user").values_list("matches", flat=True)
    return {"results": Result.objects.count(), "matches": list(played)}


class TestADelay:
    """Other numbers beside their names would tell those who watch later who has won."""

    @pytest.fixture
    def match(self, two):
        match = finished.won(two)
        Match.objects.filter(pk=match.pk).update(delay=600)
        return match

    def pass_by(self, match):
        earlier = timedelta(seconds=601)
        Match.objects.filter(pk=match.pk).update(ended=match.ended - earlier)
        Result.objects.filter(match=match).update(known=F("known") - earlier)

    def test_results_are_stored_and_ratings_wait(self, two, match):
        assert settle(match.pk)
        assert scores(match) == ["won", "lost"]
        assert set(Result.objects.values_list("rated", "rating_after")) == {(True, None)}
        rate(match.pk)
        assert not Rating.objects.exists()

    def test_ratings_move_once_everybody_may_know_of_the_end(self, two, match):
        settle(match.pk)
        assert unrated(None, datetime.now(UTC)) == []
        self.pass_by(match)
        assert unrated(None, datetime.now(UTC)) == [match.pk]
        for _ in range(2):
            rate(match.pk)
        assert rating(two[0]).rating > 1500 > rating(two[1]).rating
        after = set(Result.objects.values_list("rating_after", flat=True))
        assert after == {rating(user).rating for user in two}
        assert unrated(None, datetime.now(UTC)) == []

    def test_delayed_rating_skips_deleted_user(self, two, match):
        settle(match.pk)
        self.pass_by(match)
        User.objects.filter(pk=two[1].pk).update(is_deleted=True)
        rate(match.pk)
        assert list(Rating.objects.values_list("user", flat=True)) == [two[0].pk]

    def test_delayed_result_hidden_until_delay_over(self, client, two, match):
        settle(match.pk)
        assert match.pk not in client.get("/@/Ulno").text
        assert client.get("/api/v1/users/Ulno").json()["results"] == []
        client.force_login(two[0], "lobby.auth.backends.PasswordBackend")
        assert match.pk in client.get("/@/Ulno").text
        client.logout()
        self.pass_by(match)
        assert match.pk in client.get("/@/Ulno").text
        assert client.get("/api/v1/users/Ulno").json()["results"] != []


class TestFromWhenOnEverybodyMayKnow:
    @pytest.mark.parametrize(
        ("terms", "known"),
        [
            ({}, NOON),
            ({"delay": 600}, NOON + timedelta(seconds=600)),
            ({"watchable": False}, None),
        ],
    )
    def test_result_notes_when_it_becomes_public(self, two, terms, known):
        match = finished.won(two, at=NOON)
        Match.objects.filter(pk=match.pk).update(**terms)
        settle(match.pk)
        assert set(Result.objects.values_list("known", flat=True)) == {known}


class TestTheSweeper:
    def test_sweeper_finds_unsettled_in_order_of_end(self, two):
        late = finished.won(two, at=NOON)
        early = finished.won(two, at=NOON - timedelta(hours=1))
        results(finished.won(two, at=NOON - timedelta(hours=2)))
        finished.begun(two)
        assert schedule.unsettled() == [early.pk, late.pk]

    def test_sweeper_looks_back_to_given_time(self, two):
        finished.won(two, at=NOON - timedelta(days=1))
        late = finished.won(two, at=NOON)
        assert schedule.unsettled(NOON - timedelta(hours=1)) == [late.pk]

    def test_sweeper_leaves_matches_of_other_version(self, two, caplog):
        match = finished.won(two)
        Match.objects.filter(pk=match.pk).update(outcome='{"prize":1}')
        schedule._attempt(settle, match.pk)
        (said,) = caplog.records
        assert (said.getMessage(), said.match) == ("could not read the match", match.pk)
        assert not Result.objects.exists()


def resign(server, people, match_id):
    """Both move, then the second resigns."""
    with people[0].watch(match_id) as first, people[1].watch(match_id) as second:
        ply = play_until_both_moved(first, second)
        second.ask({"type": "resign", "id": command_id(), "after": ply})


def play_until_both_moved(*sockets):
    position, acted = sockets[0].snapshot, set()
    ply, turn = position["ply"], position["state"]["turn"]
    legal = sockets[turn].snapshot["legal"]
    while acted != {0, 1}:
        acted.add(turn)
        ply = sockets[turn].move(ply, legal[0])["ply"]
        told = [next_plies(socket, ply) for socket in sockets]
        turn = told[0]["plies"][-1]["state"]["turn"]
        legal = told[turn].get("legal")
    return ply


def next_plies(socket, ply):
    for message in reversed(socket.heard):
        if message["type"] == "plies" and message["plies"][-1]["number"] == ply:
            return message
    return socket.next("plies")


COUNT = "SELECT count(*) FROM lobby_result WHERE match_id = ?"


def count(server, match_id):
    return server.rows(COUNT, match_id)[0][0]


class TestARunningServer:
    def test_a_match_is_settled_when_it_ends(self, server):
        host, other, match_id = seat_two(server)
        resign(server, (host, other), match_id)
        wait_until(lambda: count(server, match_id) == 2, "the result")
        assert server.rows("SELECT DISTINCT rated FROM lobby_result WHERE match_id = ?", match_id)[0][0] in (
            0,
            False,
        )

    def test_a_rated_match_of_two_accounts_moves_their_ratings(self, server):
        two = accounts.registered(server, "Rated-One", "Rated-Two")
        ids = [account.user_id for account in two]
        match_id = subprocess_call.call(server.database_url, accounts.begin_match, ids, "kalah", True)
        resign(server, [accounts.person(server, account) for account in two], match_id)
        wait_until(lambda: count(server, match_id) == 2, "the result")
        rows = server.rows("SELECT user_id, rating FROM lobby_rating ORDER BY rating DESC")
        assert [user_id for user_id, _ in rows] == ids
        assert rows[0][1] > 1500 > rows[1][1]
        anyone = Person(server)
        assert "1 won" in anyone.get("/@/Rated-One")
        subprocess_call.call(server.database_url, settle_in)
        assert "/@/Rated-One" in anyone.get("/leaderboards/kalah")

    @pytest.mark.parametrize("pair", PAIRS)
    def test_sweeper_settles_after_killed_server(self, launcher, pair):
        """Its matches ended in the store, and it died before it had settled them."""
        store = launcher.store(pair)
        server = launcher.open(store)
        two = accounts.registered(server, "Early", "Late")
        server.kill9()
        ids = [account.user_id for account in two]
        left = subprocess_call.call(store.database_url, matches_nobody_settled, ids, 3)
        server.start()
        wait_until(lambda: count(server, left[-1]) == 2, "the last result")
        rows = server.rows(
            "SELECT match_id, rating_before, rating_after FROM lobby_result WHERE user_id = ? ORDER BY ended",
            ids[0],
        )
        assert [match_id for match_id, _, _ in rows] == left
        assert [before for _, before, _ in rows[1:]] == pytest.approx([after for _, _, after in rows[:-1]])

    def test_a_match_that_ends_unsettled_while_the_server_runs_is_found(self, launcher):
        """As if the process that saw its end had died; this one looks again every few seconds."""
        server = launcher.open(launcher.store("sqlite"))
        two = accounts.registered(server, "Here", "There")
        with accounts.person(server, two[0]).lobby():
            ids = [account.user_id for account in two]
            (match_id,) = subprocess_call.call(server.database_url, matches_nobody_settled, ids, 1)
            wait_until(lambda: count(server, match_id) == 2, "the result")

    def test_sweeper_continues_after_database_outage(self, launcher, own_postgres):
        url = own_postgres.url(prepared.POSTGRES_TEMPLATE)
        server = launcher.open(Store(url))
        (account, other) = accounts.registered(server, "Here", "There")
        with Person(server).lobby():
            own_postgres.kill9()
            wait_until(lambda: "PostgreSQL cannot be reached" in server.log, "a sweep in vain")
            own_postgres.restart()
            (match_id,) = subprocess_call.call(
                url, matches_nobody_settled, [account.user_id, other.user_id], 1
            )
            wait_until(lambda: count(server, match_id) == 2, "the result")


def settle_in():
    """What many matches against others over some days would have done."""
    User.objects.update(date_joined=datetime.now(UTC) - farming.SETTLED_IN)
    return Rating.objects.update(deviation=60, opponents=farming.ENOUGH_OPPONENTS)


def matches_nobody_settled(user_ids, number):
    people = [User.objects.get(pk=pk) for pk in user_ids]
    now = datetime.now(UTC)
    return [
        finished.won(people, winner=i % 2, at=now - timedelta(minutes=number - i)).pk for i in range(number)
    ]


def test_results_that_another_version_stored_become_known_unless_the_match_is_hidden(two):
    late, hidden = {"delay": 60}, {"watchable": False}
    made = [finished.won(two, at=NOON, rated=False).pk for _ in range(3)]
    for pk, terms in zip(made, ({}, late, hidden), strict=True):
        Match.objects.filter(pk=pk).update(**terms)  # type: ignore[arg-type]
    settle(*made)
    known = dict(Result.objects.values_list("match", "known"))
    assert known == dict(zip(made, (NOON, NOON + timedelta(seconds=60), None), strict=True))
    for since in (None, NOON - timedelta(seconds=1)):
        Result.objects.update(known=None)
        make_known(since)
        assert dict(Result.objects.values_list("match", "known")) == known
    Result.objects.update(known=None)
    make_known(NOON)
    assert not Result.objects.exclude(known=None).exists()


# Several at once


def told_of(settled):
    """What is known of some matches once these are settled by `settled`, without what names the matches."""
    settled()
    columns = (
        "user__username",
        "score",
        "reason",
        "rated",
        "rating_before",
        "rating_after",
        "deviation_after",
    )
    ratings_now = Rating.objects.order_by("user", "family").values_list(
        "user__username", "rating", "opponents"
    )
    return list(Result.objects.order_by("pk").values_list(*columns)), list(ratings_now)


def test_matches_settled_together_are_what_they_are_one_by_one(people):
    one, other, third, _ = people
    pairs = [(one, other), (other, third), (third, one), (one, other)]
    made = [finished.won(pair, at=NOON, rated=True).pk for pair in pairs]
    together = told_of(lambda: settle(*made))
    Result.objects.all().delete()
    Rating.objects.all().delete()
    assert told_of(lambda: [settle(pk) for pk in made]) == together
    assert len(together[0]) == 8


def test_settle_skips_settled_and_unfinished_matches(two):
    done, new = (finished.won(two, at=NOON).pk for _ in range(2))
    settle(done)
    assert settle(done, finished.begun(two).pk, "nowhere", new) == []
    assert Result.objects.filter(match=new).count() == Result.objects.filter(match=done).count() == 2


def test_settle_batch_with_unreadable_match_settles_none(two):
    fine, broken = (finished.won(two, at=NOON).pk for _ in range(2))
    Match.objects.filter(pk=broken).update(outcome='{"of": "another version"}')
    with pytest.raises(codec.Undecodable):
        settle(fine, broken)
    assert not Result.objects.exists()


def test_results_of_late_are_looked_for_by_the_end_of_their_matches(db):
    if connection.vendor == "sqlite":
        assert "match_by_end" in without_results(NOON).explain()
