"""URLs of the lobby's sockets, and of the sockets of pages, which carry feeds of the lobby and of matches."""

from typing import Any

from django.urls import path

from games.net.sockets import Feed, carrying
from games.watch.board_consumer import BoardsFeed
from games.watch.match_consumer import MatchFeed
from lobby.chat.sockets import TalkFeed
from lobby.clubs.sockets import ClubFeed
from lobby.sockets.consumers import LobbyFeed, PersonFeed
from lobby.studies.sockets import StudyFeed

EVERYWHERE: dict[str, type[Feed]] = {"lobby": LobbyFeed, "boards": BoardsFeed, "me": PersonFeed}
"""The feeds that any page may ask for."""

websocket_urlpatterns: list[Any] = [
    path("ws/lobby", carrying(LobbyFeed)),
    path("ws/me", carrying(PersonFeed)),
    path("ws/club/<str:club>", carrying(ClubFeed)),
    path("ws/study/<str:study>", carrying(StudyFeed)),
    path("ws/chat/<str:match_id>", carrying(TalkFeed)),
    path("ws/page", carrying(**EVERYWHERE)),
    path("ws/page/match/<str:match_id>", carrying(match=MatchFeed, chat=TalkFeed, **EVERYWHERE)),
    path("ws/page/club/<str:club>", carrying(club=ClubFeed, **EVERYWHERE)),
    path("ws/page/study/<str:study>", carrying(study=StudyFeed, **EVERYWHERE)),
]
