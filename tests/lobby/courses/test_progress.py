"""Progress in the courses: in accounts, from browsers, and for others who may see it."""

import pytest

from games.registry import GAMES
from lobby.accounts import deletion, export
from lobby.courses import progress
from lobby.people.models import User

pytestmark = pytest.mark.django_db

ALL = len(GAMES["kalah"].course.lessons)


@pytest.fixture
def ada():
    return User.objects.create_user("Ada")


def test_progress_grows_and_never_shrinks(ada):
    for lessons in (2, 5, 5, 3):
        progress.note(ada, {"kalah": lessons})
    assert progress.of([ada.pk]) == {ada.pk: {"kalah": 5}}


def test_no_more_lessons_than_there_are_and_no_unknown_course(ada):
    progress.note(ada, {"kalah": 99, "morris": 0, "chess": 3})
    assert progress.of([ada.pk]) == {ada.pk: {"kalah": ALL}}


def test_progress_of_several_people(ada):
    bo, cleo = User.objects.create_user("Bo"), User.objects.create_user("Cleo")
    progress.note(ada, {"kalah": 2, "aces": 1})
    progress.note(bo, {"morris": 4})
    assert progress.of([ada.pk, bo.pk, cleo.pk]) == {ada.pk: {"kalah": 2, "aces": 1}, bo.pk: {"morris": 4}}
    assert progress.of([cleo.pk]) == {}


def test_progress_is_exported_and_erased(ada):
    progress.note(ada, {"kalah": 2})
    assert export.everything_about(ada)["courses"] == {"kalah": 2}
    deletion.forget(ada.pk)
    assert progress.of([ada.pk]) == {}


def test_a_browser_hands_its_progress_over_and_other_browsers_show_it(client, ada):
    client.force_login(ada)
    assert client.post("/courses", {"kalah": "3", "morris": "x", "nonsense": "1"}).status_code == 204
    assert progress.of([ada.pk]) == {ada.pk: {"kalah": 3}}
    assert 'data-course data-done="3"' in client.get("/rules/kalah/course").text
    assert f'data-course="kalah" data-count="{ALL}" data-done="3"' in client.get("/rules").text
    assert 'data-courses="/courses"' in client.get("/rules/kalah").text


def test_the_browsers_of_visitors_and_guests_keep_their_progress(client):
    assert client.post("/courses", {"kalah": "3"}).status_code == 403
    assert "data-courses" not in client.get("/rules").text
    guest = User.objects.create_user("Guest", is_guest=True)
    client.force_login(guest)
    assert client.post("/courses", {"kalah": "3"}).status_code == 403
    assert "data-courses" not in client.get("/rules").text
    assert progress.of([guest.pk]) == {}


@pytest.mark.parametrize("slug", ["chess", "nothing"])
def test_a_game_without_a_course_has_no_page_of_one(client, slug):
    assert client.get(f"/rules/{slug}/course").status_code == 404
