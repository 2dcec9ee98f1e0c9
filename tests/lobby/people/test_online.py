"""The people online: who is listed, what is told of them, and whom one may challenge."""

import pytest
from django.test import Client

from games.domain.terms import Terms
from games.play import begin
from games.registry import GAMES
from lobby.people import following, preferences, relationships
from lobby.people.models import User
from lobby.people.online import seen_by
from lobby.people.presence import presence

pytestmark = pytest.mark.django_db

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]


@pytest.fixture
def here(monkeypatch):
    """Says who has a page open."""

    def are(*people):
        ids = frozenset(person.pk for person in people)
        monkeypatch.setattr(presence, "online", lambda: ids)
        monkeypatch.setattr(presence, "is_online", lambda user_id: user_id in ids)

    return are


def names(user_id=None):
    return [person.username for person in seen_by(user_id)]


def page_of(user=None, address="/people/online"):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(address).text


def test_people_are_listed_by_name_without_computers_and_the_banned(here, ulno, artjom):
    bot = User.objects.create_user("Robot-Arm", is_bot=True)
    gone = User.objects.create_user("Gone-Goose", is_active=False)
    here(ulno, artjom, bot, gone)
    assert names() == ["Artjom", "Ulno"]


def test_online_hidden_user_not_listed_and_not_seen_by_followers(here, ulno, artjom):
    relationships.follow(ulno, artjom)
    preferences.save(artjom, "online", "hidden")
    artjom.refresh_from_db()
    here(ulno, artjom)
    assert names(ulno.pk) == ["Ulno"]
    (standing,) = following.followed([ulno.pk])[ulno.pk]
    assert (standing.online, standing.words) == (False, "")
    assert "You are not on this list." in page_of(artjom)


def test_people_who_block_one_another_do_not_see_each_other(here, ulno, artjom):
    relationships.block(ulno, artjom)
    here(ulno, artjom)
    assert (names(ulno.pk), names(artjom.pk)) == (["Ulno"], ["Artjom"])
    found = page_of(artjom, "/people?find=Ulno")
    assert "data-here" not in found[found.index('aria-label="Found"') :]


def test_a_match_that_anybody_may_watch_is_linked(here, ulno, artjom):
    match = begin.create("kalah", CIRCLE, [ulno, artjom], 0, Terms())
    here(ulno)
    assert f'href="/m/{match.pk}"' in page_of()
    assert "Playing: Kalah" in page_of()
    match.watchable = False
    match.save()
    assert f'href="/m/{match.pk}"' not in page_of()
    assert "Playing" not in page_of()


def test_one_challenges_those_who_take_it(here, ulno, artjom):
    cleo, dora = User.objects.create_user("Cleo"), User.objects.create_user("Dora")
    preferences.save(cleo, "challenges", "nobody")
    preferences.save(dora, "challenges", "followed")
    here(ulno, artjom, cleo, dora)
    assert links(page_of(ulno)) == ["Artjom"]
    relationships.follow(dora, ulno)
    assert links(page_of(ulno)) == ["Artjom", "Dora"]
    assert links(page_of()) == ["Artjom", "Ulno"]


def links(page):
    """Whom the page lets one challenge."""
    return [part.partition('"')[0] for part in page.split('href="/challenge/')[1:]]


def test_the_list_comes_in_pages_at_the_same_cost(here, ulno, artjom, django_assert_max_num_queries):
    crowd = [User.objects.create_user(f"Guest-Gull-{number}", is_guest=True) for number in range(60)]
    here(ulno, *crowd)
    client = Client()
    client.get("/people/online")
    with django_assert_max_num_queries(4):
        first = client.get("/people/online").text
    assert first.count("data-here") == 50
    assert 'href="?page=2"' in first
    assert client.get("/people/online?page=2").text.count("data-here") == 11
