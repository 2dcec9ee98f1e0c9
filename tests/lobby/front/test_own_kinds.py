"""What a user has of the kinds that the front page shows."""

import pytest

from games.models import Match
from games.play import begin
from games.registry import GAMES
from games.rules.base import Leave
from lobby.front.own_kinds import OwnKinds, own_kinds
from lobby.people.models import User
from lobby.ratings.results import settle
from lobby.tables import computers
from tests.helpers import finished

pytestmark = pytest.mark.django_db

KALAH = GAMES["kalah"]


def saved(ulno, artjom):
    Match.objects.filter(pk=finished.begun([ulno, artjom]).pk).update(status=Match.Status.SAVED)


def held(ulno, _artjom):
    match = begin.create_shared("kalah", KALAH.rules.Options(), ["Anna", "Bert"], ulno)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)


def unsettled(ulno, artjom):
    finished.won([ulno, artjom])


def missed(ulno, artjom):
    match = finished.play(finished.begun([artjom, ulno]), "1", "1", Leave(1, "abandoned"))
    settle(match.pk)


def beaten(ulno, _artjom):
    match = begin.create(
        "kalah", KALAH.rules.Options(), [ulno, *computers.seat_all(KALAH, [1])], levels={1: 1}
    )
    settle(finished.play(match, "1", "1", Leave(1, "resigned")).pk)


@pytest.mark.parametrize(
    ("happened", "found"),
    [
        (saved, OwnKinds(has_saved=True)),
        (held, OwnKinds(has_held=True)),
        (unsettled, OwnKinds(has_unsettled=True)),
        (missed, OwnKinds(has_misses=True, has_finished=True)),
        (beaten, OwnKinds(has_beaten=True, has_finished=True)),
    ],
)
def test_each_kind_is_found_for_the_user_only(ulno, artjom, happened, found):
    happened(ulno, artjom)
    assert own_kinds(ulno.pk) == found
    somebody = User.objects.create_user("Ludmilla")
    assert own_kinds(somebody.pk) == own_kinds(None) == OwnKinds()
