"""Nobody outside a class is told of its pupils: every address and the sockets are asked.

The addresses are those that the resolver has, so that a new one is asked without being written down here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.api.scopes import SCOPES
from games.domain.messages import ResignCommand
from games.domain.refusals import Refused
from games.domain.terms import FRIENDLY
from games.models import Match
from games.net.limits import Buckets
from games.net.threads import in_thread
from games.play import begin
from games.play.matches import matches
from games.registry import GAMES
from lobby.classes import classes, pupils
from lobby.classes.models import SchoolClass
from lobby.evenings import evenings
from lobby.inbox import conversations
from lobby.pairing import queue
from lobby.pairing.pairing_options import Tile
from lobby.people import naming, relationships
from lobby.people.models import User
from lobby.ratings import results
from lobby.tables import challenges, tables
from lobby.tables.terms import OPEN
from lobby.tournaments import entries
from tests.architecture.test_onlookers import ABOUT_ONESELF, QUERIES, VALUES
from tests.helpers.onlookers import Onlooker
from tests.helpers.routes import routes
from tests.helpers.samples import in_full
from tests.helpers.tournaments import command, entered, people

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
TILE = Tile("kalah", "circle", "5+3", rated=False)
NAMES = ("Zebedee", "Quentin")


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Somebody who asks for everything at once asks too much."""
    settings.API_RATE = 0
    settings.CLASSES = classes.OPEN
    monkeypatch.setattr(Buckets, "take", lambda *_: True)


class World:
    """Two pupils of Ada's class, who play; a class of Bo with a pupil; and Eve."""

    def __init__(self) -> None:
        self.ada, self.bo, self.eve = people("Ada Bo Eve")
        self.fifth = self._class(self.ada, "5b", ", ".join(NAMES))
        self.zebedee, self.quentin = (self.fifth.pupils.get(first_name=name) for name in NAMES)
        self.other = self._class(self.bo, "6a", "Juku").pupils.get()
        self.match = begin.create("kalah", CIRCLE, [self.zebedee, self.quentin])
        self.table = tables.set_table(self.zebedee, "kalah", CIRCLE, 2, "host")
        self.challenge = challenges.challenge(self.ada, self.quentin, "kalah", CIRCLE, "host", OPEN)

    def _class(self, teacher: User, title: str, names: str) -> SchoolClass:
        school_class = classes.make(teacher, title, command())
        pupils.add(teacher, school_class.code, names, command())
        return school_class


@pytest.fixture
def world(transactional_db: None) -> World:
    return World()


async def told(who: Onlooker, world: World) -> dict[str, str]:
    """What every address tells somebody who knows the ids of the pupils, of their matches and tables."""
    found = {}
    for table in (world.table, world.challenge):
        values = {
            **VALUES,
            **{"match_id": world.match.pk, "table_id": table.pk, "name": world.zebedee.username},
            **{"class_code": world.fifth.code, "pupil_id": world.zebedee.pk},
        }
        for route in routes():
            if route.startswith(ABOUT_ONESELF) or (table == world.challenge and "<table_id>" not in route):
                continue
            for query in (each.replace("Ulno", world.zebedee.username) for each in QUERIES.get(route, [""])):
                words = await who.hears(route, values, query.format(**values))
                # An error may quote the name that was asked for.
                asked = world.zebedee.username if "<name>" in route or "find=" in query else None
                found[f"{route}{query} {table.pk}"] = words.replace(asked, "") if asked else words
    return found


async def resign(world: World) -> None:
    live = await matches.get(world.match.pk)
    await matches.play(
        world.match.pk,
        live.player_at(1),
        ResignCommand(type="resign", id="command-99", after=live.ply),
    )
    await in_thread(results.settle)(world.match.pk)


@pytest.mark.asyncio
async def test_outsiders_are_told_nothing_of_pupils(world: World) -> None:
    outsiders = {"visitor": Onlooker()}
    for user in in_full(world.eve, world.bo, world.other):
        outsiders[str(user)] = await Onlooker.of(user, () if user.is_guest else tuple(SCOPES))
    here = [await (await Onlooker.of(user)).socket("/ws/me") for user in (world.zebedee, world.quentin)]
    told_of = re.compile("|".join([*NAMES, world.zebedee.username, world.quentin.username]))
    for over in (False, True):
        if over:
            await resign(world)
        for name, who in outsiders.items():
            for route, words in (await told(who, world)).items():
                assert not told_of.search(words), (name, route, told_of.findall(words))
            for address in (
                "/ws/lobby",
                "/ws/me",
                f"/ws/match/{world.match.pk}",
                f"/ws/chat/{world.match.pk}",
            ):
                talk = await who.socket(f"/ws/{address}")
                assert not told_of.search("".join(await talk.say())), (name, address)
                await talk.close()
    for talk in here:
        await talk.close()


@pytest.mark.asyncio
async def test_their_class_watches_pupils(world: World) -> None:
    for user in (world.ada, world.zebedee):
        who = await Onlooker.of(user)
        page = await who.hears("m/<match_id>", {"match_id": world.match.pk})
        assert all(name in page for name in NAMES)
        assert (await who.hears("m/<match_id>.json", {"match_id": world.match.pk}))[:3] != "403"
        talk = await who.socket(f"/ws/match/{world.match.pk}")
        assert '"snapshot"' in "".join(await talk.say())
        await talk.close()
        assert (await who.hears("t/<table_id>", {"table_id": world.table.pk}))[:3] == "200"


def refusals(world: World, outsider: User) -> dict[str, Callable[[], Any]]:
    """All ways in which an outsider and a pupil could meet."""
    pupil = world.zebedee
    cup = entered(world.bo, [], guests=True)
    evening = evenings.open_evening(world.ada, "kalah", 90, command())
    theirs = tables.set_table(outsider, "kalah", CIRCLE, 2, "host")
    return {
        "challenge": lambda: challenges.challenge(outsider, pupil, "kalah", CIRCLE, "host", OPEN),
        "challenge by the pupil": lambda: challenges.challenge(
            pupil, outsider, "kalah", CIRCLE, "host", OPEN
        ),
        "sit down": lambda: tables.sit_down(outsider, world.table.pk),
        "sit down by a link": lambda: tables.sit_down(outsider, world.table.pk, by_invitation=True),
        "pupil sits down": lambda: tables.sit_down(pupil, theirs.pk),
        "follow": lambda: relationships.follow(outsider, pupil),
        "follow by the pupil": lambda: relationships.follow(pupil, outsider),
        "by name": lambda: relationships.named(pupil.username, outsider.pk),
        "message": lambda: conversations.send(outsider.pk, pupil, command(), "Hello"),
        "match": lambda: begin.create("kalah", CIRCLE, [outsider, pupil], 0, FRIENDLY),
        "matches": lambda: begin.create_many("kalah", CIRCLE, [begin.Seated([outsider, pupil], FRIENDLY)]),
        "quick pairing": lambda: queue.enter(pupil, TILE),
        "tournament": lambda: entries.enter(pupil, cup.pk, "", command()),
        "evening": lambda: evenings.join(pupil, evening.code, command()),
        "evening of a pupil": lambda: evenings.open_evening(pupil, "kalah", 90, command()),
    }


@pytest.mark.parametrize("who", ["eve", "bo", "other"])
def test_outsiders_and_pupils_do_not_meet(world: World, who: str) -> None:
    outsider = getattr(world, who)
    before = Match.objects.count()
    for name, act in refusals(world, outsider).items():
        with pytest.raises(Refused) as caught:
            act()
        assert caught.value.status in (400, 403, 404), name
    assert Match.objects.count() == before


def test_classmates_and_teachers_play_pupils(world: World) -> None:
    challenges.accept(world.quentin, world.challenge.pk)
    tables.sit_down(world.quentin, world.table.pk)
    for match in Match.objects.exclude(pk=world.match.pk):
        assert (match.watchable, match.rated, match.chat) == (False, False, False)
    classes.change(world.ada, world.fifth.code, "5b", True, command())
    assert begin.create("kalah", CIRCLE, [world.ada, world.zebedee]).chat


def test_pupils_find_each_other_by_first_name(world: World) -> None:
    assert relationships.named("quentin", world.zebedee.pk) == world.quentin
    assert naming.named("Quentin") is None
    page = Client()
    page.force_login(world.zebedee, "lobby.auth.backends.PasswordBackend")
    assert page.get("/@/Eve").status_code == 404
