"""Names that data remembers: docs/reference/stored-names.md lists them, and the code accepts them all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest
from django.apps import apps
from django.conf import settings
from django.core import management
from django.core.management import find_commands, get_commands
from django.urls import Resolver404, resolve

from config import environment, sessions
from config.management.commands import site
from games.api.scopes import SCOPES
from games.domain import clock, dice, match_actions, matchfile
from games.domain.messages import ClaimKind, OfferKind
from games.registry import GAMES
from games.rules.base import ENDED, choices_of
from lobby.club_files import files as club_files
from lobby.moderation import moderators
from lobby.people import preferences
from lobby.studies import files as study_files
from lobby.tokens import tokens
from lobby.tournaments.formats import FORMATS, simul
from lobby.webhooks import events
from lobby.webhooks.models import new_secret
from tools.harness.services import ROOT

PAGE = ROOT / "docs" / "reference" / "stored-names.md"
OURS = ("games", "lobby")


def models() -> Iterator[Any]:
    return (model for model in apps.get_models() if model._meta.app_label in OURS)


def choices() -> set[str]:
    """The values of every column that has choices."""
    return {
        f"{model._meta.label_lower}.{field.name}={value}"
        for model in models()
        for field in model._meta.get_fields()
        for value, _ in getattr(field, "choices", None) or ()
        if model._meta.label_lower != "games.match" or field.name == "status"
    }


def in_browsers() -> set[str]:
    """Keys of a browser's storage, and the prefix of the caches of the service worker."""
    found = set()
    for path in (ROOT / "static").rglob("*.js"):
        found |= set(re.findall(r'["`](parlour:[\w:-]*|parlour-(?=\$))', path.read_text()))
    return found


def sources() -> Iterator[str]:
    """The text of every module of the two apps."""
    return (path.read_text() for app in OURS for path in (ROOT / app).rglob("*.py"))


def session_keys() -> set[str]:
    """The keys under which our code keeps something in a session."""
    found = set()
    for text in sources():
        for key in re.findall(r'\bsession(?:\[|\.(?:get|pop|setdefault)\()([\w"-]+)', text):
            constant = re.findall(rf'^{key} = "(.+)"', text, re.MULTILINE)
            found |= {key.strip('"')} if '"' in key else {*constant}
    return found


def salts() -> set[str]:
    """The salts of signatures and keyed hashes."""
    found = set()
    for text in sources():
        found |= set(re.findall(r'(?:^SALT = |salt=)"([^"]+)"', text, re.MULTILINE))
    return found


def in_migrations() -> set[str]:
    """What migrations import from code that may move."""
    found = set()
    for path in [path for app in OURS for path in (ROOT / app / "migrations").glob("0*.py")]:
        text = path.read_text()
        found |= set(re.findall(r"(?:=|\[|, )((?:games|lobby)\.[a-z_.]+\.\w+)\b(?!')", text))
        for module, names in re.findall(r"^from ((?:games|lobby)\.[\w.]+) import (.+)$", text, re.MULTILINE):
            found |= {f"{module}.{name}" for name in names.split(", ")}
    return found


ACCEPTED: dict[str, Callable[[], set[str]]] = {
    "log-in backends": lambda: {*sessions.MOVED, *settings.AUTHENTICATION_BACKENDS},
    "class of sessions": lambda: {sessions.SessionStore().key_salt},
    "session keys": session_keys,
    "cookies": lambda: {
        settings.SESSION_COOKIE_NAME,
        settings.CSRF_COOKIE_NAME,
        settings.LANGUAGE_COOKIE_NAME,
    },
    "storage of browsers": in_browsers,
    "salts": salts,
    "prefixes of secrets": lambda: {tokens.PREFIX, new_secret().partition("_")[0] + "_"},
    "scopes of tokens": lambda: {*SCOPES},
    "webhook events": lambda: {*events.EVENTS},
    "models": lambda: {model._meta.label_lower for model in models()},
    "permissions": lambda: {
        f"{model._meta.app_label}.{name}" for model in models() for name, _ in model._meta.permissions
    },
    "groups": lambda: {*moderators.GROUPS},
    "column values": choices,
    "code in migrations": in_migrations,
    "games": lambda: {*GAMES},
    "presets": lambda: {f"{game.slug}.{preset}" for game in GAMES.values() for preset in game.rules.PRESETS},
    "options": lambda: {
        f"{game.slug}.{choice.name}" for game in GAMES.values() for choice in choices_of(game.rules.Options)
    },
    "clocks": lambda: {*filter(None, clock.CONTROLS)},
    "actions of plies": lambda: {
        ENDED,
        *(value for name, value in vars(match_actions).items() if name.isupper() and isinstance(value, str)),
    },
    "offers and claims": lambda: {*get_args(OfferKind), *get_args(ClaimKind)},
    "tournament formats": lambda: {*FORMATS},
    "seats of hosts of simuls": lambda: {*simul.HOST_SEATS},
    "file formats": lambda: {
        f"{matchfile.FORMAT} {matchfile.VERSION}",
        dice.FORMAT,
        f"{site.FORMAT} {site.VERSION}",
        f"{study_files.FORMAT} {study_files.VERSION}",
        f"{club_files.FORMAT} {club_files.VERSION}",
    },
    "preferences": lambda: {
        f"{name}={value}" for name, values in preferences.SETTINGS.items() for value in values
    },
    "commands": lambda: {
        name
        for name, app in get_commands().items()
        if app in ("config", *OURS) and name not in find_commands(management.__path__[0])
    },
    "settings": lambda: {*environment.declarations(), *environment.OLD_NAMES},
}
"""What the code accepts, by the first cell of a row."""


def listed() -> dict[str, set[str]]:
    """The names of the page, by the first cell of a row."""
    _heading, *rows = re.findall(r"^\| ([^|]+?) \| [^|]+ \| (.+) \|$", PAGE.read_text(), re.MULTILINE)
    return {kind: set(re.findall(r"`([^`]+)`", names)) for kind, names in rows}


@pytest.mark.parametrize("kind", ACCEPTED)
def test_stored_names_are_accepted(kind: str) -> None:
    forgotten = listed()[kind] - ACCEPTED[kind]()
    assert not forgotten, f"data has these {kind}: keep them working, or migrate the data"


@pytest.mark.parametrize("kind", ACCEPTED)
def test_accepted_names_are_listed(kind: str) -> None:
    new = ACCEPTED[kind]() - listed()[kind]
    assert not new, f"docs/reference/stored-names.md lacks these {kind}"


def test_addresses_lead_somewhere() -> None:
    addresses = listed()["addresses"]
    assert len(addresses) > 20
    lost = set()
    for address in addresses:
        try:
            resolve(address)
        except Resolver404:
            lost.add(address)
    assert lost == set()


def test_every_row_is_checked() -> None:
    assert listed().keys() == {*ACCEPTED, "addresses"}
