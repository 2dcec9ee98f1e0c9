"""Requests of pages that are older than the site."""

import pytest

from games.puzzles import collection
from lobby.people.models import User

pytestmark = pytest.mark.django_db

TOLD = {"code": "outdated", "detail": "This page is out of date. Reload it."}
PUZZLE = f"/puzzles/kalah/{next(iter(collection.by_game()['kalah']))}"
OF_PAGES = {"accept": "application/json"}


def test_an_address_that_was_removed(client):
    answer = client.post(f"{PUZZLE}/attempt", headers=OF_PAGES)
    assert (answer.status_code, answer.json()) == (404, TOLD)


def test_a_method_that_was_removed(client):
    """Pages of puzzles of an earlier release ask so."""
    client.force_login(User.objects.create_user("Ada"))
    answer = client.get(f"{PUZZLE}/answer", headers=OF_PAGES)
    assert (answer.status_code, answer.json(), answer.headers["Allow"]) == (405, TOLD, "POST")


def test_the_reader_s_language(client):
    told = client.get("/gone", headers={**OF_PAGES, "accept-language": "et"}).json()
    assert told["detail"] not in ("", TOLD["detail"])


def test_who_visits_an_address_gets_a_page(client):
    for headers in ({}, {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}):
        answer = client.get("/gone", headers=headers)
        assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_programs_get_problems_as_ever(client):
    answer = client.get("/api/v1/gone", headers=OF_PAGES)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
