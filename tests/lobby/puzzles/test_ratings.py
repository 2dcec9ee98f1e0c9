"""Ratings of puzzles and of those who solve them."""

import pytest

from games.puzzles import collection
from lobby.people.models import User
from lobby.puzzles import ratings
from lobby.puzzles.models import PuzzleAttempt, PuzzleRating, PuzzleSolver
from lobby.ratings.glicko2 import AVERAGE

pytestmark = pytest.mark.django_db

KEY, PUZZLE = next(iter(collection.by_game()["kalah"].items()))
ADDRESS = f"/puzzles/kalah/{KEY}/attempt"
WRONG = next(move for move in PUZZLE.worth if move != PUZZLE.answer)


@pytest.fixture
def ada():
    return User.objects.create_user("Ada")


def test_who_solves_a_puzzle_gains_what_it_loses(ada):
    made = ratings.attempt(ada, PUZZLE, PUZZLE.answer)
    assert made.solved
    assert made.rating_before == AVERAGE < made.rating_after
    assert PuzzleSolver.objects.get(user=ada, game="kalah").rating == made.rating_after
    assert PuzzleRating.objects.get(puzzle=KEY).rating == pytest.approx(2 * AVERAGE - made.rating_after)


@pytest.mark.parametrize("move", [WRONG, "", "nonsense"])
def test_who_fails_loses(ada, move):
    made = ratings.attempt(ada, PUZZLE, move)
    assert not made.solved
    assert made.rating_after < AVERAGE < PuzzleRating.objects.get(puzzle=KEY).rating


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


def test_the_page_rates_accounts_alone(client, ada):
    assert "data-rated" not in client.get(f"/puzzles/kalah/{KEY}").text
    assert client.post(ADDRESS, {"move": PUZZLE.answer}).json() == {"before": None, "after": None}
    client.force_login(User.objects.create_user("Guest", is_guest=True))
    assert client.post(ADDRESS, {"move": PUZZLE.answer}).json() == {"before": None, "after": None}
    client.force_login(ada)
    assert f'data-rated="{ADDRESS}"' in client.get(f"/puzzles/kalah/{KEY}").text
    told = client.post(ADDRESS, {"move": PUZZLE.answer}).json()
    assert told["before"] == AVERAGE < told["after"]
    assert client.post("/puzzles/kalah/nothing/attempt").status_code == 404
