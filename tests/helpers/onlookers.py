"""Somebody who looks at the whole site in this process: what every address and every socket tells them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any, get_args

import orjson
from django.test import Client
from typing_extensions import get_type_hints

from config.asgi import sockets
from games.domain import messages as match_messages
from games.net.threads import in_thread
from games.watch import board_messages
from lobby.people.models import User
from lobby.sockets import messages as lobby_messages
from lobby.tokens import tokens
from tests.helpers.communicator import Communicator
from tests.helpers.routes import path

NEW_EACH_TIME = re.compile(
    r'(csrfmiddlewaretoken|name="key)" value="[\w-]+|nonce[=-]["\']?[\w+/=-]+|<time[^>]*>[^<]*</time>|'
    r'"watchers":\d+,"names":.*"hidden_by":\[[\d,]*\]|'
    r'"(number|time|seen|written|waited)":\s*[\d."TZ:+-]+|"date":\s*"[^"]*"',
    re.IGNORECASE,
)
"""What is another one whenever it is asked for, and who is at a board, which everybody is told at once."""

PING = {"type": "ping", "t": 1.0}
SPOKEN = {
    "/ws/lobby": lobby_messages.Incoming,
    "/ws/me": lobby_messages.PersonalIncoming,
    "/ws/watch": board_messages.Incoming,
    "/ws/match": match_messages.Incoming,
    "/ws/chat": lobby_messages.TalkIncoming,
    "/ws/club": lobby_messages.ClubIncoming,
    "/ws/study": lobby_messages.StudyIncoming,
}
"""What sockets take, by the beginning of their addresses."""


def spoken_at(address: str) -> set[str]:
    """The types of the messages that a socket takes."""
    taken = get_args(SPOKEN["/".join(address.split("/")[:3])])
    return {get_args(get_type_hints(message)["type"])[0] for message in taken}


@dataclass
class Onlooker:
    """Somebody with a browser and a program, or a visitor who has neither account nor token."""

    user: User | None = None
    client: Client = field(default_factory=Client)
    token: str = ""
    here: Talk | None = None
    """A socket of theirs that stays open, so that they are on the site all the time."""

    @classmethod
    async def of(cls, user: User, scopes: tuple[str, ...] = ()) -> Onlooker:
        """Somebody who is signed in, with a token if there are scopes."""
        client = Client()
        await client.aforce_login(user, "lobby.auth.backends.PasswordBackend")
        token = await in_thread(tokens.make)(user, "program", scopes) if scopes else ""
        return cls(user, client, token)

    async def ask(
        self, method: str, route: str, values: Mapping[str, Any], body: Any = None, query: str = ""
    ) -> Any:
        """The answer to a request; below `/api/` it is sent by their program."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        sent: dict[str, Any] = {"data": body or {}}
        if route.startswith(("api/", "mancala/")):
            sent = {"data": orjson.dumps(body or {}), "content_type": "application/json", "headers": headers}
        if method == "GET":
            sent.pop("data"), sent.pop("content_type", "")
        address = path(route, values) + query
        # The asynchronous client costs twice as much: it changes the thread for each middleware.
        return await in_thread(getattr(self.client, method.lower()))(address, **sent)

    async def hears(self, route: str, values: Mapping[str, Any], query: str = "") -> str:
        """Status, place and content of what an address answers, less what is new each time."""
        answer = await self.ask("GET", route, values, query=query)
        if not answer.streaming:
            content = answer.content
        elif "ndjson" in answer["Content-Type"]:
            content = await anext(aiter(answer.streaming_content))
            await answer.streaming_content.aclose()
        else:
            content = b"".join([piece async for piece in answer.streaming_content])
        told = f"{answer.status_code} {answer.get('Location', '')}\n{content.decode(errors='replace')}"
        return NEW_EACH_TIME.sub("", told)

    async def socket(self, address: str) -> Talk:
        """An open socket of theirs."""
        cookies = SimpleCookie(self.client.cookies).output(header="", sep=";").encode()
        headers = [(b"host", b"testserver"), (b"origin", b"http://testserver"), (b"cookie", cookies)]
        talk = Talk(Communicator(sockets, address, headers=headers))
        connected, _ = await talk.there.connect()
        assert connected
        return talk


@dataclass
class Talk:
    """A socket, and whether it was closed at the other end."""

    there: Communicator
    closed: bool = False

    async def say(self, *messages: Mapping[str, Any]) -> list[str]:
        """Say something; all that is told up to the answer to a ping, or to the end of the conversation.

        Who is at a board is left out: it is told a moment later, together with whoever comes until then.
        """
        for message in (*messages, PING):
            await self.there.send_to(text_data=orjson.dumps(message).decode())
        heard: list[str] = []
        # An answer may have to be thought about; what has no id has none, or one before the pong.
        answers, ponged = sum("id" in message for message in messages), False
        while answers > 0 or not ponged:
            told = await self.there.receive_output()
            if told["type"] == "websocket.close":
                self.closed = True
                return [*heard, f"closed {told['code']}"]
            kind = orjson.loads(told["text"])["type"]
            answers -= kind in ("accepted", "refused")
            if kind == "pong":
                ponged = True
            elif kind != "crowd":
                heard.append(NEW_EACH_TIME.sub("", told["text"]))
        return heard

    async def close(self) -> None:
        await self.there.disconnect()
