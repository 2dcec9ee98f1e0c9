"""All matches of somebody as one file."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import orjson
import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.domain.matchfile import MatchFile
from games.finished import archive
from games.models import Match
from games.net.limits import Buckets
from games.registry import GAMES
from lobby.people.models import User
from lobby.profiles import matches_file
from lobby.ratings.results import settle
from tests.helpers import finished
from tools.harness.recorded import NOON, Recorder, imported, stored

pytestmark = pytest.mark.django_db(transaction=True)

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Nobody has downloaded anything yet."""
    monkeypatch.setattr(matches_file, "downloads", Buckets(1 / 30, 10))


@pytest.fixture
def users():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom", "Bo")]


@pytest.fixture
def matches(users):
    """One match of each game, and one in which Ulno does not play, the oldest first."""
    made = []
    for number, game in enumerate([*GAMES.values(), GAMES["kalah"]]):
        people = users[:2] if number < len(GAMES) else users[1:]
        match = Recorder(game).play_on(Random(number))
        # The order of ids says nothing of the order in which they were played.
        pk = f"match{9 - number}"
        made.append(stored(match, people, pk=pk, created=NOON - timedelta(days=9 - number), words=None))
    return made


async def fetch(client, path="/@/Ulno/matches.json"):
    answer = await client.get(path)
    assert answer.status_code == 200
    content = b"".join([piece async for piece in answer.streaming_content])
    return answer, orjson.loads(content)


@pytest.mark.all_games
async def test_the_file_holds_every_finished_match_in_the_order_they_began(async_client, matches):
    answer, file = await fetch(async_client)
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == 'attachment; filename="parlour-Ulno.json"'
    assert (file["format"], file["version"], file["name"]) == ("parlour-matches", 1, "Ulno")
    assert [each["id"] for each in file["matches"]] == [match.pk for match in matches[:-1]]


@pytest.mark.all_games
async def test_each_match_in_it_can_be_imported(async_client, matches):
    _, file = await fetch(async_client)
    for each in file["matches"]:
        MatchFile.model_validate_json(orjson.dumps(each))
        assert imported(each).names == ("Ulno", "Artjom")


async def test_matches_file_empty_without_matches(async_client, users):
    assert (await fetch(async_client))[1]["matches"] == []


async def test_running_matches_are_not_in_it(async_client, users):
    await sync_to_async(finished.begun)(users[:2])
    assert (await fetch(async_client))[1]["matches"] == []


async def ids(client):
    return {each["id"] for each in (await fetch(client))[1]["matches"]}


async def test_matches_among_friends_are_for_those_who_played_them(async_client, users, matches):
    await Match.objects.filter(pk=matches[0].pk).aupdate(watchable=False)
    everything = {match.pk for match in matches[:-1]}
    assert await ids(async_client) == everything - {matches[0].pk}
    await async_client.aforce_login(users[1], backend="lobby.auth.backends.PasswordBackend")
    assert await ids(async_client) == everything


async def test_delayed_matches_are_in_it_once_they_are_over_for_the_asker(async_client, users, matches):
    now = datetime.now(UTC)
    await Match.objects.filter(pk=matches[0].pk).aupdate(delay=600, ended=now - timedelta(seconds=300))
    assert matches[0].pk not in await ids(async_client)
    await Match.objects.filter(pk=matches[0].pk).aupdate(ended=now - timedelta(seconds=700))
    assert matches[0].pk in await ids(async_client)


def test_reading_them_takes_as_many_queries_however_many_they_are(users, matches):
    found = archive.finished_by(users[0].pk, None, NOW)
    (batch,) = archive.batches(found)
    counts = []
    for wanted in (batch[:1], batch):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert len(list(archive.records(wanted))) == len(wanted)
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.all_games
def test_matches_file_read_in_batches(users, matches):
    Match.objects.update(created=NOW)
    found = archive.finished_by(users[0].pk, None, NOW)
    batches = list(archive.batches(found, 3))
    assert [len(batch) for batch in batches] == [3, len(GAMES) - 3]
    assert sorted(pk for batch in batches for pk in batch) == sorted(match.pk for match in matches[:-1])


def test_matches_file_of_unknown_user_not_found(client):
    assert client.get("/@/Nobody/matches.json").status_code == 404


def test_an_account_that_was_deleted_has_none_either(client, users):
    User.objects.update(is_deleted=True)
    answer = client.get("/@/Ulno/matches.json")
    assert (answer.status_code, answer.json()["code"]) == (410, "deleted")


def test_one_address_cannot_keep_the_site_busy(client, users, monkeypatch):
    monkeypatch.setattr(matches_file, "downloads", Buckets(1 / 1000, 0))
    answer = client.get("/@/Ulno/matches.json")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many")


def test_the_profile_and_ones_own_data_lead_to_it(client, users):
    settle(finished.won(users[:2]).pk)
    assert 'href="/@/Ulno/matches.json"' in client.get("/@/Ulno").text
    client.force_login(users[0], backend="lobby.auth.backends.PasswordBackend")
    assert 'href="/@/Ulno/matches.json"' in client.get("/settings").text


async def test_the_documentation_shows_what_is_around_the_matches(async_client, users):
    document = (Path(__file__).parents[3] / "docs" / "reference" / "match-file.md").read_text()
    example = orjson.loads(re.findall(r"```json\n(.*?)```", document, re.DOTALL)[-1])
    _, file = await fetch(async_client)
    assert list(example) == list(file)
    assert (example["format"], example["version"]) == (file["format"], file["version"])
