"""A new game needs four files, its translations and no change elsewhere.

Two games lie in tests/data/fifth_game as they would in the repository: tic-tac-toe, and Pig, which rolls a
die and has a picture of its own. Their entries in the registry are those that docs/guide/new-game.md shows.
A copy of the repository with both in it is tested and served.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po, write_po

from tests.helpers.samples import FULL
from tools import words
from tools.harness import prepared
from tools.harness.people import Person, play_out, seat_two
from tools.harness.servers import ParlourServer
from tools.harness.services import ROOT

SLUGS = ("pig", "tictactoe")
REGISTRY = "games/registry.py"
FILES = {
    *(f"games/rules/{slug}.py" for slug in SLUGS),
    *(f"static/boards/{slug}.js" for slug in SLUGS),
    *(f"tests/games/rules/test_{slug}.py" for slug in SLUGS),
    "games/pictures/pig.py",
}
"""All that the two games are made of, beside their entries in the registry."""
ASKED = {
    *(f"tests/games/rules/test_{slug}.py" for slug in SLUGS),
    "tests/games/api/test_api.py",
    "tests/games/bots/test_any_game.py",
    "tests/games/pages/test_rules_pages.py",
    "tests/games/share/test_pictures.py",
    "tests/games/test_boards.py",
    "tests/games/test_conformance.py",
    "tests/games/test_registry.py",
    "tests/architecture/test_architecture.py",
    "tests/architecture/test_protocol.py",
    "tests/architecture/test_translated.py",
    "tests/architecture/test_translations.py",
    "tests/lobby/positions/test_page.py",
    "tests/lobby/studies/test_analysis.py",
    "tests/lobby/studies/test_files.py",
    "tests/lobby/tables/test_forms.py",
    "tests/lobby/front/test_front.py",
}
"""The files with tests of every game, which must take up a new one."""
SAMPLE = ROOT / "tests" / "data" / "fifth_game"
GUIDE = ROOT / "docs" / "guide" / "new-game.md"
LEFT = shutil.ignore_patterns(".*", "node_modules", "test-results", "var")
"""What no copy needs."""
MADE = "__pycache__"
SERVED = ("tests/browser", "tests/drills", "tests/servers", "tests/strangers")
"""Folders whose tests need a browser or servers; the new games are served to people below."""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy with both games in it, translated; whatever is done with it must change no other file."""
    copy = Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("fifth") / "checkout", ignore=LEFT))
    # A new game has no tables of its own.
    tables = prepared.sqlite_file().parent
    shutil.copytree(tables, copy / tables.relative_to(ROOT))
    before = contents(copy)
    for path in FILES:
        shutil.copy(SAMPLE / path, copy / path)
    register(copy / REGISTRY)
    translate(copy)
    yield copy
    after = contents(copy)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    assert {path for path in changed if not path.startswith("locale/")} == FILES | {REGISTRY}


def contents(root: Path) -> dict[str, bytes]:
    """Every file that a checkout has, by its path."""
    found: dict[str, bytes] = {}
    for folder, folders, files in os.walk(root):
        left = LEFT(folder, [*folders, *files])
        folders[:] = [name for name in folders if name not in left and name != MADE]
        paths = [Path(folder, name) for name in files if name not in left]
        found |= {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    return found


def register(registry: Path) -> None:
    """Add the guide's entries at the end of the list, as an editor would."""
    entries = re.findall(r"```python\n( +Game\(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(entries) == len(SLUGS), "the guide does not show an entry of each game"
    text = registry.read_text()
    text, imported = re.subn(
        r"^from \.rules import \(\n(.*?)^\)",
        lambda block: f"from .rules import (\n{lines([*re.findall(r'[a-z_]+', block[1]), *SLUGS])})",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    text, listed = re.subn(r"^    \)\n\}$", rf"{''.join(entries)}\g<0>", text, flags=re.MULTILINE)
    assert (imported, listed) == (1, 1), "the registry has another shape"
    registry.write_text(text)


def lines(names: list[str]) -> str:
    """Names as a block of imports has them."""
    return "".join(f"    {name},\n" for name in sorted(names))


def translate(checkout: Path) -> None:
    """`make words`, and what is left to the translators; English stands for every language here."""
    run(checkout, "tools.words")
    for language in words.PLURALS:
        for domain in words.SOURCES:
            path = checkout / words.catalogue(language, domain).relative_to(ROOT)
            with path.open("rb") as file:
                catalogue = read_po(file, locale=language)
            for message in catalogue:
                if message.pluralizable and not all(message.string):
                    message.string = (message.id[1],) * catalogue.num_plurals
                elif not message.pluralizable and not message.string:
                    message.string = message.id
            with path.open("wb") as file:
                write_po(file, catalogue)


def run(checkout: Path, *command: str) -> str:
    """What a module of Python says there; it must succeed."""
    # The run around this one speaks through such variables to its own processes.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=checkout,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_new_games_pass_the_tests_of_every_game(checkout: Path) -> None:
    # The full run looks for such tests in every file.
    where = [*(f"--ignore={folder}" for folder in SERVED), "tests"] if FULL else sorted(ASKED)
    chosen = ["-k", f"{' or '.join(SLUGS)} or all_games or translat", *where]
    said = run(checkout, "pytest", "-v", "-p", "no:cacheprovider", *chosen)
    passed = set(re.findall(r"^(tests/\S+\.py)::.* PASSED", said, re.MULTILINE))
    assert passed >= ASKED


def test_new_games_pass_the_checks_of_style_and_types(checkout: Path, tmp_path: Path) -> None:
    sources = sorted(path for path in {*FILES, REGISTRY} if path.endswith(".py"))
    run(checkout, "ruff", "check", "--no-cache", *sources)
    run(checkout, "ruff", "format", "--no-cache", "--check", *sources)
    # What the registry asks of the rules, without all else that it imports.
    entries = tmp_path / "entries.py"
    asked = f"from games.rules import {', '.join(SLUGS)}\nGAMES: tuple[Rules, ...] = ({', '.join(SLUGS)})\n"
    entries.write_text(f"from games.rules.base import Rules\n{asked}")
    pictures = sorted(path for path in FILES if path.startswith("games/pictures/"))
    strictly = ["--config-file=", f"--cache-dir={os.devnull}", "--strict"]
    run(checkout, "mypy", *strictly, str(entries), *pictures)


@pytest.fixture
def server(checkout: Path, tmp_path: Path) -> Iterator[ParlourServer]:
    """The copy as its developer runs it, with static files as they are."""
    path = shutil.copy(prepared.sqlite_file(), tmp_path / "checkout.sqlite3")
    server = ParlourServer(f"sqlite:///{path}", "", tmp_path / "made", root=checkout, DEBUG="1")
    yield server.start()
    server.discard()


def test_two_people_play_new_games_to_their_end_while_another_watches(server: ParlourServer) -> None:
    offered_in_words(server)
    one, two, match_id = seat_two(server, game="tictactoe", preset="reversed")
    shown_by_its_board(server, one, match_id, "Three in a row: Whoever has three in a row loses.")
    played_over_sockets(one, two, Person(server), match_id)
    stored = server.rows("SELECT action FROM games_ply WHERE match_id = ? ORDER BY number", match_id)
    assert [action for (action,) in stored] == ["a1", "b2", "b1", "c3", "c1"]
    dice_are_rolled(server)


def dice_are_rolled(server: ParlourServer) -> None:
    """A match of Pig at random: the server rolls what is due, and the target wins."""
    one, two, match_id = seat_two(server, game="pig", preset="short")
    shown_by_its_board(server, one, match_id, "Target: 50")
    with one.watch(match_id) as first, two.watch(match_id) as second:
        end = play_out((first, second), random.Random(3))
    assert end["outcome"]["reason"] == "target"
    assert max(end["outcome"]["scores"]) >= 50
    rolls = server.rows("SELECT dice FROM games_ply WHERE match_id = ? AND action = 'dice'", match_id)
    assert rolls
    assert "<svg" in one.get(f"/m/{match_id}.svg")


def offered_in_words(server: ParlourServer) -> None:
    """The front page, the table form and the page of rules know the game and what can be chosen."""
    newcomer = Person(server)
    front = newcomer.get("/")
    assert "Tic-tac-toe" in front
    assert "Pig" in front
    for slug in SLUGS:
        assert 'id="fields"' in newcomer.get(f"/position/{slug}")
        assert f"{slug}.1 " in newcomer.get(f"/analysis/{slug}")
    for page in (newcomer.get("/new/tictactoe"), newcomer.get("/rules/tictactoe")):
        assert "What becomes of whoever has three marks in a row." in page
        assert "Whoever has three in a row loses." in page


def shown_by_its_board(server: ParlourServer, player: Person, match_id: str, chosen: str) -> None:
    """The match page says what was chosen and names the module that draws it, which is served."""
    page = player.get(f"/m/{match_id}")
    assert chosen in page
    module = re.search(r'data-board="([^"]+)"', page)
    assert module is not None
    assert "export function draw(" in server.get(module[1]).text


def played_over_sockets(one: Person, two: Person, watcher: Person, match_id: str) -> None:
    """A match of the reversed game: whoever moves first makes a row on the fifth ply, and has lost."""
    with one.watch(match_id) as first, two.watch(match_id) as second, watcher.watch(match_id) as watching:
        assert first.snapshot["legal"] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
        assert first.move(0, "a1")["type"] == "accepted"
        refused = second.move(1, "a1")
        assert (refused["code"], refused["detail"]) == ("taken", "a1 is taken.")
        for ply, (player, move) in enumerate(
            [(second, "b2"), (first, "b1"), (second, "c3"), (first, "c1")], 1
        ):
            assert player.move(ply, move)["type"] == "accepted"
        seen = [watching.next("plies") for _ in range(5)]
        assert seen[-1]["outcome"] == {"winners": [1], "reason": "row", "scores": []}
        assert [event["kind"] for event in seen[-1]["plies"][0]["events"]] == ["marked", "lined"]
        assert what_all_are_told(second.next("plies")) == seen[-1]
        assert what_all_are_told(first.heard[-2]) == seen[-1]


def what_all_are_told(message: dict[str, Any]) -> dict[str, Any]:
    """A message without what its seat may do."""
    return {name: value for name, value in message.items() if name != "may"}
