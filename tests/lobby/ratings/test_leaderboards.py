"""Who plays a game best."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.registry import GAMES
from lobby.people.models import User
from lobby.ratings.models import Rating

PURE_LUCK = next(game for game in GAMES.values() if game.pure_luck)
KALAH = {"game": "kalah", "family": "classic", "pool": "two", "volatility": 0.06}


def rate(user, rating, deviation=60, days=1, **changes):
    updated = timezone.now() - timedelta(days=days)
    User.objects.filter(pk=user.pk).update(date_joined=updated - timedelta(days=30))
    fields = {**KALAH, "matches": 20, "opponents": 5, "updated": updated, **changes}
    return Rating.objects.create(user=user, rating=rating, deviation=deviation, **fields)


def crowd(number, best=2000):
    """Ranked people, each ten points below the one before."""
    users = User.objects.bulk_create(User(username=f"Player{i}") for i in range(number))
    return [rate(user, best - 10 * i) for i, user in enumerate(users)]


def board(user=None, path="kalah", **query):
    client = Client()
    if user:
        client.force_login(user)
    answer = client.get(f"/leaderboards/{path}", query)
    assert answer.status_code == 200
    return answer


def names(answer):
    return [row.rating.user.username for row in answer.context["board"].top]


class TestTheChoice:
    @pytest.mark.all_games
    def test_every_game_is_there(self, client, db):
        text = client.get("/leaderboards").text
        for slug in GAMES:
            assert f'href="/leaderboards/{slug}"' in text

    def test_every_page_leads_there(self, client, db):
        assert 'href="/people/online"' in client.get("/").text
        assert 'href="/leaderboards"' in client.get("/people/online").text

    @pytest.mark.parametrize("address", ["chess", "kalah?rules=own", "kalah?rules=", "kalah?pool=many"])
    def test_leaderboard_unknown_not_found(self, client, db, address):
        assert client.get(f"/leaderboards/{address}").status_code == 404

    @pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
    def test_every_game_has_a_page(self, db, game):
        text = board(path=game.slug).text
        assert (f"{game.title} is pure luck, so it is never rated." in text) == game.pure_luck

    def test_a_game_for_two_and_more_has_a_board_for_each(self, ulno):
        rate(ulno, 1700, game="cantstop", family="strict", pool="many", deviation=190)
        assert names(board(path="cantstop")) == []
        assert names(board(path="cantstop", pool="many")) == ["Ulno"]


class TestWhoHasAPlace:
    def test_the_best_come_first(self, db):
        crowd(3)
        assert names(board()) == ["Player0", "Player1", "Player2"]

    def test_leaderboard_has_fifty_places(self, db):
        crowd(60)
        assert len(names(board())) == 50

    def test_each_family_has_its_own(self, ulno):
        rate(ulno, 1700, family="kalaha")
        assert names(board()) == []
        assert names(board(rules="kalaha")) == ["Ulno"]

    def test_leaderboard_excludes_provisional_ratings(self, ulno):
        rate(ulno, 1700, deviation=111)
        assert names(board()) == []

    def test_leaderboard_excludes_users_away_for_a_year(self, ulno):
        rate(ulno, 1700, days=366)
        assert names(board()) == []

    def test_leaderboard_excludes_users_with_few_opponents(self, ulno):
        rate(ulno, 1700, opponents=4)
        assert names(board()) == []

    @pytest.mark.parametrize(("days", "has_place"), [(2, False), (3, True)])
    def test_leaderboard_excludes_new_accounts(self, ulno, days, has_place):
        rate(ulno, 1700)
        User.objects.update(date_joined=timezone.now() - timedelta(days=days))
        assert names(board()) == ["Ulno"] * has_place
        assert ("your account must be three days old" in board(ulno).text) != has_place

    @pytest.mark.parametrize("change", [{"is_deleted": True}, {"is_active": False}])
    def test_leaderboard_excludes_deleted_and_banned_users(self, ulno, change):
        rate(ulno, 1700)
        User.objects.update(**change)
        assert names(board()) == []


class TestMyPlace:
    def test_own_place_marked(self, ulno):
        crowd(3)
        rate(ulno, 1995)
        answer = board(ulno)
        assert "You are ranked 2 of 4." in answer.text
        assert answer.text.count("place-mine") == 1

    def test_far_below_is_shown_beneath(self, ulno):
        crowd(60)
        rate(ulno, 1405)
        answer = board(ulno)
        assert "You are ranked 61 of 61." in answer.text
        assert "places-below" in answer.text

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"deviation": 200}, "your rating is provisional"),
            ({"days": 400}, "more than a year ago"),
            ({"opponents": 4}, "you have met 4 of the 5 opponents needed in rated matches"),
            ({"family": "kalaha"}, "you have not played a rated match with these rules"),
        ],
    )
    def test_own_place_missing_says_why(self, ulno, changes, reason):
        rate(ulno, 1700, **changes)
        assert reason in board(ulno).text

    def test_guests_and_passers_by_are_told_who_is_rated(self, ulno):
        User.objects.update(is_guest=True)
        for user in (None, ulno):
            assert "Guests play casual matches." in board(user).text


class TestTheDistribution:
    def test_counts_everybody_by_fifties(self, db):
        crowd(60)
        bars = board().context["board"].distribution.bars
        assert sum(bar.count for bar in bars) == 60
        assert [(bar.low, bar.count) for bar in bars][-2:] == [(1950, 5), (2000, 1)]

    def test_distribution_has_table_with_same_numbers(self, db):
        crowd(1)
        text = board().text
        assert 'role="img" aria-label="Distribution of ratings: 1 player.' in text
        assert "2000 to 2050" in text

    def test_distribution_of_no_ratings_left_out(self, db):
        assert "distribution-title" not in board().text


@pytest.mark.parametrize("number", [1, 200])
def test_leaderboard_queries_independent_of_users(ulno, number, django_assert_max_num_queries):
    crowd(number)
    rate(ulno, 1)
    client = Client()
    client.force_login(ulno)
    # Session and user, unsettled results; the best, my rating, whether it is ranked, how many are above,
    # the distribution.
    with django_assert_max_num_queries(8):
        client.get("/leaderboards/kalah")


class TestItIsCached:
    def test_a_second_visitor_gets_the_same_places_without_a_query(self, db, django_assert_num_queries):
        crowd(3)
        first = board()
        with django_assert_num_queries(0):
            again = Client().get("/leaderboards/kalah")
        assert "Player2" in first.text
        assert "Player2" in again.text

    def test_a_new_rating_of_ones_own_is_shown_at_once(self, ulno):
        mine = rate(ulno, 1500)
        assert "1500" in board(ulno).text
        Rating.objects.filter(pk=mine.pk).update(rating=1523)
        assert "1523" in board(ulno).text
