"""Whoever loses a right is told nothing more at once, on sockets and streams that are open.

Every feed is listed here: either its right may end, and each way in which it does is tried, or there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from games.api import match_stream
from games.api.access import Caller
from games.api.streams import Stream
from games.net.sockets import Feed
from games.net.threads import in_thread
from games.play import begin
from games.watch.board_consumer import BoardsFeed
from games.watch.match_consumer import MatchFeed
from games.watch.viewer import look_at
from lobby.chat.sockets import TalkFeed
from lobby.classes import classes, pupils, teachers
from lobby.clubs import clubs, members
from lobby.clubs.sockets import ClubFeed
from lobby.moderation import moderation
from lobby.people.models import User
from lobby.routing import websocket_urlpatterns
from lobby.sockets.consumers import LobbyFeed, PersonFeed
from lobby.studies import studies
from lobby.studies.sockets import StudyFeed
from tests.helpers.clubs import club_of
from tests.helpers.onlookers import PING, Onlooker, Talk
from tests.helpers.studies import study_of
from tests.helpers.tournaments import CIRCLE, command, people

pytestmark = [pytest.mark.django_db(transaction=True)]

NO_RIGHT = {
    LobbyFeed: "is for everybody",
    PersonFeed: "is of a session: tests/games/net/test_sessions.py",
}
TRIED: dict[type[Feed], str] = {
    ClubFeed: "TestClub",
    StudyFeed: "TestStudy",
    MatchFeed: "TestClass",
    BoardsFeed: "TestClass",
    TalkFeed: "TestClass",
}


def test_every_feed_is_listed() -> None:
    found = {
        feed for each in websocket_urlpatterns for feed in each.callback.consumer_initkwargs["feeds"].values()
    }
    assert found == {*NO_RIGHT, *TRIED}
    assert {*TRIED.values()} <= {*globals()}


async def closes(talk: Talk) -> int:
    """The code with which the server closes a socket by itself."""
    while (told := await talk.there.receive_output())["type"] != "websocket.close":
        pass
    return int(told["code"])


async def opened(user: User, address: str) -> Talk:
    talk = await (await Onlooker.of(user)).socket(address)
    assert not [each for each in await talk.say() if each.startswith("closed")]
    return talk


@pytest.mark.asyncio
class TestClub:
    """Bo is a member of Ada's club, and Cleo, too."""

    @pytest.mark.parametrize(
        ("end", "others_stay"),
        [
            (lambda ada, bo, club: members.remove(ada, club.pk, "Bo", "", command()), True),
            (lambda ada, bo, club: members.leave(bo, club.pk, command()), True),
            (lambda ada, bo, club: clubs.dissolve(ada, club.pk, command()), False),
        ],
    )
    async def test_the_chat_of_a_club(self, end: Callable[..., Any], others_stay: bool) -> None:
        ada, bo, cleo = await in_thread(people)("Ada Bo Cleo")
        club = await in_thread(club_of)(ada, bo, cleo)
        talk, other = await opened(bo, f"/ws/club/{club.slug}"), await opened(cleo, f"/ws/club/{club.slug}")
        await in_thread(end)(ada, bo, club)
        assert await closes(talk) == 4403
        if others_stay:
            assert "closed 4403" not in await other.say()
            await other.close()
        else:
            assert await closes(other) == 4403


@pytest.mark.asyncio
class TestStudy:
    """Bo is a member of Ada's private study, or reads it since it is public."""

    @pytest.mark.parametrize(
        ("before", "end"),
        [
            ("member", lambda ada, bo, study: studies.remove_member(ada, study.pk, "Bo", command())),
            ("member", lambda ada, bo, study: studies.remove_member(bo, study.pk, "Bo", command())),
            ("member", lambda ada, bo, study: studies.delete(ada, study.pk, command())),
            ("member", lambda ada, bo, study: studies.forget(ada.pk)),
            ("public", lambda ada, bo, study: studies.change(ada, study.pk, "", "private", command())),
            ("public", lambda ada, bo, study: moderation.hide_study(bo, study)),
        ],
    )
    async def test_a_study(self, before: str, end: Callable[..., Any]) -> None:
        ada, bo = await in_thread(people)("Ada Bo")
        if before == "member":
            study = await in_thread(study_of)(ada, Bo="write")
        else:
            study = await in_thread(study_of)(ada, "public")
        talk = await opened(bo, f"/ws/study/{study.pk}")
        await in_thread(end)(ada, bo, study)
        assert await closes(talk) == 4404


class Class:
    """Ada and Bo teach a class with three pupils, two of whom play; Ada teaches another one, too."""

    def __init__(self) -> None:
        self.ada, self.bo = people("Ada Bo")
        self.fifth, self.sixth = (classes.make(self.ada, title, command()) for title in ("5b", "6b"))
        teachers.invite(self.ada, self.fifth.code, "Bo", command())
        teachers.accept(self.bo, self.fifth.code, command())
        three = pupils.add(self.ada, self.fifth.code, "Ann, Cleo, Dan", command())
        self.ann, self.cleo, self.dan = (User.objects.get(pk=each) for each in three)
        self.match = begin.create("kalah", CIRCLE, [self.ann, self.cleo])

    def leave(self) -> None:
        teachers.leave(self.bo, self.fifth.code, command())

    def move(self) -> None:
        pupils.move(self.ada, self.fifth.code, self.ann.pk, self.sixth.code, command())


WAYS = [("bo", Class.leave), ("dan", Class.move)]
"""Who loses sight of the match, and how: a teacher leaves, or a player is moved to another class."""


@pytest.fixture
def world(transactional_db: None, settings: Any) -> Class:
    settings.CLASSES = classes.OPEN
    return Class()


@pytest.mark.asyncio
@pytest.mark.parametrize(("who", "end"), WAYS)
class TestClass:
    async def test_the_match(self, world: Class, who: str, end: Callable[[Class], None]) -> None:
        address = f"/ws/match/{world.match.pk}"
        talk, stays = await opened(getattr(world, who), address), await opened(world.ada, address)
        await in_thread(end)(world)
        assert await closes(talk) == 4403
        assert "closed 4403" not in await stays.say()
        await stays.close()

    async def test_small_boards(self, world: Class, who: str, end: Callable[[Class], None]) -> None:
        talk = await opened(getattr(world, who), "/ws/watch")
        shown = await talk.say({"type": "show", "matches": [world.match.pk]})
        assert '"shown"' in shown[-1]
        await in_thread(end)(world)
        told = orjson.loads((await talk.there.receive_output())["text"])
        assert told == {"type": "not-shown", "match": world.match.pk, "code": "players-only"}
        await talk.close()

    async def test_the_chat_of_the_match(self, world: Class, who: str, end: Callable[[Class], None]) -> None:
        """It has no room for them, so that it ends with their next message."""
        talk = await opened(getattr(world, who), f"/ws/chat/{world.match.pk}")
        await in_thread(end)(world)
        await talk.there.send_to(text_data=orjson.dumps(PING).decode())
        assert await closes(talk) == 4403

    async def test_the_stream_of_programs(self, world: Class, who: str, end: Callable[[Class], None]) -> None:
        reader = getattr(world, who)
        stream = Stream(Caller(reader.pk, reader.username), "program")
        lines = match_stream.lines(stream, await look_at(world.match.pk, reader.pk), None)
        assert b'"snapshot"' in await anext(lines)
        await in_thread(end)(world)
        *_, last = [each async for each in lines]
        assert orjson.loads(last)["code"] == "players-only"
