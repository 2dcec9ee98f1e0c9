"""Who is given advice on the match page: newcomers against the lowest level, until they have won."""

import pytest

from games.models import Match
from games.play import begin
from games.registry import GAMES
from games.rules.base import Leave
from lobby.tables import computers
from tests.helpers import finished

KALAH = GAMES["kalah"]
CIRCLE = KALAH.rules.PRESETS["circle"]


def against(person, level=1):
    computer = computers.seat(KALAH, level)
    return begin.create("kalah", CIRCLE, [person, computer], levels={1: level})


def is_coached(client, match):
    return 'id="coach"' in client.get(f"/m/{match.pk}").content.decode()


def end(match, *winners):
    outcome = f'{{"winners":[{",".join(map(str, winners))}],"reason":"swept","scores":[0,0]}}'
    Match.objects.filter(pk=match.pk).update(outcome=outcome, status=Match.Status.FINISHED)


@pytest.fixture
def newcomer(client, ulno):
    client.force_login(ulno)
    return client


def test_a_newcomer_at_the_lowest_level_is(newcomer, ulno):
    assert is_coached(newcomer, against(ulno))


def test_coach_absent_at_other_level(newcomer, ulno):
    assert not is_coached(newcomer, against(ulno, level=2))


def test_coach_absent_between_people(newcomer, ulno, artjom):
    assert not is_coached(newcomer, begin.create("kalah", CIRCLE, [ulno, artjom]))


def test_coach_absent_for_spectator(client, ulno):
    assert not is_coached(client, against(ulno))


def test_coach_absent_after_first_win(newcomer, ulno):
    end(against(ulno), 0)
    assert not is_coached(newcomer, against(ulno))


def test_coach_present_after_losses(newcomer, ulno):
    end(against(ulno), 1)
    assert is_coached(newcomer, against(ulno))


def test_a_draw_is_no_win(newcomer, ulno):
    end(against(ulno), 0, 1)
    assert is_coached(newcomer, against(ulno))


def test_a_match_that_is_over_is_shown_without(newcomer, ulno):
    match = finished.play(against(ulno), Leave(0, "resigned"))
    assert not is_coached(newcomer, match)
