"""The addresses at which the page of a match keeps a player's own conditional moves."""

import pytest
from django.test import Client

from games.domain.terms import Terms
from games.models import ConditionalMoves
from games.play.begin import create
from games.registry import GAMES
from lobby.accounts import deletion, export
from lobby.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]


@pytest.fixture
def people():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom", "Stranger")]


@pytest.fixture
def match(people):
    return create("kalah", CIRCLE, people[:2], terms=Terms(clock="3d"))


def client_of(person):
    client = Client()
    client.force_login(person, backend="lobby.auth.backends.PasswordBackend")
    return client


def keep(person, match, *lines, after=0):
    body = {"after": after, "lines": [line.split() for line in lines]}
    return client_of(person).post(f"/m/{match.pk}/conditional", body, content_type="application/json")


def test_lines_are_kept_and_read_with_whose_moves_they_are(people, match):
    answer = keep(people[1], match, "1 2", "4 1 2").json()
    assert answer["lines"][1] == {"moves": ["4", "1", "2"], "mine": [False, False, True]}
    assert client_of(people[1]).get(f"/m/{match.pk}/conditional").json() == answer


@pytest.mark.parametrize("reader", [0, 2, None])
def test_lines_hidden_from_others(people, match, reader):
    keep(people[1], match, "1 2")
    client = Client() if reader is None else client_of(people[reader])
    answer = client.get(f"/m/{match.pk}/conditional")
    assert answer.json() == {"ply": 0, "lines": []} if reader == 0 else answer.status_code == 403


@pytest.mark.parametrize(
    ("lines", "after", "status", "code"),
    [
        (["1"], 0, 422, "open-line"),
        (["9 99"], 0, 422, "bad-line"),
        (["1 2", "1 3"], 0, 422, "two-answers"),
        (["1 2"] * 51, 0, 422, "too-many-lines"),
        (["1 2"], 1, 409, "stale"),
    ],
)
def test_lines_invalid_refused_with_code_and_sentence(people, match, lines, after, status, code):
    answer = keep(people[1], match, *lines, after=after)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["detail"]
    assert not ConditionalMoves.objects.exists()


@pytest.mark.parametrize("body", ["", "[]", '{"after": "0", "lines": []}', '{"after": 0, "lines": [[1]]}'])
def test_nonsense_is_refused(people, match, body):
    address = f"/m/{match.pk}/conditional"
    answer = client_of(people[1]).post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "no-lines")


def test_a_form_is_no_list_of_lines(people, match):
    answer = client_of(people[1]).post(f"/m/{match.pk}/conditional", {"after": 0, "lines": "1 2"})
    assert (answer.status_code, answer.json()["code"]) == (422, "no-lines")


def test_the_board_is_shown_where_moves_lead(people, match):
    answer = client_of(people[1]).get(f"/m/{match.pk}/conditional/0?moves=4.1").json()
    assert [step["move"] for step in answer["states"]] == ["4", "1"]
    assert answer["states"][0]["state"]["turn"] == 0
    assert answer["states"][1]["state"]["turn"] == 1
    assert answer["legal"] == ["1", "2", "4", "5", "6"]


@pytest.mark.parametrize(("query", "after", "status"), [("99", 0, 422), ("1", 3, 409)])
def test_position_of_impossible_line_refused(people, match, query, after, status):
    answer = client_of(people[1]).get(f"/m/{match.pk}/conditional/{after}?moves={query}")
    assert answer.status_code == status


def test_the_file_of_ones_data_has_them_and_nobody_elses(people, match):
    keep(people[1], match, "1 2")
    kept = {"match": match.pk, "after": 0, "lines": [["1", "2"]]}
    assert export.everything_about(people[1])["conditional_moves"] == [kept]
    assert export.everything_about(people[0])["conditional_moves"] == []


def test_lines_deleted_with_account(people, match):
    keep(people[1], match, "1 2")
    deletion.forget(people[0].pk)
    assert ConditionalMoves.objects.exists()
    deletion.forget(people[1].pk)
    assert not ConditionalMoves.objects.exists()


@pytest.mark.parametrize(
    ("clock", "game", "reader", "there"),
    [
        ("3d", "kalah", 1, True),
        ("3d", "morris", 1, True),
        ("3d", "kalah", 2, False),
        ("5+3", "kalah", 1, False),
        ("3d", "cantstop", 1, False),
    ],
)
def test_the_page_offers_them_where_they_are_possible(people, clock, game, reader, there):
    options = next(iter(GAMES[game].rules.PRESETS.values()))
    match = create(game, options, people[:2], terms=Terms(clock=clock))
    assert ("conditional-bar" in client_of(people[reader]).get(f"/m/{match.pk}").text) == there
