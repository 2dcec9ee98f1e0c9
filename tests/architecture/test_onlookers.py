"""Nobody is told more of a match than they may know: every address and every socket is listened to.

An onlooker listens to the whole site, then the match goes on in secret, ends, is settled and played again;
then they listen once more. Whatever has changed for them is a leak. The addresses are those that the resolver
has, so that a new one is listened to without being written down here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pprint import pformat
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from games.api.scopes import SCOPES
from games.domain.messages import MoveCommand, RematchCommand, ResignCommand
from games.domain.terms import Terms
from games.models import Match, Ply
from games.net.limits import Buckets
from games.net.threads import in_thread
from games.play import begin
from games.play.matches import matches
from games.puzzles import collection, daily
from games.registry import GAMES
from games.watch.viewer import carry_out
from lobby.chat import match_rooms
from lobby.moderation.moderators import NAME as MODERATORS
from lobby.people import relationships
from lobby.people.models import User
from lobby.ratings import results
from lobby.ratings.models import Rating
from lobby.tables import tables
from lobby.tables.models import Table
from lobby.tables.terms import TableTerms
from tests.helpers.onlookers import Onlooker, Talk, spoken_at
from tests.helpers.routes import routes
from tests.helpers.samples import in_full

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
AN_HOUR = 3600
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

ABOUT_ONESELF = (
    "admin/",
    "accounts/",
    "settings",
    "api/v1/openapi.json",
    "words/",
    "reminders/",
    "puzzles/<slug>/set",
)
"""Addresses below which nobody is told of others' matches; the desk of the moderators tells them alone."""
VALUES = {
    "name": "Ulno",
    "act": "follow",
    "game": "kalah",
    "slug": "kalah",
    "day": daily.FIRST,
    "move": daily.former()[0].answer,
    "puzzle_key": next(
        key
        for key, puzzle in collection.by_game()["kalah"].items()
        if daily.former()[0].answer in puzzle.worth
    ),
    "preset": "circle",
    "token": "nothing",
    "ply": 3,
    "after": 0,
    "tournament_id": "nothing",
    "code": "nothing",
    "club": "nothing",
    "club_id": "nothing",
    "run_key": "nothing",
    "study_id": "nothing",
    "chapter_id": 1,
    "number": 1,
    "class_code": "nothing",
    "pupil_id": 1,
}
QUERIES = {
    "people": ["", "?find=Ulno"],
    "oembed": [
        "?url=http://testserver/m/{match_id}",
        "?url=http://testserver/tournament/{tournament_id}",
    ],
    "new/<game>": ["", "?like={match_id}"],
    "computer/<game>": ["", "?like={match_id}"],
    "@/<name>": ["", "?page=1"],
}
"""What is asked beside an address."""


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Somebody who asks for everything at once asks too much."""
    settings.API_RATE = 0
    monkeypatch.setattr(Buckets, "take", lambda *_: True)


def people() -> dict[str, User]:
    from django.contrib.auth.models import Group

    names = ("Ulno", "Artjom", "Follower", "Blocked", "Moderator")
    found = {name: User.objects.create_user(name) for name in names}
    for name in ("Follower", "Moderator"):
        for player in ("Ulno", "Artjom"):
            relationships.follow(found[name], found[player])
    relationships.block(found["Ulno"], found["Blocked"])
    found["Moderator"].groups.add(Group.objects.get(name=MODERATORS))
    User.objects.filter(username="Moderator").update(is_staff=True)
    return found


async def onlookers(found: Mapping[str, User]) -> dict[str, Onlooker]:
    names = ("Ulno", *in_full("Follower", "Blocked", "Moderator"))
    named = {name: await Onlooker.of(found[name], tuple(SCOPES)) for name in names}
    for who in named.values():
        who.here = await who.socket("/ws/me")
    return {"Visitor": Onlooker(), **named}


def begun(players: list[User], terms: Terms) -> Match:
    return begin.create("kalah", CIRCLE, players, 0, terms)


async def move(match: Match, number: int) -> None:
    """One more ply by whoever is to move."""
    for _ in range(number):
        live = await matches.get(match.pk)
        command = MoveCommand(type="move", id=f"command-{live.ply}", after=live.ply, move=live.legal()[0])
        await matches.play(match.pk, live.player_at(live.state.turn), command)


async def resign(match: Match, user: User) -> None:
    live = await matches.get(match.pk)
    command = ResignCommand(type="resign", id="command-99", after=live.ply)
    await matches.play(match.pk, user.pk, command)
    await in_thread(results.settle)(match.pk)


def values_of(match: Match, table: Table) -> dict[str, Any]:
    return {**VALUES, "match_id": match.pk, "table_id": table.pk}


async def pages(who: Onlooker, values: Mapping[str, Any]) -> dict[str, str]:
    """What every address tells somebody."""
    told = {}
    for route in routes():
        if not route.startswith(ABOUT_ONESELF):
            for query in QUERIES.get(route, [""]):
                told[route + query] = await who.hears(route, values, query.format(**values))
    return told


ADDRESSES = ("/ws/lobby", "/ws/watch", "/ws/match/{}", "/ws/chat/{}", "/ws/me")


def first_words(match: Match) -> dict[str, list[dict[str, Any]]]:
    """All that somebody can ask each socket who may change nothing."""
    command = {"id": "command-0", "after": 2}
    return {
        "/ws/lobby": [{"type": "list"}, {"type": "chat"}, {"type": "say", "id": "command-0", "text": " "}],
        "/ws/watch": [{"type": "show", "matches": [match.pk]}],
        "/ws/match/{}": [
            {"type": "sync", "after": 0},
            {"type": "odds"},
            {"type": "probe", "n": 7},
            {"type": "hint", **command},
            {"type": "move", **command, "move": "1"},
            *({"type": kind, **command} for kind in ("resign", "abort", "reclaim")),
            {"type": "offer", **command, "kind": "draw"},
            {"type": "decline", **command, "kind": "draw"},
            {"type": "claim", **command, "kind": "win"},
            {"type": "rematch", "id": "command-0"},
            {"type": "words", "id": "command-0", "words": "hello"},
            {"type": "hide-crowd", "id": "command-0", "hidden": True},
        ],
        "/ws/chat/{}": [
            {"type": "chat"},
            {"type": "say", "id": "command-0", "room": "players", "text": "hello"},
            {"type": "preset", "id": "command-1", "room": "players", "preset": "hello"},
        ],
        "/ws/me": [
            *({"type": kind} for kind in ("people", "saved", "pairing")),
            {"type": "looking", "at": match.pk},
            {"type": "rating", "match": match.pk},
        ],
    }


async def listening(who: Onlooker, match: Match) -> tuple[dict[str, list[str]], dict[str, Talk]]:
    """What every socket tells somebody, and the sockets, which stay open."""
    told, open_ones = {}, {}
    for address, words in first_words(match).items():
        assert spoken_at(address) == {each["type"] for each in words} | {"ping"}
        talk = open_ones[address] = await who.socket(address.format(match.pk))
        told[address] = await talk.say()
        if not talk.closed:
            told[address] += await talk.say(*words)
    return told, open_ones


async def heard_since(open_ones: Mapping[str, Talk]) -> list[str]:
    """What sockets that stayed open were told meanwhile, less who has come and gone."""
    heard = []
    for talk in open_ones.values():
        if not talk.closed:
            heard += [told for told in await talk.say() if '"crowd"' not in told and '"people"' not in told]
    return heard


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What is told differently, of pages their lines alone. Sockets send messages in any order."""
    return {name: apart for name in after if (apart := _apart(_parts(before[name]), _parts(after[name])))}


def _parts(told: Any) -> list[str]:
    return told.splitlines() if isinstance(told, str) else sorted(told)


def _apart(before: list[str], after: list[str]) -> list[Any]:
    return [pair for pair in zip_longest(before, after) if pair[0] != pair[1]][:3]


# Pages tell when somebody was last seen, which a minute changes.
@time_machine.travel(NOON, tick=False)
async def test_a_delayed_match_goes_on_in_secret():
    found = await in_thread(people)()
    players = [found["Ulno"], found["Artjom"]]
    match = await in_thread(begun)(players, Terms(rated=True, delay=AN_HOUR))
    table = await in_thread(tables.set_table)(found["Follower"], "kalah", CIRCLE, 2, "host", TableTerms())
    await move(match, 2)
    long_ago = timezone.now() - timedelta(seconds=2 * AN_HOUR)
    await Ply.objects.filter(match=match).aupdate(at=long_ago)
    await Match.objects.filter(pk=match.pk).aupdate(created=long_ago)
    cast = await onlookers(found)
    values = values_of(match, table)
    sockets = {name: await listening(who, match) for name, who in cast.items()}
    before = {name: await pages(who, values) for name, who in cast.items()}

    await move(match, 2)
    await in_thread(match_rooms.say)(match.pk, players[0].pk, "line-0001", "players", "among ourselves")
    await resign(match, players[1])
    for number, player in enumerate(players):
        await carry_out(match.pk, player.pk, RematchCommand(type="rematch", id=f"command-10{number}"))
    rematch = await Match.objects.aget(rematch_of=match)
    await in_thread(match_rooms.say)(match.pk, players[0].pk, "line-0002", "players", "well played")

    for name, who in cast.items():
        told, open_ones = sockets[name]
        news = await heard_since(open_ones)
        after = await pages(who, values)
        again, more = await listening(who, match)
        for talk in (*open_ones.values(), *more.values()):
            await talk.close()
        if name == "Ulno":
            assert rematch.pk in after[""]
            assert after["m/<match_id>.json"] != before[name]["m/<match_id>.json"]
            assert any('"resigned"' in each for each in news)
        else:
            leaks = {**differences(before[name], after), **differences(told, again)}
            assert not [*leaks, *news], pformat((name, leaks, news))
    assert not await Rating.objects.aexists()


PLAYING = re.compile(r'data-(count="playing"|part="words").*|"playing":\d+|"words":"[^"]*"')
"""That somebody plays, and how many do, is not hidden."""


async def test_a_private_match_is_played_in_secret():
    found = await in_thread(people)()
    players = [found["Ulno"], found["Artjom"]]
    table = await in_thread(tables.set_table)(found["Follower"], "kalah", CIRCLE, 2, "host", TableTerms())
    match = await in_thread(begun)(players, Terms(watchable=False))
    cast = await onlookers(found)
    values = values_of(match, table)
    before = {name: await pages(who, values) for name, who in cast.items()}
    sockets = {name: await listening(who, match) for name, who in cast.items()}

    await move(match, 4)
    await in_thread(match_rooms.say)(match.pk, players[0].pk, "line-0001", "players", "among ourselves")
    await resign(match, players[1])

    for name, who in cast.items():
        told, open_ones = sockets[name]
        news = await heard_since(open_ones)
        after = await pages(who, values)
        again, more = await listening(who, match)
        for talk in (*open_ones.values(), *more.values()):
            await talk.close()
        if name == "Ulno":
            assert after["m/<match_id>.json"] != before[name]["m/<match_id>.json"]
            assert any('"resigned"' in each for each in news)
            continue
        for hearing in (before[name], after):
            for route, words in hearing.items():
                if "<match_id>" in route:
                    withheld = words[:3] in ("401", "403", "404", "405")
                    assert withheld or words.startswith("302 /accounts/login/"), (name, route, words)
                    assert not re.search("Ulno|Artjom", words), (name, route, words)
                elif "{match_id}" not in route:
                    assert match.pk not in words, (name, route)
        plain = {route: PLAYING.sub("", words) for route, words in before[name].items()}
        assert differences(plain, {route: PLAYING.sub("", words) for route, words in after.items()}) == {}
        # What a match did to one's rating is answered with the id that was asked about, and with nothing.
        asked = [words for words in told["/ws/me"] if '"change":null' not in words]
        assert match.pk not in str(told["/ws/lobby"] + asked)
        for address in ("/ws/match/{}", "/ws/chat/{}"):
            assert "players-only" in told[address][0]
            assert told[address][-1] == again[address][-1] == "closed 4403"
        assert news == [], name
