"""Rounds by one press: who is here plays, over lessons; the ladder; the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.domain.refusals import Refused
from games.play import begin
from lobby.classes import pupils, teachers
from lobby.classes.models import SchoolClass
from lobby.lessons import ladder, rounds, visibility
from lobby.lessons.models import ClassRound
from lobby.lessons.rounds import Chosen
from lobby.people.models import User
from lobby.people.presence import presence
from lobby.ratings import results
from lobby.tournaments import next_matches, organising, tournaments, verification
from lobby.tournaments import visibility as of_tournaments
from lobby.tournaments.models import Tournament
from tests.helpers import tournaments as playing
from tests.helpers.tournaments import command, look, people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everybody_makes_classes")]

KALAH = Chosen("kalah", "5+3")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The ids of the users who have a page open."""
    online = set[int]()
    monkeypatch.setattr(presence, "online", lambda: frozenset(online))
    return online


def come(school_class: SchoolClass, names: str, here: set[int]) -> list[User]:
    teacher = school_class.teachers.get().user
    there = pupils.add(teacher, school_class.code, names.replace(" ", "\n"), command())
    here.update(there)
    return list(User.objects.filter(pk__in=there).order_by("pk"))


def paired(school_class: SchoolClass, chosen: Chosen = KALAH) -> ClassRound:
    teacher = school_class.teachers.get().user
    made = rounds.pair(teacher, school_class.code, chosen, command())
    assert made is not None
    look(made.tournament)
    return made


def tables(made: ClassRound) -> list[set[str]]:
    """The names at each table."""
    sheet = rounds.boards(made.school_class)
    return [{side.player.name for side in board.table.sides} for board in sheet if board.round == made.number]


def play(made: ClassRound, seats: Iterable[int] = ()) -> None:
    playing.play_round(made.tournament, list(seats))
    look(made.tournament)


def refused(service: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        service(*arguments, command())
    assert caught.value.words
    return caught.value.code


def log_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    return client


class TestPairing:
    def test_who_is_here_plays_and_rounds_are_numbered_over_lessons(
        self, fifth: SchoolClass, here: set[int]
    ) -> None:
        ann, _bo, cleo, dan = come(fifth, "Ann Bo Cleo Dan", here)
        here.remove(dan.pk)
        first = paired(fifth)
        assert sorted(map(len, tables(first))) == [1, 2]
        play(first)
        # The next lesson: Bo is ill, and somebody has come from another school.
        here.clear()
        here.update({ann.pk, cleo.pk, dan.pk})
        come(fifth, "Eva", here)
        second = paired(fifth, Chosen("morris", ""))
        assert second.number == 2
        assert set.union(*tables(second)) == {"Ann", "Cleo", "Dan", "Eva"}
        assert rounds.last_chosen(fifth) == Chosen("morris", "")
        assert verification.breaches(first.tournament) == []

    def test_pupils_are_told_the_round_of_the_class(self, fifth: SchoolClass, here: set[int]) -> None:
        ann, _bo = come(fifth, "Ann Bo", here)
        play(paired(fifth))
        paired(fifth)
        (told,) = next_matches.next_matches(ann.pk)
        assert (told["name"], told["round"], told["opponents"]) == ("5b", 2, ["Bo"])

    def test_a_round_is_called_in_the_language_of_the_reader(
        self, fifth: SchoolClass, here: set[int]
    ) -> None:
        come(fifth, "Ann Bo", here)
        with translation.override("ru"):
            made = paired(fifth)
        assert made.tournament.title_in_words == "5b · Round 1"
        with translation.override("et"):
            assert made.tournament.title_in_words == "5b · 1. voor"

    def test_a_press_pairs_once(self, ada: User, fifth: SchoolClass, here: set[int]) -> None:
        come(fifth, "Ann Bo", here)
        once = command()
        first, second = (rounds.pair(ada, fifth.code, KALAH, once) for _ in range(2))
        assert first == second
        assert fifth.class_rounds.count() == 1

    def test_nobody_meets_again_before_it_must_be(self, fifth: SchoolClass, here: set[int]) -> None:
        come(fifth, "Ann Bo Cleo Dan", here)
        seen = []
        for _ in range(3):
            made = paired(fifth)
            seen += [frozenset(each) for each in tables(made)]
            play(made)
        assert len(set(seen)) == 6
        assert len(tables(paired(fifth))) == 2

    def test_whoever_still_plays_is_not_paired(self, fifth: SchoolClass, here: set[int]) -> None:
        come(fifth, "Ann Bo", here)
        first = paired(fifth)
        come(fifth, "Cleo Dan", here)
        second = paired(fifth)
        assert tables(second) == [{"Cleo", "Dan"}]
        assert len(rounds.boards(fifth)) == 2
        assert {board.round for board in rounds.boards(fifth)} == {first.number, second.number}

    @pytest.mark.parametrize(("level", "sides"), [(0, 1), (1, 2)])
    def test_the_odd_one_waits_or_plays_the_computer(
        self, fifth: SchoolClass, here: set[int], level: int, sides: int
    ) -> None:
        come(fifth, "Ann Bo Cleo", here)
        over = []
        for _ in range(3):
            made = paired(fifth, KALAH._replace(level=level))
            last = rounds.boards(fifth)[-1].table
            assert len(last.sides) == sides
            over.append(last.sides[0].player.name)
            rounds.stop(made.tournament.organiser, fifth.code, command())
            look(made.tournament)
        assert sorted(over) == ["Ann", "Bo", "Cleo"]

    def test_pairing_needs_somebody(self, ada: User, fifth: SchoolClass, here: set[int]) -> None:
        assert refused(rounds.pair, ada, fifth.code, KALAH) == "nobody-to-pair"
        come(fifth, "Ann", here)
        assert refused(rounds.pair, ada, fifth.code, KALAH) == "nobody-to-pair"
        assert tables(paired(fifth, KALAH._replace(level=1)))[0] > {"Ann"}

    @pytest.mark.parametrize(
        "chosen", [Chosen("chess", ""), Chosen("kalah", "3d"), Chosen("kalah", "", 99)], ids=repr
    )
    def test_a_round_that_does_not_fit_is_refused(
        self, ada: User, fifth: SchoolClass, here: set[int], chosen: Chosen
    ) -> None:
        come(fifth, "Ann Bo", here)
        assert refused(rounds.pair, ada, fifth.code, chosen) == "bad-round"

    def test_only_teachers_act(self, fifth: SchoolClass, here: set[int]) -> None:
        ann, _bo = come(fifth, "Ann Bo", here)
        (other,) = people("Other")
        for user in (ann, other):
            assert refused(rounds.pair, user, fifth.code, KALAH) == "unknown-class"
            for service in (rounds.stop, ladder.begin, ladder.end):
                assert refused(service, user, fifth.code) == "unknown-class"

    def test_matches_end_by_a_press_without_a_result(
        self, ada: User, fifth: SchoolClass, here: set[int]
    ) -> None:
        come(fifth, "Ann Bo", here)
        made = paired(fifth)
        rounds.stop(ada, fifth.code, command())
        assert look(made.tournament).state == Tournament.State.FINISHED
        assert len(rounds.free(fifth)) == 2
        # They have not met.
        assert rounds.boards(fifth)[0].table.note == "Annulled"

    def test_a_round_is_for_the_class_only(self, ada: User, fifth: SchoolClass, here: set[int]) -> None:
        ann, _bo = come(fifth, "Ann Bo", here)
        (other,) = people("Other")
        made = paired(fifth)
        page = f"/tournament/{made.tournament_id}"
        assert [log_in(user).get(page).status_code for user in (ada, ann, other)] == [200, 200, 404]
        assert Client().get(page).status_code == 404
        assert organising.may_organise(ada, tournaments.find(made.tournament_id))
        assert not organising.may_organise(ann, tournaments.find(made.tournament_id))
        assert list(tournaments.listed(Tournament.State.RUNNING)) == []


class TestLadder:
    def test_matches_within_the_class_count(self, ada: User, fifth: SchoolClass, here: set[int]) -> None:
        ann, bo, cleo = come(fifth, "Ann Bo Cleo", here)
        assert ladder.lines(fifth, [ann, bo, cleo]) == []
        ladder.begin(ada, fifth.code, command())
        for users in ([ann, bo], [ann, ada], [bo, ann]):
            results.settle(playing.win(begin.create("kalah", playing.CIRCLE, users)).pk)
        found = ladder.lines(fifth, [ann, bo, cleo])
        assert [(line.rank, line.pupil.first_name, line.points, line.played) for line in found] == [
            (1, "Ann", "1", 2),
            (1, "Bo", "1", 2),
            (None, "Cleo", "0", 0),
        ]
        ladder.begin(ada, fifth.code, command())
        assert {line.played for line in ladder.lines(fifth, [ann, bo, cleo])} == {0}
        ladder.end(ada, fifth.code, command())
        assert ladder.lines(fifth, [ann, bo, cleo]) == []


class TestPages:
    def test_a_teacher_pairs_and_stops(self, ada: User, fifth: SchoolClass, here: set[int]) -> None:
        come(fifth, "Ann Bo Cleo", here)
        client, page = log_in(ada), f"/class/{fifth.code}/lesson"
        assert "3 pupils are here and free." in client.get(page).text
        client.post(f"/class/{fifth.code}/round", {"game": "kalah", "clock": "", "level": "0"})
        # The match does not exist yet.
        assert re.search(r">\w+ – \w+</div>", client.get(page).text)
        look(fifth.class_rounds.get().tournament)
        shown = client.get(page).text
        assert "Pair round 2" in shown
        assert "1 pupil is here and free." in shown
        client.post(f"/class/{fifth.code}/ladder")
        assert 'id="ladder-title"' in client.get(page).text
        client.post(f"/class/{fifth.code}/stop")
        assert "End all matches" not in client.get(page).text
        wrong = client.post(f"/class/{fifth.code}/round", {"game": "chess", "level": "0"}, follow=True)
        assert "These settings cannot be combined." in wrong.text

    def test_pages_are_for_teachers(self, fifth: SchoolClass, here: set[int]) -> None:
        ann, _bo = come(fifth, "Ann Bo", here)
        (other,) = people("Other")
        for user in (ann, other):
            client = log_in(user)
            for path in ("lesson", "wall", "wall/version", *(["lesson/version"] if user == other else [])):
                assert client.get(f"/class/{fifth.code}/{path}").status_code == 404
            for act in ("round", "stop", "ladder", "no-ladder"):
                sent = {"game": "kalah", "level": "0"}
                assert client.post(f"/class/{fifth.code}/{act}", sent).status_code == 404

    def test_pupils_see_their_match_and_the_ladder(
        self, ada: User, fifth: SchoolClass, here: set[int]
    ) -> None:
        ann, _bo = come(fifth, "Ann Bo", here)
        ladder.begin(ada, fifth.code, command())
        client, page = log_in(ann), f"/class/{fifth.code}"
        before = client.get(f"{page}/lesson/version").json()["version"]
        assert f'data-version="{before}"' in client.get(page).text
        (match,) = playing.matches_of(paired(fifth).tournament)
        assert client.get(f"{page}/lesson/version").json()["version"] != before
        shown = client.get(page).text
        assert f'data-matches="{match.pk} "' in shown
        assert 'id="ladder-title"' in shown

    def test_the_version_follows_what_is_shown(self, ada: User, fifth: SchoolClass, here: set[int]) -> None:
        client, path = log_in(ada), f"/class/{fifth.code}/lesson/version"
        ann, bo = come(fifth, "Ann Bo", here)
        seen = [client.get(path).json()["version"]]
        here.remove(bo.pk)
        seen.append(client.get(path).json()["version"])
        here.add(bo.pk)
        assert client.get(path).json()["version"] == seen[0]
        made = paired(fifth)
        seen.append(client.get(path).json()["version"])
        play(made)
        seen.append(client.get(path).json()["version"])
        pupils.rename(ada, fifth.code, ann.pk, "Anna", command())
        seen.append(client.get(path).json()["version"])
        assert len(set(seen)) == len(seen)

    def test_the_wall_needs_its_link_and_no_session(
        self, ada: User, fifth: SchoolClass, here: set[int]
    ) -> None:
        come(fifth, "Ann Bo Cleo", here)
        wall, path = Client(), visibility.wall_link(fifth, ada.pk)
        assert "3 pupils are here" in wall.get(path).text
        made = paired(fifth)
        shown = wall.get(path).text
        assert shown.count("<figure>") == 1
        assert "plays in the next round." in shown
        (match,) = playing.matches_of(made.tournament)
        token = path.partition("?")[2]
        board = f"/class/{fifth.code}/wall/{match.pk}.svg"
        assert wall.get(f"{board}?{token}").status_code == 200
        assert wall.get(board).status_code == 404
        other = begin.create("kalah", playing.CIRCLE, people("Other Another"))
        assert wall.get(f"/class/{fifth.code}/wall/{other.pk}.svg?{token}").status_code == 404

    def test_the_wall_of_a_teacher_who_left_shows_nothing(self, ada: User, fifth: SchoolClass) -> None:
        (bo,) = people("Bo")
        teachers.invite(ada, fifth.code, "Bo", command())
        teachers.accept(bo, fifth.code, command())
        links = [visibility.wall_link(fifth, each.pk) for each in (ada, bo)]
        teachers.leave(ada, fifth.code, command())
        assert [Client().get(link).status_code for link in links] == [404, 200]

    def test_the_wall_shows_no_boards_of_past_rounds(
        self, ada: User, fifth: SchoolClass, here: set[int]
    ) -> None:
        come(fifth, "Ann Bo", here)
        token = visibility.wall_link(fifth, ada.pk).partition("?")[2]
        boards = []
        for _ in range(2):
            made = paired(fifth)
            boards.append(playing.matches_of(made.tournament)[0].pk)
            play(made)
        shown = [Client().get(f"/class/{fifth.code}/wall/{each}.svg?{token}").status_code for each in boards]
        assert shown == [404, 200]

    @pytest.mark.parametrize("ending", ["over", "left"])
    def test_the_wall_of_a_round_ends_with_it_and_with_the_right_of_its_teacher(
        self, ada: User, fifth: SchoolClass, here: set[int], ending: str
    ) -> None:
        come(fifth, "Ann Bo", here)
        made = paired(fifth)
        link = of_tournaments.wall_link(made.tournament)
        assert "Ann" in Client().get(link).text
        if ending == "over":
            play(made)
        else:
            (bo,) = people("Bo")
            teachers.invite(ada, fifth.code, "Bo", command())
            teachers.accept(bo, fifth.code, command())
            teachers.leave(ada, fifth.code, command())
        assert Client().get(link).status_code == 404

    def test_a_page_of_many_pupils_takes_as_many_queries(
        self, ada: User, fifth: SchoolClass, here: set[int]
    ) -> None:
        client, wall = log_in(ada), visibility.wall_link(fifth, ada.pk)
        asked = []
        for size in (4, 56):
            come(fifth, " ".join(f"P{size}-{number}" for number in range(size)), here)
            made = paired(fifth)
            found = []
            for path in (f"/class/{fifth.code}/lesson", f"/class/{fifth.code}/lesson/version", wall):
                client.get(path)
                with CaptureQueriesContext(connection) as queries:
                    client.get(path)
                found.append(len(queries))
            asked.append(found)
            play(made)
        assert asked[0] == asked[1]
        assert max(asked[1]) < 30
