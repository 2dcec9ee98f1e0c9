"""The reader's own mistakes, as puzzles."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.bots.base import Evaluation, MoveEvaluation
from games.finished import mistakes
from games.models import Match
from games.store import analysis_queue
from lobby.people.models import User
from tests.helpers.finished import begun, play, won
from tests.helpers.thinking import LEASE

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINE = "/puzzles/mine"


@pytest.fixture
def players():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture
def ulno(client, players):
    client.force_login(players[0])
    return client


def evaluate(match, look):
    analysis_queue.want(match.pk, {0, 1}, NOW)
    for wanted in analysis_queue.take(NOW, 100, LEASE):
        analysis_queue.store(wanted, look(wanted.ply))


def blundered(players, best="3", lost=0.4, **terms):
    """A match in which the first player played 1 where another move was better by `lost`."""
    match = won(players, 1, **terms)
    rest = tuple(MoveEvaluation(str(pit), 0.8 - lost) for pit in range(1, 7) if str(pit) != best)
    looks = [
        Evaluation(0, (0.8, 0.2), (MoveEvaluation(best, 0.8), *rest)),
        Evaluation(1, (0.6, 0.4), (MoveEvaluation("1", 0.4), MoveEvaluation("2", 0.4))),
    ]
    evaluate(match, looks.__getitem__)
    return match


def test_a_mistake_is_listed_and_asked(ulno, players):
    match = blundered(players)
    text = ulno.get(MINE).text
    assert f'href="{MINE}/{match.pk}/0"' in text
    assert "40" in text
    assert "Artjom" in text
    shown = ulno.get(f"{MINE}/{match.pk}/0")
    assert f'data-address="{MINE}/{match.pk}/0"' in shown.text
    assert "data-rated" not in shown.text
    assert set(shown.context["position"]["legal"]) == set("123456")
    assert ulno.get(f"{MINE}/{match.pk}/0.svg")["Content-Type"] == "image/svg+xml"


def test_the_server_judges_and_tells_the_answer(ulno, players):
    address = f"{MINE}/{blundered(players).pk}/0"
    wrong = ulno.get(f"{address}/moves/2").json()
    assert (wrong["right"], wrong["plies"]) == (False, [])
    right = ulno.get(f"{address}/moves/3").json()
    assert (right["right"], right["move"], len(right["plies"])) == (True, "3", 1)
    assert ulno.get(f"{address}/answer").json() == {**right, "right": False}
    assert ulno.get(f"{address}/moves/9").status_code == 422


@pytest.mark.parametrize("what", ["", ".svg", "/answer", "/moves/3"])
def test_mistakes_are_shown_to_the_player_alone(client, players, what):
    match = blundered(players)
    address = f"{MINE}/{match.pk}/0{what}"
    assert client.get(address).status_code == 302
    client.force_login(players[1])
    assert client.get(address).status_code == 404
    assert match.pk not in client.get(MINE).text
    client.force_login(players[0])
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("place", ["1", "2", "99"])
def test_where_no_mistake_is_known_there_is_no_page(ulno, players, place):
    assert ulno.get(f"{MINE}/{blundered(players).pk}/{place}").status_code == 404
    assert ulno.get(f"{MINE}/nothing/0").status_code == 404


def test_small_losses_and_matches_in_play_are_left_out(ulno, players):
    small = blundered(players, lost=0.05)
    running = play(begun(players), "1")
    evaluate(running, lambda _ply: Evaluation(0, (1, 0), (MoveEvaluation("3", 1), MoveEvaluation("1", 0))))
    assert ulno.get(f"{MINE}/{small.pk}/0").status_code == 404
    assert ulno.get(f"{MINE}/{running.pk}/0").status_code == 404
    assert "no such move" in ulno.get(MINE).text


def test_the_way_on_is_named_where_nothing_is_listed(ulno, players):
    assert 'href="/computer"' in ulno.get(MINE).text
    match = won(players)
    assert f'href="/m/{match.pk}/analysis"' in ulno.get(MINE).text


def test_one_mistake_leads_to_the_next(ulno, players):
    first, second = (blundered(players) for _ in range(2))
    assert f'id="other" href="{MINE}/{first.pk}/0"' in ulno.get(f"{MINE}/{second.pk}/0").text
    Match.objects.filter(pk=second.pk).delete()
    assert 'id="other"' not in ulno.get(f"{MINE}/{first.pk}/0").text


def queries(user_id):
    with CaptureQueriesContext(connection) as captured:
        mistakes.in_matches(mistakes.analysed(user_id), user_id)
    return captured.captured_queries


def test_the_list_is_bounded_and_takes_as_many_queries_for_more(players, monkeypatch):
    user_id = players[0].pk
    blundered(players)
    for_one = len(queries(user_id))
    for _ in range(2):
        blundered(players)
    assert len(queries(user_id)) == for_one
    monkeypatch.setattr(mistakes, "MATCHES", 2)
    assert len(mistakes.in_matches(mistakes.analysed(user_id), user_id)) == 2
    monkeypatch.setattr(mistakes, "MOST", 1)
    assert len(mistakes.in_matches(mistakes.analysed(user_id), user_id)) == 1


def test_the_matches_are_found_by_the_player(players):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL knows how many there are")
    question = queries(players[0].pk)[0]["sql"]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {question}")
        plan = [row[3] for row in cursor.fetchall()]
    assert any("games_seating USING" in step and "(user_id=?)" in step for step in plan), plan
    assert not any(step.startswith("SCAN") for step in plan), plan


def test_the_analysis_leads_to_the_mistakes_of_the_reader(client, players):
    address = f"/m/{blundered(players).pk}/analysis"
    assert f'href="{MINE}"' not in client.get(address).text
    client.force_login(players[0])
    assert f'href="{MINE}"' in client.get(address).text
