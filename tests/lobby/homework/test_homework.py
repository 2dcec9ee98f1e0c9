"""Homework: given by teachers, done by pupils, and shown to both."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.domain.refusals import Refused
from games.play import begin
from games.puzzles import collection
from games.registry import GAMES
from lobby.classes import classes, pupils
from lobby.classes.models import SchoolClass
from lobby.courses import progress as courses
from lobby.homework import homework, views
from lobby.homework.homework import MOST, Task
from lobby.people.models import User
from lobby.ratings import results
from lobby.tables import computers
from tests.helpers import tournaments as playing
from tests.helpers.studies import study_of
from tests.helpers.tournaments import command, people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everybody_makes_classes")]

DUE = date(2099, 1, 31)
PUZZLES = list(collection.by_game()["kalah"].values())[:3]
SET = ".".join(each.key for each in PUZZLES)
LESSONS = len(GAMES["kalah"].course.lessons)


@pytest.fixture
def mari(ada: User, fifth: SchoolClass) -> User:
    return come(ada, fifth, "Mari")


def come(ada: User, school_class: SchoolClass, name: str) -> User:
    (pupil,) = pupils.add(ada, school_class.code, name, command())
    return User.objects.get(pk=pupil)


def give(ada: User, fifth: SchoolClass, task: Task) -> None:
    homework.give(ada, fifth.code, task, DUE, command())


def shown(pupil: User) -> list[str]:
    return [each.progress.words for each in views.of_pupil(pupil) if each.progress]


def refusal(service: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        service(*arguments)
    assert caught.value.words
    return caught.value.code


def log_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    return client


class TestProgress:
    def test_puzzles_of_a_set_that_were_tried_and_solved(
        self, ada: User, fifth: SchoolClass, mari: User
    ) -> None:
        give(ada, fifth, homework.puzzle_set(f"https://play.example/puzzles/kalah?set={SET}"))
        assert shown(mari) == ["0 of 3, 0 right"]
        client = log_in(mari)
        for each, move in zip(PUZZLES, (PUZZLES[0].answer, None), strict=False):
            address = f"/puzzles/kalah/{each.key}"
            client.post(f"{address}/moves/{move}" if move else f"{address}/answer")
        assert shown(mari) == ["2 of 3, 1 right"]

    def test_lessons_of_a_course(self, ada: User, fifth: SchoolClass, mari: User) -> None:
        give(ada, fifth, homework.course("kalah"))
        assert log_in(mari).post("/courses", {"kalah": "3"}).status_code == 204
        assert shown(mari) == [f"3 of {LESSONS}"]
        courses.note(mari, {"kalah": LESSONS})
        assert views.of_pupil(mari)[0].progress.complete

    def test_a_study_that_was_read(self, ada: User, fifth: SchoolClass, mari: User) -> None:
        give(ada, fifth, homework.study(ada, study_of(ada, "unlisted").pk))
        (piece,) = homework.of(fifth)
        other = come(ada, classes.make(ada, "6a", command()), "Mari")
        assert refusal(homework.read, other, fifth.code, piece.pk, command()) == "unknown-class"
        assert shown(mari) == ["0 of 1"]
        log_in(mari).post(f"/class/{fifth.code}/homework/read", {"piece": piece.pk})
        assert shown(mari) == ["1 of 1"]

    def test_matches_against_a_level_since_it_was_given(
        self, ada: User, fifth: SchoolClass, mari: User
    ) -> None:
        def play(level: int) -> None:
            computer = computers.seat(GAMES["kalah"], level)
            match = begin.create("kalah", playing.CIRCLE, [mari, computer], levels={1: level})
            results.settle(playing.win(match, at=timezone.now()).pk)

        play(2)
        give(ada, fifth, homework.computer("kalah", 2, 2))
        assert shown(mari) == ["0 of 2"]
        play(1)
        play(2)
        assert shown(mari) == ["1 of 2"]
        play(2)
        play(2)
        assert shown(mari) == ["2 of 2"]

    def test_homework_is_late_after_its_day_until_it_is_done(
        self, ada: User, fifth: SchoolClass, mari: User
    ) -> None:
        give(ada, fifth, homework.course("kalah"))
        assert not views.of_pupil(mari)[0].late
        assert "Kalah: How to play well" in log_in(mari).get(f"/class/{fifth.code}").text
        fifth.homework.update(due=timezone.localdate() - timedelta(days=1))
        assert views.of_pupil(mari)[0].late
        courses.note(mari, {"kalah": LESSONS})
        assert not views.of_pupil(mari)[0].late


class TestGiving:
    @pytest.mark.parametrize(
        "link",
        [
            "",
            "nonsense",
            "/puzzles/kalah",
            "/puzzles/kalah?set=x",
            "/rules?set=x",
            "/puzzles/go?set=x",
            "http://[",
        ],
    )
    def test_other_links_are_no_sets(self, link: str) -> None:
        assert refusal(homework.puzzle_set, link) == "no-set"

    def test_homework_that_does_not_fit_is_refused(self, ada: User) -> None:
        (bo,) = people("Bo")
        assert refusal(homework.course, "chess") == "bad-homework"
        assert refusal(homework.computer, "kalah", 99, 3) == "bad-homework"
        assert refusal(homework.computer, "kalah", 1, 0) == "bad-homework"
        assert refusal(homework.study, ada, study_of(bo, "public").pk) == "bad-homework"
        assert refusal(homework.study, ada, study_of(ada).pk) == "not-readable"

    def test_a_class_has_so_much_homework_at_most(self, ada: User, fifth: SchoolClass) -> None:
        for _ in range(MOST):
            give(ada, fifth, homework.course("kalah"))
        assert refusal(give, ada, fifth, homework.course("kalah")) == "too-much-homework"

    def test_teachers_take_it_back(self, ada: User, fifth: SchoolClass) -> None:
        give(ada, fifth, homework.course("kalah"))
        (piece,) = homework.of(fifth)
        elsewhere = classes.make(ada, "6a", command())
        assert refusal(homework.take_back, ada, elsewhere.code, piece.pk, command()) == "unknown-homework"
        homework.take_back(ada, fifth.code, piece.pk, command())
        assert list(homework.of(fifth)) == []

    def test_only_teachers_give(self, fifth: SchoolClass, mari: User) -> None:
        (other,) = people("Other")
        for user in (mari, other):
            task = homework.course("kalah")
            assert refusal(homework.give, user, fifth.code, task, DUE, command()) == "unknown-class"
            client, page = log_in(user), f"/class/{fifth.code}/homework"
            assert client.get(page).status_code == 404
            assert client.get(f"/class/{fifth.code}/progress.csv").status_code == 404
            for act in ("puzzles", "course", "study", "matches", "take-back"):
                assert client.post(f"{page}/{act}", {}).status_code == 404


class TestPages:
    def test_teachers_give_by_forms(self, ada: User, fifth: SchoolClass) -> None:
        client, page = log_in(ada), f"/class/{fifth.code}/homework"
        study = study_of(ada, "unlisted").pk
        sent = {
            "puzzles": {"link": f"/puzzles/kalah?set={SET}"},
            "course": {"game": "kalah"},
            "study": {"study": study},
            "matches": {"game": "kalah", "level": "1", "count": "3"},
        }
        for kind, values in sent.items():
            assert client.post(f"{page}/{kind}", {**values, "due": "2099-01-31"}).status_code == 302, kind
        assert [each.kind for each in homework.of(fifth)] == list(sent)
        shown = client.get(page).text
        assert "Kalah: 3 puzzles" in shown
        assert "Kalah: 3 matches against the computer at level 1" in shown

    def test_what_was_refused_is_there_to_be_corrected(self, ada: User, fifth: SchoolClass) -> None:
        client, page = log_in(ada), f"/class/{fifth.code}/homework"
        wrong = client.post(f"{page}/puzzles", {"link": "nonsense", "due": "2099-01-31"})
        assert wrong.status_code == 422
        assert 'value="nonsense"' in wrong.text
        past = client.post(f"{page}/course", {"game": "kalah", "due": "2020-01-31"})
        assert "Choose today or a later day." in past.text

    def test_the_table_is_no_formula(self, ada: User, fifth: SchoolClass) -> None:
        come(ada, fifth, "=1+1")
        give(ada, fifth, homework.course("kalah"))
        told = log_in(ada).get(f"/class/{fifth.code}/progress.csv").content.decode("utf-8-sig")
        assert list(csv.reader(told.splitlines())) == [
            ["Pupil", "Kalah: How to play well", "Points", "Matches"],
            ["'=1+1", f"0 of {LESSONS}", "0", "0"],
        ]

    def test_the_table_of_many_pupils_takes_as_many_queries(self, ada: User, fifth: SchoolClass) -> None:
        give(ada, fifth, homework.course("kalah"))
        give(ada, fifth, homework.computer("kalah", 1, 2))
        give(ada, fifth, homework.puzzle_set(f"/puzzles/kalah?set={SET}"))
        client, asked = log_in(ada), []
        for size in (2, 50):
            names = "\n".join(f"P{size}-{number}" for number in range(size))
            pupils.add(ada, fifth.code, names, command())
            with CaptureQueriesContext(connection) as queries:
                client.get(f"/class/{fifth.code}/homework")
            asked.append(len(queries))
        assert asked[0] == asked[1] < 20
