"""Finished matches as downloads, and the page that replays one."""

import contextlib
import http.client
import itertools
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import orjson
import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.bots.any_game import random_action
from games.domain.matchfile import MOST_BYTES, MOST_PLIES
from games.finished import replay
from games.finished.checker import MOST_WAITING, checker
from games.finished.importing import read
from games.models import Match
from games.net.limits import Buckets
from games.pages import files
from games.registry import GAMES
from games.rules.base import Leave
from lobby.people.models import User
from tests.helpers import finished
from tools.harness import shapes
from tools.harness.people import Person
from tools.harness.recorded import Recorder, altered, eventful, imported, stored

pytestmark = pytest.mark.django_db

PATHS = ("txt", "json")
both = pytest.mark.parametrize("path", PATHS)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Nobody has brought a file yet."""
    monkeypatch.setattr(files, "readings", Buckets(1 / 5, 20))


@pytest.fixture(scope="module", autouse=True)
def own_process():
    """The process that checks ends with these tests."""
    yield
    async_to_sync(checker.close)()


@pytest.fixture
def users():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture
def played():
    return Recorder(GAMES["kalah"]).play_on(Random(1))


@pytest.fixture
def match(users, played):
    return stored(played, users)


def signed_in(user):
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    return client


# Downloads


def test_the_text_is_a_download_that_people_read(client, match):
    answer = client.get(f"/m/{match.pk}.txt")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="parlour-{match.pk}.txt"'
    assert "Seat 1: Ulno" in answer.content.decode()


@every_game
def test_the_file_is_a_download_that_can_be_imported(client, users, game):
    everything = eventful(game, None, 2, Random(3))
    match = stored(everything, users)
    answer = client.get(f"/m/{match.pk}.json")
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == f'attachment; filename="parlour-{match.pk}.json"'
    found = read(answer.content)
    assert found.names == ("Ulno", "Artjom")
    assert [ply.state for ply in found.plies] == everything.states[1:]
    assert found.sealed == game.dice


def test_download_equals_recorded_match(client, match, played):
    file = client.get(f"/m/{match.pk}.json").json()
    file["seats"] = played.file()["seats"]
    assert file == played.file()


@both
def test_a_running_match_has_no_score_yet(client, users, path):
    running = finished.begun(users)
    answer = client.get(f"/m/{running.pk}.{path}")
    assert (answer.status_code, answer.json()["code"]) == (409, "not-over")
    assert "not over yet" in answer.json()["detail"]


@both
def test_a_match_among_friends_has_a_score_for_them_alone(client, users, match, path):
    Match.objects.update(watchable=False)
    answer = client.get(f"/m/{match.pk}.{path}")
    assert (answer.status_code, answer.json()["code"]) == (403, "players-only")
    assert signed_in(users[1]).get(f"/m/{match.pk}.{path}").status_code == 200


@both
def test_a_delayed_match_is_over_later_for_those_who_watch(client, users, match, path):
    now = datetime.now(UTC)
    Match.objects.update(delay=600, ended=now - timedelta(seconds=300))
    assert client.get(f"/m/{match.pk}.{path}").status_code == 409
    assert signed_in(users[0]).get(f"/m/{match.pk}.{path}").status_code == 200
    Match.objects.update(ended=now - timedelta(seconds=900))
    assert client.get(f"/m/{match.pk}.{path}").status_code == 200


@both
def test_a_match_that_there_is_not_has_no_score(client, path):
    assert client.get(f"/m/nothing.{path}").status_code == 404


def test_states_that_older_rules_stored_are_read(client, match):
    start = orjson.loads(match.start)
    start.pop("version")
    Match.objects.update(start=orjson.dumps(start).decode())
    assert read(client.get(f"/m/{match.pk}.json").content)


def test_the_page_of_a_match_offers_its_score_once_it_is_over(client, users, match):
    page = client.get(f"/m/{match.pk}").text
    assert f'href="/m/{match.pk}.txt"' in page
    assert 'id="score-links" hidden' not in page
    assert 'id="score-links" hidden' in client.get(f"/m/{finished.begun(users).pk}").text


# Replay


def bring(client, content, name="score.json", **more):
    return client.post("/replay", {"file": SimpleUploadedFile(name, content)}, **more)


def test_the_form_asks_for_a_file(client):
    answer = client.get("/replay")
    assert answer.status_code == 200
    assert 'type="file"' in answer.text


def test_a_file_is_shown_as_a_match_and_not_kept(client, played):
    answer = bring(client, json.dumps(played.file()).encode())
    assert answer.status_code == 200
    assert "An imported match, not played on this site." in answer.text
    assert "Player 2" in answer.text
    assert not Match.objects.exists()


@every_game
def test_the_board_is_fed_with_messages_of_the_protocol(game):
    match = eventful(game, None, game.rules.SEATS[-1], Random(1))
    messages = replay.messages(imported(match.file()))
    shapes.check(messages["snapshot"], shapes.MATCH)
    shapes.check(messages["plies"], shapes.MATCH)
    assert messages["snapshot"]["state"] == messages["plies"]["plies"][-1]["state"]
    assert set(messages["snapshot"]["left"]) == match.flags.left
    assert set(messages["snapshot"]["caretaken"]) == match.flags.caretaken


def test_a_computer_is_named_in_the_language_of_the_reader(client, played):
    file = altered(played.file(), lambda file: file["seats"][0].update(name="Sprout"))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ru"
    page = bring(client, json.dumps(file).encode()).text
    assert json.dumps("Росток") in page
    assert "Sprout" not in page


def test_a_name_cannot_break_out_of_the_page(client, played):
    evil = "</script><script>alert(1)</script>"
    file = altered(played.file(), lambda file: file["seats"][0].update(name=evil))
    page = bring(client, json.dumps(file).encode()).text
    assert evil not in page
    assert "alert(1)" in page


def test_a_false_file_is_told_with_the_ply_and_the_reason(client, played):
    file = altered(played.file(), lambda file: file["plies"][4].update(action="nonsense"))
    answer = bring(client, json.dumps(file).encode())
    assert answer.status_code == 400
    assert "Ply 5: “nonsense” is not a move in this game." in answer.text


def test_a_file_that_is_none_is_told_so(client):
    answer = bring(client, b"\x89PNG")
    assert answer.status_code == 400
    assert "This is not a JSON file." in answer.text


def test_a_file_that_is_too_large_is_told_so(client):
    answer = bring(client, b" " * (MOST_BYTES + 1))
    assert answer.status_code == 400
    assert "larger than" in answer.text


def test_no_file_at_all_is_told_so(client):
    answer = client.post("/replay")
    assert answer.status_code == 400
    assert "Choose a file first." in answer.text


def test_files_from_another_site_are_not_looked_at(played):
    strict = Client(enforce_csrf_checks=True)
    assert bring(strict, json.dumps(played.file()).encode()).status_code == 403


def test_one_address_cannot_keep_the_site_busy(client, monkeypatch):
    monkeypatch.setattr(files, "readings", Buckets(1 / 1000, 2))
    assert [bring(client, b"").status_code for _ in range(3)] == [400, 400, 429]


def test_one_person_cannot_either_from_many_addresses(users, monkeypatch):
    monkeypatch.setattr(files, "readings", Buckets(1 / 1000, 2))
    client = signed_in(users[0])
    answers = [bring(client, b"", REMOTE_ADDR=f"192.0.2.{number}") for number in range(3)]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    assert answers[-1]["Retry-After"] == "5"
    assert "This is not the score" not in answers[-1].text


def test_a_match_that_is_too_long_is_told_so(client, played):
    plies = played.file()["plies"][:1] * (MOST_PLIES + 1)
    answer = bring(client, json.dumps(played.file() | {"plies": plies}).encode())
    assert answer.status_code == 400
    assert "The match has more than 2000 plies." in answer.text


def test_upload_refused_while_many_wait(client, played, monkeypatch):
    monkeypatch.setattr(checker, "_waiting", MOST_WAITING)
    answer = bring(client, json.dumps(played.file()).encode())
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Please try again in a moment." in answer.text
    assert "This is not the score" not in answer.text


# A real server


def long_match():
    """As many plies as a file may have."""
    match, rng = Recorder(GAMES["kalah"]), Random(1)
    while len(match.entries) < MOST_PLIES - 1:
        seat = match.state.turn
        match.play(random_action(match.rules, match.state, rng))
        if len(match.entries) < MOST_PLIES - 1:
            assert match.take_back(seat)
    match.play(Leave(0, "resigned"), 0)
    assert len(match.entries) == MOST_PLIES
    return json.dumps(match.file()).encode()


def upload(server, content, address):
    """Bring a file from an address of this computer; the status of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, 60, (address, 0))
    token = "x" * 32
    part = b'--part\r\nContent-Disposition: form-data; name="file"; filename="match.json"\r\n\r\n'
    headers = {
        "Content-Type": "multipart/form-data; boundary=part",
        "Origin": server.url,
        "Cookie": f"csrftoken={token}",
        "X-CSRFToken": token,
    }
    with contextlib.closing(connection):
        connection.request("POST", "/replay", part + content + b"\r\n--part--\r\n", headers)
        return connection.getresponse().status


def children(server):
    """The processes that a server has begun for work of its own."""
    tasks = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    pids = [int(pid) for task in tasks for pid in task.read_text().split()]
    return [pid for pid in pids if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_upload_check_does_not_block_server(sqlite_server):
    content = long_match()
    assert upload(sqlite_server, content, "127.0.0.2") == 200
    (process,) = children(sqlite_server)
    os.kill(process, signal.SIGSTOP)
    with ThreadPoolExecutor(6) as pool:
        try:
            uploads = [pool.submit(upload, sqlite_server, content, "127.0.0.1") for _ in range(6)]
            at_once = list(itertools.islice(as_completed(uploads), 6 - MOST_WAITING))
            assert [each.result() for each in at_once] == [503] * (6 - MOST_WAITING)
            assert sqlite_server.get("/replay").status == 200
            with Person(sqlite_server).lobby() as lobby:
                lobby.send({"type": "list"})
                lobby.next("lobby")
            assert sum(each.done() for each in uploads) == len(at_once)
        finally:
            os.kill(process, signal.SIGCONT)
        answers = sorted(each.result() for each in uploads)
    assert answers == [200] * MOST_WAITING + [503] * (6 - MOST_WAITING)
    assert children(sqlite_server) == [process]
