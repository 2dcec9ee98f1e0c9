"""Pages and matches as the server writes them, for the tests of modules in Node.

`python -m tests.helpers.rendered_pages` writes them into var/rendered; `make test` does so first.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import django
import time_machine

from tools.harness import prepared

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""The time at which the pages are made, and at which tests/js/dom/page.js opens them."""
FOLDER = Path(__file__).resolve().parents[2] / "var" / "rendered"

if __name__ == "__main__":
    # Models can be imported only then.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()

from django.db import connections, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from games.domain import codec  # noqa: E402
from games.domain.terms import Terms  # noqa: E402
from games.models import Match  # noqa: E402
from games.play import begin  # noqa: E402
from games.registry import GAMES  # noqa: E402
from games.rules.base import Leave  # noqa: E402
from lobby.people.models import User  # noqa: E402
from lobby.studies import chapters  # noqa: E402
from lobby.tables import computers  # noqa: E402
from tests.helpers import finished, lobby_pages, studies  # noqa: E402
from tests.helpers.tournaments import command  # noqa: E402
from tools.harness.recorded import Recorder  # noqa: E402

KALAH = GAMES["kalah"]
CIRCLE = KALAH.rules.PRESETS["circle"]
MESSAGES = "lobby-messages.json"


def match_page(match: Match, reader: User | None) -> str:
    """A match, as somebody sees it; its id is `match`, and the key of the site for devices is `key`."""
    client = Client()
    if reader is not None:
        client.force_login(reader, backend="lobby.auth.backends.PasswordBackend")
    page = client.get(f"/m/{match.pk}").content.decode().replace(str(match.pk), "match")
    return re.sub(r'(?<=data-push=")[^"]+', "key", page)


def between_people(anna: User, ben: User) -> str:
    return match_page(begin.create("kalah", CIRCLE, [anna, ben]), anna)


def with_days_for_a_move(anna: User, ben: User) -> str:
    return match_page(begin.create("kalah", CIRCLE, [anna, ben], terms=Terms(clock="3d")), anna)


def watched(anna: User, ben: User) -> str:
    return match_page(begin.create("kalah", CIRCLE, [anna, ben]), None)


def at_one_board(anna: User, ben: User) -> str:
    return match_page(
        begin.create_shared("morris", GAMES["morris"].rules.Options(), ["Anna", "Ben"], anna), anna
    )


def against_the_computer(anna: User, ben: User) -> str:
    computer = computers.seat(KALAH, 1)
    return match_page(begin.create("kalah", CIRCLE, [anna, computer], levels={1: 1}), anna)


def of_dice(anna: User, ben: User) -> str:
    return match_page(begin.create("cantstop", GAMES["cantstop"].rules.Options(), [anna, ben]), anna)


def embedded_replay(anna: User, ben: User) -> str:
    match = finished.begun([anna, ben], "kalah", CIRCLE, rated=False)
    finished.play(match, *MOVES["kalah"], Leave(0))
    return Client().get(f"/embed/{match.pk}").content.decode().replace(str(match.pk), "match")


def position(slug: str) -> Callable[[User, User], str]:
    """The page of a start position."""
    return lambda _anna, _ben: Client().get(f"/position/{slug}").content.decode()


def study(anna: User, ben: User) -> str:
    """A study of Kalah with two chapters, as its owner sees it."""
    made = studies.study_of(anna, Ben="write")
    chapters.add(anna, made.pk, studies.file(), command())
    client = Client()
    client.force_login(anna, backend="lobby.auth.backends.PasswordBackend")
    page = client.get(f"/study/{made.pk}").content.decode().replace(made.pk, "study")
    return re.sub(r"chapter/\d+", "chapter/1", page)


RENDERED: dict[str, Callable[[User, User], str]] = {
    "match": between_people,
    "match-slow": with_days_for_a_move,
    "match-watched": watched,
    "match-shared": at_one_board,
    "match-computer": against_the_computer,
    "match-dice": of_dice,
    "embed-replay": embedded_replay,
    "position-kalah": position("kalah"),
    "position-cantstop": position("cantstop"),
    "study": study,
    **lobby_pages.RENDERED,
}
"""The pages by the names of their files."""


MOVES = {"kalah": ("1", "1", "2", "3"), "morris": ("a1", "a7", "d1", "d7"), "cantstop": ()}
"""The first moves of a match by game; with dice there are twelve plies at random."""


def first_plies(slug: str) -> str:
    """The start of a match and its first plies, as sockets tell them, with the moves after each."""
    game = GAMES[slug]
    played = Recorder(game, CIRCLE if slug == "kalah" else game.rules.Options())
    for move in MOVES[slug]:
        played.play(game.rules.parse(move))
    if not MOVES[slug]:
        played.play_on(Random(3), 12)
    plies = [
        {
            "number": entry.number,
            "seat": entry.seat,
            "action": entry.text,
            "dice": entry.dice,
            "events": json.loads(codec.encode_events(events)),
            "state": json.loads(codec.encode_state(game.rules, state)),
            "legal": [str(move) for move in game.rules.legal_moves(state)],
        }
        for entry, events, state in zip(played.entries, played.events, played.states[1:], strict=True)
    ]
    start = {
        "state": json.loads(codec.encode_state(game.rules, played.start)),
        "legal": [str(move) for move in game.rules.legal_moves(played.start)],
    }
    return json.dumps({"game": slug, "start": start, "plies": plies}, separators=(",", ":")) + "\n"


def write(folder: Path) -> None:
    """Write every page and recording into a folder that exists; leaves nothing in the database."""
    for slug in MOVES:
        (folder / f"plies-{slug}.json").write_text(first_plies(slug))
    for name, render in (*RENDERED.items(), (MESSAGES, lobby_pages.messages)):
        with transaction.atomic():
            people = [User.objects.create_user(name) for name in ("Anna", "Ben")]
            written = render(*people)
            transaction.set_rollback(True)
        (folder / (name if name == MESSAGES else f"{name}.html")).write_text(written)


def main() -> None:
    setup_test_environment()
    warnings.filterwarnings("ignore", "No directory at")  # no page here needs collected static files
    database = Path(connections["default"].settings_dict["NAME"])
    shutil.copy(prepared.sqlite_file(), database)
    FOLDER.parent.mkdir(exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=FOLDER.parent) as scratch:
            made = Path(scratch) / "made"
            made.mkdir()
            with time_machine.travel(NOW, tick=False):
                write(made)
            shutil.rmtree(FOLDER, ignore_errors=True)
            made.rename(FOLDER)
    finally:
        connections.close_all()
        for each in database.parent.glob(f"{database.name}*"):
            each.unlink()


if __name__ == "__main__":
    main()
