"""Sockets of a user who is deleted at the moment."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync

from games.net.sockets import CLOSE_PLAYERS_ONLY, CLOSE_SIGNED_OUT, CLOSE_UNKNOWN, carrying
from games.net.tasks import tasks
from games.watch.match_consumer import MatchFeed
from lobby.chat.sockets import TalkFeed
from lobby.clubs.sockets import ClubFeed
from lobby.people.models import User
from lobby.routing import EVERYWHERE
from lobby.studies.sockets import StudyFeed
from tests.helpers import finished
from tests.helpers.clubs import club_of
from tests.helpers.communicator import Communicator
from tests.helpers.studies import study_of

pytestmark = pytest.mark.django_db(transaction=True)

FEEDS = {**EVERYWHERE, "match": MatchFeed, "chat": TalkFeed, "club": ClubFeed, "study": StudyFeed}
ASKED = {"lobby": {"type": "chat"}}
"""What a feed is asked that its first message does not read."""
CLOSED = {
    **{"me": CLOSE_SIGNED_OUT, "lobby": CLOSE_SIGNED_OUT},
    **{"club": CLOSE_PLAYERS_ONLY, "study": CLOSE_UNKNOWN},
}
"""The other feeds are open to visitors."""


@pytest.mark.parametrize("name", FEEDS)
def test_socket_of_user_deleted_meanwhile_closes_without_fault(ulno, artjom, name, caplog):
    match, club, study = finished.begun([ulno, artjom]), club_of(ulno), study_of(ulno)
    about = {"match_id": match.pk, "club": club.slug, "study": study.pk}
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
