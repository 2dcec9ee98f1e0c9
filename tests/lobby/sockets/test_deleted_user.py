"""Sockets of a user who is deleted at the moment."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync

from games.net.sockets import CLOSE_PLAYERS_ONLY, CLOSE_SIGNED_OUT, carrying
from games.net.tasks import tasks
from games.watch.match_consumer import MatchFeed
from lobby.chat.sockets import TalkFeed
from lobby.clubs.sockets import ClubFeed
from lobby.people.models import User
from lobby.routing import EVERYWHERE
from tests.helpers import finished
from tests.helpers.clubs import club_of
from tests.helpers.communicator import Communicator

pytestmark = pytest.mark.django_db(transaction=True)

FEEDS = {**EVERYWHERE, "match": MatchFeed, "chat": TalkFeed, "club": ClubFeed}
ASKED = {"lobby": {"type": "chat"}}
"""What a feed is asked that its first message does not read."""
CLOSED = {"me": CLOSE_SIGNED_OUT, "lobby": CLOSE_SIGNED_OUT, "club": CLOSE_PLAYERS_ONLY}
"""The other feeds are open to visitors."""


@pytest.mark.parametrize("name", FEEDS)
def test_socket_of_user_deleted_meanwhile_closes_without_fault(ulno, artjom, name, caplog):
    about = {"match_id": finished.begun([ulno, artjom]).pk, "club": club_of(ulno).slug}
    user = User.objects.create_user("Gone")
    User.objects.filter(pk=user.pk).delete()
    session = type("Session", (dict,), {"session_key": "gone"})()
    scope: Any = {
        "user": user,
        "session": session,
        "url_route": {"kwargs": about},
        "client": ["192.0.2.1", 1],
    }

    async def visit():
        socket = Communicator(carrying(FEEDS[name]), "/")
        socket.scope |= scope
        await socket.connect()
        if name in ASKED:
            await socket.send_json_to(ASKED[name])
        code = None
        if name in CLOSED:
            while (message := await socket.receive_output())["type"] != "websocket.close":
                pass
            code = message["code"]
        await socket.disconnect()
        while tasks.running:
            await next(iter(tasks.running))
        return code

    assert async_to_sync(visit)() == CLOSED.get(name)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
