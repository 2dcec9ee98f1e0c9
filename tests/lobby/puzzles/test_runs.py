"""Streaks and storms of puzzles."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.puzzles import collection, difficulty
from games.rules.base import IllegalMove
from lobby.accounts import deletion, export
from lobby.people.models import User
from lobby.puzzles import runs
from lobby.puzzles.models import PuzzleAttempt, PuzzleBest, PuzzleRun
from lobby.puzzles.runs import STORM, STREAK, TooManyRuns

pytestmark = pytest.mark.django_db

SOMEWHERE = "192.0.2.1"


@pytest.fixture
def ada():
    return User.objects.create_user("Ada")


@pytest.fixture
def clock():
    with time_machine.travel("2026-12-05 12:00:00+00:00", tick=False) as traveller:
        yield traveller


def begun(kind, user=None, slug="kalah"):
    return runs.begin(user, SOMEWHERE, slug, kind)


def puzzle_of(run):
    return runs.current(run, timezone.now()).puzzle


def wrong(puzzle):
    return next(move for move in puzzle.worth if move != puzzle.answer)


def solve(run, user=None):
    return runs.answer(run.key, user, len(run.results), puzzle_of(run).answer)


def fail(run, user=None):
    return runs.answer(run.key, user, len(run.results), wrong(puzzle_of(run)))


def is_over(run):
    return runs.is_over(run, timezone.now())


@pytest.mark.parametrize("slug", collection.by_game())
def test_the_puzzles_of_a_run_differ_and_get_harder(slug):
    keys = begun(STREAK, slug=slug).puzzles.split(runs.SEPARATOR)
    told = [difficulty.ratings(slug)[key] for key in keys]
    assert len(set(keys)) == runs.LENGTH
    assert told == sorted(told)


def test_a_streak_ends_with_the_first_mistake():
    run = solve(solve(begun(STREAK)))
    assert (runs.score(run), is_over(run), runs.deadline(run)) == (2, False, None)
    missed = puzzle_of(run)
    run = fail(run)
    assert (runs.score(run), is_over(run)) == (2, True)
    assert runs.missed(run) == [missed.key]
    assert puzzle_of(run) == missed
    assert runs.answer(run.key, None, 3, missed.answer).results == "110"


def test_a_run_is_over_when_all_is_solved(monkeypatch):
    monkeypatch.setattr(runs, "LENGTH", 2)
    assert is_over(solve(solve(begun(STREAK))))


def test_a_storm_lasts_three_minutes_from_its_first_answer(clock):
    run = begun(STORM)
    clock.shift(timedelta(hours=1))
    run = solve(run)
    clock.shift(runs.STORM_LASTS - timedelta(seconds=1))
    run = solve(run)
    assert not is_over(run)
    clock.shift(timedelta(seconds=1))
    assert is_over(run)
    assert runs.answer(run.key, None, 2, puzzle_of(run).answer).results == "11"


def test_a_mistake_in_a_storm_costs_ten_seconds_and_the_combo(clock):
    run = fail(solve(begun(STORM)))
    assert (runs.combo(run), is_over(run)) == (0, False)
    assert runs.deadline(run) == timezone.now() + timedelta(seconds=170)


@pytest.mark.parametrize(
    ("in_a_row", "seconds"), [(4, 180), (5, 183), (12, 188), (20, 195), (30, 205), (40, 215)]
)
def test_right_answers_in_a_row_gain_time(clock, in_a_row, seconds):
    run = begun(STORM)
    run.results, run.started = runs.RIGHT * in_a_row, timezone.now()
    assert runs.deadline(run) == timezone.now() + timedelta(seconds=seconds)
    assert runs.combo(run) == in_a_row


def test_an_answer_that_comes_again_changes_nothing():
    run = begun(STREAK)
    puzzle = puzzle_of(run)
    for number in (0, 0, 5):
        assert runs.answer(run.key, None, number, puzzle.answer).results == "1"


def test_an_illegal_move_changes_nothing():
    run = begun(STREAK)
    with pytest.raises(IllegalMove):
        runs.answer(run.key, None, 0, "99")
    assert PuzzleRun.objects.get().results == ""


def test_the_best_run_of_an_account_is_kept_for_each_game_and_kind(ada):
    fail(solve(solve(begun(STREAK, ada), ada), ada), ada)
    fail(solve(begun(STREAK, ada), ada), ada)
    solve(begun(STORM, ada, "morris"), ada)
    assert runs.bests(ada.pk) == {"kalah": {STREAK: 2}, "morris": {STORM: 1}}
    assert export.everything_about(ada)["puzzle_runs"] == runs.bests(ada.pk)
    deletion.forget(ada.pk)
    assert not PuzzleBest.objects.exists()
    assert not PuzzleRun.objects.exists()


def test_a_run_rates_nobody(ada):
    solve(begun(STREAK, ada), ada)
    assert not PuzzleAttempt.objects.exists()


def test_runs_are_limited_by_account_and_by_network(ada, settings):
    for user in (None, ada):
        for _ in range(settings.PUZZLE_RUN_LIMIT.count):
            begun(STREAK, user)
        with pytest.raises(TooManyRuns):
            begun(STREAK, user)


def test_runs_are_deleted_after_a_day(clock):
    begun(STREAK)
    clock.shift(runs.KEPT_FOR + timedelta(seconds=1))
    later = begun(STREAK)
    assert PuzzleRun.objects.get() == later


@pytest.mark.parametrize("kind", runs.KINDS)
def test_a_visitor_plays_on_the_page_of_a_run(client, kind):
    address = client.post(f"/puzzles/kalah/{kind}")["Location"]
    run = PuzzleRun.objects.get()
    assert client.get(address).context["position"]["results"] == ""
    told = client.post(address, {"number": 0, "move": puzzle_of(run).answer}).json()
    assert (told["results"], told["score"], told["over"], told["best"]) == ("1", 1, False, 0)
    assert (told["left"] is None) == (kind == STREAK)
    assert client.post(address).json()["results"] == "1"
    assert client.post(address, {"number": 1, "move": "99"}).status_code == 422
    run.refresh_from_db()
    missed = puzzle_of(run)
    told = client.post(address, {"number": 1, "move": wrong(missed)}).json()
    assert told["over"] == (kind == STREAK)
    assert told["missed"] == (f"/puzzles/kalah?set={missed.key}" if told["over"] else None)


def test_nobody_else_sees_the_run_of_an_account(client, ada):
    client.force_login(ada)
    address = client.post("/puzzles/kalah/storm")["Location"]
    assert client.get(address).status_code == 200
    client.force_login(User.objects.create_user("Bo"))
    assert client.get(address).status_code == 404
    client.logout()
    assert client.post(address, {"number": 0, "move": "1"}).status_code == 404


def test_the_archive_begins_runs_and_shows_the_best(client, ada):
    solve(begun(STORM, ada), ada)
    client.force_login(ada)
    text = client.get("/puzzles/kalah").text
    assert 'action="/puzzles/kalah/storm"' in text
    assert "best 1" in text


def test_too_many_runs_are_refused_in_words(client, settings):
    for _ in range(settings.PUZZLE_RUN_LIMIT.count):
        begun(STREAK)
    answer = client.post("/puzzles/kalah/streak", REMOTE_ADDR=SOMEWHERE)
    assert answer.status_code == 429
    assert TooManyRuns.sentence in answer.text


def test_a_game_without_puzzles_has_no_runs(client):
    assert client.post("/puzzles/aces/storm").status_code == 404
    assert client.get("/puzzles/run/nothing").status_code == 404
