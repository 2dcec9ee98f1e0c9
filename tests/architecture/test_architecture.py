"""The rules of tests/architecture/import_rules.py hold for every source file."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from games.registry import GAMES
from tests.architecture import import_rules
from tests.architecture.import_rules import WALLS

ROOT = Path(__file__).parents[2]
RULES = {path.stem for path in (ROOT / "games" / "rules").glob("*.py")} - {"__init__", "base"}
SLUGS = set(GAMES) | {import_rules.game_of(stem) for stem in RULES}

ALLOWED = {
    ("games/net/periodic.py", "every: catches everything"): (
        "keeps work beside the matches alive while the database is away; it decides no move"
    ),
    ("games/net/periodic.py", "every: waits and goes round"): "is that loop",
    ("games/computers/hints.py", "_thought: waits and goes round"): "ends with what it waits for",
    ("games/net/hub.py", "_hear: catches everything"): (
        "one message that cannot be read must not make the process deaf; the store has what it said"
    ),
    ("games/net/message_queue.py", "_handle_waiting: catches everything"): (
        "hands every error to the owner of the queue, which logs it and closes the socket"
    ),
    ("games/net/message_queue.py", "_finish: catches everything"): (
        "hands every error to the owner of the queue, which logs it and closes the socket"
    ),
    ("lobby/kalaha/answers.py", "once: catches everything"): "raises it again, once the key is let go of",
    ("lobby/kalaha/answers.py", "_known_or_claimed: waits and goes round"): "ends with what it waits for",
    ("lobby/views/idempotency.py", "begin: catches everything"): "raises it again, once the key is let go of",
    ("config/management/commands/runserver.py", "_serve_in_children: waits and goes round"): (
        "ends with the process it waits for, unless that asks to be started anew"
    ),
    ("lobby/api/routes.py", "writes: router.delete"): "says what the method DELETE does; it writes nothing",
}
"""Breaches with a reason. One that is gone must leave this list."""


def files(*folders, suffix):
    paths = (path for folder in folders for path in (ROOT / folder).rglob(f"*{suffix}"))
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


SOURCES = files("games", "lobby", "config", suffix=".py") + files("static/boards", suffix=".js")
NAMELESS = [
    path
    for path in [
        *files("games", "lobby", "config", suffix=".py"),
        *(path for suffix in (".js", ".css", ".svg") for path in files("static", suffix=suffix)),
        *files("templates", suffix=".html"),
    ]
    if path != "games/registry.py"
]
"""Files that must find a game by its slug, or be the own files of one."""


def breaches(wall, paths):
    """What breaks a wall without a reason, by file."""
    found = {path: wall(path, (ROOT / path).read_text()) for path in paths}
    unexcused = {path: [each for each in some if (path, each) not in ALLOWED] for path, some in found.items()}
    return {path: some for path, some in unexcused.items() if some}


@pytest.mark.parametrize("wall", WALLS, ids=lambda wall: wall.__name__)
def test_wall(wall):
    assert breaches(wall, [path for path in SOURCES if import_rules.stands_around(WALLS[wall], path)]) == {}


@pytest.mark.all_games
def test_no_game_is_named_outside_its_own_files():
    assert breaches(partial(import_rules.no_game_is_named, SLUGS), NAMELESS) == {}


@pytest.mark.parametrize("wall", WALLS, ids=lambda wall: wall.__name__)
def test_every_wall_stands_around_something(wall):
    assert any(import_rules.stands_around(WALLS[wall], path) for path in SOURCES)


@pytest.mark.parametrize(("path", "breach"), ALLOWED)
def test_an_exception_that_is_not_needed_any_more_is_struck_out(path, breach):
    found = [each for wall in WALLS for each in wall(path, (ROOT / path).read_text())]
    assert breach in found


@pytest.mark.all_games
def test_what_is_pure_loads_without_django():
    patterns = [*WALLS[import_rules.time_and_chance_are_arguments], "games/registry.py"]
    paths = [path for path in SOURCES if import_rules.stands_around(patterns, path)]
    modules = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in paths]
    program = f"import sys, {', '.join(modules)}; sys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_the_games_package_is_empty():
    assert (ROOT / "games" / "__init__.py").read_text().strip() == ""
