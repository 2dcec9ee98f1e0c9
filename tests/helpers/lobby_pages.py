"""The pages beside the board as the server writes them, and what its sockets tell of the same site.

Anna reads; Ben and Cleo play and wait.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from django.test import Client

from games.models import Match
from games.play import begin
from games.registry import GAMES
from lobby.chat import lines
from lobby.chat.models import ChatLine
from lobby.feed import counts, lobby_feed, saved_matches
from lobby.pairing import queue
from lobby.pairing.pairing_options import Tile
from lobby.people import relationships
from lobby.people.models import User
from lobby.tables.challenges import challenge
from lobby.tables.tables import TableTerms, set_table
from tests.helpers import finished

KALAHA = GAMES["kalah"].rules.PRESETS["kalaha"]
CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
STRICT = GAMES["cantstop"].rules.PRESETS["strict"]
NINE = GAMES["morris"].rules.PRESETS["nine"]
PUZZLE = re.compile(r'(?<=<section id="puzzle" aria-labelledby="puzzle-title">).*?(?=</section>)', re.DOTALL)
"""The puzzle of the day, which is another one each day."""


def site(anna: User, ben: User) -> dict[str, str]:
    """Tables, matches, a search and a line of the chat; their names in what is written, by their ids."""
    cleo = User.objects.create_user("Cleo")
    kept = begin.create("kalah", CIRCLE, [anna, ben])
    finished.play(kept, "1")
    Match.objects.filter(pk=kept.pk).update(status=Match.Status.SAVED)
    relationships.follow(anna, ben)
    queue.enter(cleo, Tile("kalah", "classic", "5+3", rated=False))
    ChatLine.objects.create(user=ben, command="first-line", text="Anybody for a game?")
    return {
        kept.pk: "saved",
        set_table(ben, "kalah", KALAHA, 2, "host").pk: "bens-table",
        set_table(anna, "cantstop", STRICT, 3, "host").pk: "annas-table",
        set_table(anna, "kalah", CIRCLE, 2, "host", TableTerms(listed=False)).pk: "by-invitation",
        begin.create("kalah", CIRCLE, [anna, ben]).pk: "annas-match",
        begin.create("morris", NINE, [ben, cleo]).pk: "others-match",
    }


def named(text: str, names: dict[str, str]) -> str:
    """What was written, with names in place of the ids, which are others each time."""
    for key, name in names.items():
        text = text.replace(str(key), name)
    return text


def page(reader: User | None, path: str) -> str:
    """A page as somebody reads it; None is a visitor."""
    client = Client()
    if reader is not None:
        client.force_login(reader, backend="lobby.auth.backends.PasswordBackend")
    return PUZZLE.sub("", client.get(path).content.decode())


def of_site(path: str, visitor: bool = False) -> Callable[[User, User], str]:
    """A page of the site; a path may have the name of a table or a match in it."""

    def written(anna: User, ben: User) -> str:
        names = site(anna, ben)
        here = path
        for key, name in names.items():
            here = here.replace(name, str(key))
        return named(page(None if visitor else anna, here), names)

    return written


RENDERED: dict[str, Callable[[User, User], str]] = {
    "lobby": of_site("/"),
    "lobby-visitor": of_site("/", visitor=True),
    "people": of_site("/people"),
    "table": of_site("/t/annas-table"),
    "table-by-invitation": of_site("/t/by-invitation"),
    "new-kalah": of_site("/new/kalah"),
    "leaderboards": of_site("/leaderboards"),
}
"""The pages by the names of their files."""


def messages(anna: User, ben: User) -> str:
    """What Anna's sockets tell her of the site: by what it is, a message each."""
    names = site(anna, ben)
    challenged = challenge(ben, anna, "morris", NINE, "host", TableTerms())
    told: dict[str, Any] = {
        "challenge": {"type": "table", "table": lobby_feed.table_fields(challenged)},
    }
    names[challenged.pk] = "challenge"
    queue.enter(anna, Tile("kalah", "classic", "5+3", rated=False))
    told["searching"] = {"type": "pairing", **queue.situation(anna.pk)}
    queue.cancel([anna.pk])
    challenged.delete()
    told |= {
        "lobby": {**lobby_feed.everything(anna.pk), "counts": counts.counts()},
        "chat": {"type": "chat", **lines.latest(anna.pk)},
        "saved": {"type": "saved", "matches": saved_matches.fields_for(anna.pk)},
        "hello": {
            "type": "hello",
            "challenges": [],
            "calls": [],
            "next": [],
            "waiting": ["annas-match"],
            "left": {},
            "muted": None,
            "unread": 0,
            **queue.situation(anna.pk),
        },
    }
    text = named(json.dumps(told, indent=1, ensure_ascii=False), names) + "\n"
    for new, kept in (
        (r'"number": \d+', '"number": 10'),
        (r'"at": "[^"]+"', '"at": "2026-01-01T12:00:00+00:00"'),
        (r'"waited": [\d.e-]+', '"waited": 0.0'),
        (r'("lines": \[\s*{\s*"id": )\d+', r"\g<1>7"),
    ):
        text = re.sub(new, kept, text)
    return text
