"""Ratings of puzzles and of those who solve them."""

from datetime import date

import pytest
import time_machine

from games.puzzles import collection, daily, difficulty
from lobby.people.models import User
from lobby.puzzles import ratings
from lobby.puzzles.models import PuzzleAttempt, PuzzleRating, PuzzleSolver
from lobby.ratings.glicko2 import AVERAGE

pytestmark = pytest.mark.django_db

KEY, PUZZLE = next(iter(collection.by_game()["kalah"].items()))
ADDRESS = f"/puzzles/kalah/{KEY}"
RIGHT = f"{ADDRESS}/moves/{PUZZLE.answer}"
WRONG = next(move for move in PUZZLE.worth if move != PUZZLE.answer)


@pytest.fixture
def ada():
    return User.objects.create_user("Ada")


def test_who_solves_a_puzzle_gains_what_it_loses(ada):
    made = ratings.attempt(ada, PUZZLE, PUZZLE.answer)
    assert made.solved
    assert made.rating_before == AVERAGE < made.rating_after
    assert PuzzleSolver.objects.get(user=ada, game="kalah").rating == made.rating_after
    assert PuzzleRating.objects.get(puzzle=KEY).rating < difficulty.estimates("kalah")[KEY]


@pytest.mark.parametrize("move", [WRONG, "", "nonsense"])
def test_who_fails_loses(ada, move):
    made = ratings.attempt(ada, PUZZLE, move)
    assert not made.solved
    assert made.rating_after < AVERAGE
    assert PuzzleRating.objects.get(puzzle=KEY).rating > difficulty.estimates("kalah")[KEY]


def test_only_the_first_attempt_counts(ada):
    first = ratings.attempt(ada, PUZZLE, WRONG)
    assert ratings.attempt(ada, PUZZLE, PUZZLE.answer) == first
    assert PuzzleAttempt.objects.count() == 1
    assert PuzzleSolver.objects.get().rating == first.rating_after


def test_each_game_has_a_rating_of_its_own(ada):
    ratings.attempt(ada, PUZZLE, PUZZLE.answer)
    other = next(iter(collection.by_game()["morris"].values()))
    assert ratings.attempt(ada, other, "").rating_before == AVERAGE


def test_who_solved_which_puzzles(ada):
    bo, cleo = User.objects.create_user("Bo"), User.objects.create_user("Cleo")
    other = next(iter(collection.by_game()["morris"].values()))
    ratings.attempt(ada, PUZZLE, PUZZLE.answer)
    ratings.attempt(bo, PUZZLE, WRONG)
    ratings.attempt(bo, other, other.answer)
    everybody = [ada.pk, bo.pk, cleo.pk]
    assert ratings.solved(everybody, [KEY]) == {ada.pk: {KEY: True}, bo.pk: {KEY: False}}
    assert ratings.solved([bo.pk], [KEY, other.key]) == {bo.pk: {KEY: False, other.key: True}}


def test_a_solver_is_forgotten_and_the_puzzle_keeps_its_rating(ada):
    ratings.attempt(ada, PUZZLE, PUZZLE.answer)
    ratings.forget(ada.pk)
    assert not PuzzleSolver.objects.exists()
    assert not PuzzleAttempt.objects.exists()
    assert PuzzleRating.objects.exists()


def test_visitors_and_guests_are_not_rated(client):
    guest = User.objects.create_user("Guest", is_guest=True)
    for come in (lambda: None, lambda: client.force_login(guest)):
        come()
        assert "data-rated" not in client.get(ADDRESS).text
        told = client.get(RIGHT).json()
        assert told["right"]
        assert "rating" not in told
    assert not PuzzleAttempt.objects.exists()


def test_an_account_is_rated_with_the_verdict(client, ada):
    client.force_login(ada)
    assert " data-rated" in client.get(ADDRESS).text
    told = client.post(RIGHT).json()
    assert told["right"]
    assert told["rating"]["before"] == AVERAGE < told["rating"]["after"]
    assert client.post(f"{ADDRESS}/moves/99").status_code == 422
    assert client.post("/puzzles/kalah/nothing/answer").status_code == 404


def test_an_account_that_asks_for_the_solution_has_failed(client, ada):
    client.force_login(ada)
    told = client.post(f"{ADDRESS}/answer").json()
    assert told["move"] == PUZZLE.answer
    assert told["rating"]["after"] < AVERAGE
    assert client.post(RIGHT).json()["rating"] == told["rating"]
    assert not PuzzleAttempt.objects.get().solved


@time_machine.travel("2026-12-05 12:00", tick=False)
def test_an_account_is_told_nothing_before_its_attempt(client, ada):
    """Not on the page of a day either, whose puzzle may be one of the collection."""
    day = date(2026, 12, 3)
    puzzle = daily.of_day(day, day).puzzle
    client.force_login(ada)
    for address in (f"/puzzle/{day}", f"/puzzles/{puzzle.slug}/{puzzle.key}"):
        for what in ("answer", f"moves/{puzzle.answer}"):
            assert client.get(f"{address}/{what}").status_code == 405
    assert " data-rated" in client.get(f"/puzzle/{day}").text
    assert client.post(f"/puzzle/{day}/answer").json()["rating"]["after"] < AVERAGE
    assert PuzzleAttempt.objects.get().puzzle == puzzle.key


def test_an_account_is_not_rated_at_the_puzzles_of_former_days(client, ada):
    client.force_login(ada)
    assert "data-rated" not in client.get(f"/puzzle/{daily.FIRST}").text
    assert "rating" not in client.get(f"/puzzle/{daily.FIRST}/answer").json()


def test_the_archive_shows_ratings_and_orders_by_them(client, ada):
    ratings.attempt(ada, PUZZLE, WRONG)
    rows = {
        order: client.get(f"/puzzles/kalah?order={order}").context["rows"] for order in ("easiest", "hardest")
    }
    told = [row["rating"] for row in rows["easiest"]]
    assert told == sorted(told)
    assert told[0] == difficulty.LEAST
    assert rows["hardest"][0]["rating"] == difficulty.MOST
    assert rows["hardest"][0]["address"].endswith("?order=hardest")
    known = PuzzleRating.objects.get().rating
    assert difficulty.ratings("kalah") == {**difficulty.estimates("kalah"), KEY: known}


def test_the_next_puzzle_is_that_of_the_order(client):
    first, second = client.get("/puzzles/kalah?order=hardest").context["rows"][:2]
    assert client.get(first["address"]).context["other"][0] == second["address"]


def test_the_profile_shows_the_ratings_at_puzzles(client, ada):
    assert client.get("/@/Ada").context["puzzles"] == []
    rating = ratings.attempt(ada, PUZZLE, WRONG).rating_after
    assert client.get("/@/Ada").context["puzzles"] == [("Kalah", [("Rating", round(rating))])]
