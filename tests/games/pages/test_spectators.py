"""Who looks on reads so, and finds how to play."""

import pytest

from lobby.people.models import User
from tests.helpers import finished

pytestmark = pytest.mark.django_db

WORDS = ("You are watching", 'href="/new/kalah">Play this game')


@pytest.fixture
def users():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


def test_a_spectator_of_a_match_reads_so_and_finds_how_to_play(client, users):
    page = client.get(f"/m/{finished.begun(users).pk}").text
    assert all(words in page for words in WORDS)


def test_players_and_whoever_reads_a_finished_match_do_not(client, users):
    assert not any(words in client.get(f"/m/{finished.won(users).pk}").text for words in WORDS)
    match = finished.begun(users)
    client.force_login(users[0])
    assert not any(words in client.get(f"/m/{match.pk}").text for words in WORDS)
