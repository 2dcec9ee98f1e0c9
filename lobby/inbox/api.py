"""The inbox for programs. `lobby.inbox.conversations` decides."""

from __future__ import annotations

from typing import Annotated

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from ninja.responses import Status
from pydantic import StringConstraints
from typing_extensions import TypedDict

from games.api.access import Token
from games.api.routes import answer, caller
from games.api.scopes import CHAT, READ
from games.domain.messages import CommandId
from lobby.api.callers import my_account
from lobby.api.messages import Body
from lobby.inbox import conversations
from lobby.people import circles
from lobby.people.api import Name, UnknownPerson
from lobby.people.models import User
from lobby.sockets.messages import MessageFields

router = Router(tags=["Inbox"])

PAGE_SIZE = 50
"""Conversations of a page."""
InboxPage = Annotated[int, Query(ge=1, le=1000, description="Which page, the first being 1.")]
Before = Annotated[
    int | None, Query(ge=1, le=2**53, description="Only messages with lower numbers, for older ones.")
]


class MessageBody(Body):
    """A message to send. The same `id` is stored once, however often it is sent."""

    id: CommandId
    text: Annotated[str, StringConstraints(max_length=4000)]


class ConversationFields(TypedDict):
    """Messages with one person; `last` is null if that was hidden or deleted."""

    name: str
    unread: bool
    last: MessageFields | None


class Conversations(TypedDict):
    """A page of conversations, newest first; `next` is the number of the next page, null on the last one."""

    conversations: list[ConversationFields]
    next: int | None


class Messages(TypedDict):
    """A page of messages, oldest first; give `before` to get older ones, null if there are none."""

    messages: list[MessageFields]
    before: int | None


@router.get("/inbox", auth=Token(READ), response=Conversations, summary="Your conversations")
def list_conversations(request: HttpRequest, page: InboxPage = 1) -> HttpResponse:
    """Your conversations, the newest first, with the last message of each."""
    user = my_account(request)
    found = Paginator(conversations.of(user.pk), PAGE_SIZE).get_page(page)
    told = [
        {
            "name": entry.other.get_username(),
            "unread": entry.unread,
            "last": entry.last and conversations.fields(entry.last),
        }
        for entry in conversations.entries(user, found.object_list)
    ]
    following = found.next_page_number() if found.has_next() else None
    return answer({"conversations": told, "next": following})


@router.get("/inbox/{name}", auth=Token(READ), response=Messages, summary="Messages with somebody")
def read_messages(request: HttpRequest, name: Name, before: Before = None) -> HttpResponse:
    """The last messages with a person. Reading them here does not mark them as read."""
    shown, older = conversations.page(my_account(request), _other(request, name), before)
    return answer({"messages": [conversations.fields(each) for each in shown], "before": older})


@router.post("/inbox/{name}", auth=Token(CHAT), response={201: MessageFields}, summary="Write to somebody")
def send_message(request: HttpRequest, name: Name, body: MessageBody) -> HttpResponse:
    """Send a message to a person who accepts yours."""
    message = conversations.send(caller(request).user_id, _other(request, name), body.id, body.text)
    return answer(conversations.fields(message), 201)


@router.post("/inbox/{name}/read", auth=Token(CHAT), response={204: None}, summary="Mark messages as read")
def mark_read(request: HttpRequest, name: Name) -> Status[None]:
    """Mark all messages of a person as read."""
    conversations.read(my_account(request), _other(request, name))
    return Status(204, None)


def _other(request: HttpRequest, name: str) -> User:
    """The user of that name; deleted ones too, to whom messages were written. Raises `UnknownPerson`."""
    found = circles.named(name, caller(request).user_id)
    if found is None:
        raise UnknownPerson
    return found
