"""Sources keep to tests/architecture/source_rules.py, and docs/explanation/architecture.md to the sources."""

import json
import re
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import pytest
from django.apps import apps

from games.registry import GAMES
from tests.architecture import source_rules, writers
from tests.architecture.source_rules import RULES, game_of, holds_for

ROOT = Path(__file__).parents[2]
SLUGS = set(GAMES) | {
    game_of(path.stem)
    for path in (ROOT / "games" / "rules").glob("*.py")
    if path.stem not in ("__init__", "base")
}

ALLOWED = {
    ("games/net/tasks.py", "every: loops and waits"): "is that loop",
    ("games/computers/hints.py", "_thought: loops and waits"): "ends with what it waits for",
    ("games/computers/reports.py", "_listen: loops and waits"): "ends with the pipes that it waits for",
    ("lobby/kalaha/answers.py", "_taken: loops and waits"): "ends with what it waits for",
    ("config/management/commands/runserver.py", "_serve_in_children: loops and waits"): (
        "ends with the process it waits for, unless that asks to be started anew"
    ),
    ("lobby/api/routes.py", "writes: router.delete"): "declares the method DELETE; it writes nothing",
}
"""Violations with a reason."""


def files(*folders, suffix):
    paths = (path for folder in folders for path in (ROOT / folder).rglob(f"*{suffix}"))
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def source(path):
    return (ROOT / path).read_text()


SOURCES = files("games", "lobby", "config", suffix=".py")
NAMELESS = [
    path
    for path in [
        *SOURCES,
        *(path for suffix in (".js", ".css", ".svg") for path in files("static", suffix=suffix)),
        *files("templates", suffix=".html"),
    ]
    if path != "games/registry.py"
]
"""Files that must find a game by its slug, or are the own files of one."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule(rule):
    found = {
        (path, each) for path in SOURCES if holds_for(RULES[rule], path) for each in rule(path, source(path))
    }
    assert found - set(ALLOWED) == set()


@pytest.mark.all_games
def test_no_game_is_named_outside_its_own_files():
    rule = partial(source_rules.no_game_is_named, SLUGS)
    found = {path: rule(path, source(path)) for path in NAMELESS}
    assert {path: some for path, some in found.items() if some} == {}


@pytest.mark.parametrize(("path", "violation"), ALLOWED)
def test_every_exception_is_needed(path, violation):
    assert violation in [each for rule in RULES for each in rule(path, source(path))]


@pytest.mark.all_games
def test_the_domain_loads_without_database_and_server():
    # It may import Django's translations; a contract cannot tell parts of an external package apart.
    modules = [path.removesuffix(".py").replace("/", ".") for path in files("games/domain", suffix=".py")]
    loaded = "sys.modules.keys() & {'django.db', 'django.http', 'channels', 'twisted'}"
    program = f"import sys, {', '.join(modules)}; sys.exit(bool({loaded}))"
    subprocess.run([sys.executable, "-c", program.replace(".__init__", "")], cwd=ROOT, check=True)


# docs/explanation/architecture.md

DOCUMENT = source("docs/explanation/architecture.md")
LAYERS = {
    contract["containers"][0]: [
        name.strip() for line in reversed(contract["layers"]) for name in re.split(r"[|:]", line)
    ]
    for contract in tomllib.loads(source("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    if "containers" in contract
}
LAYERS["static"] = json.loads(
    re.search(r"const LAYERS = (\[.*?\]);", source("eslint.config.js"), re.DOTALL)[1]
)


@pytest.mark.parametrize("folder", LAYERS)
def test_the_document_lists_the_packages_in_the_order_of_their_layers(folder):
    listed = re.findall(rf"^\| `{folder}/([\w-]+)` \|", DOCUMENT, re.MULTILINE)
    assert listed == [name for name in LAYERS[folder] if name in listed]


def test_every_folder_of_modules_has_a_layer():
    # import-linter asks that of Python packages.
    assert {path.split("/")[1] for path in files("static", suffix=".js")} == set(LAYERS["static"])


# Rows and their writers

WRITERS = {
    model: set(re.findall(r"`([^`]+)`", listed))
    for model, listed in re.findall(r"^\| (\w+) \| (`[^|]+`) \|$", DOCUMENT, re.MULTILINE)
}
WRITES_WHAT_IT_IS_HANDED = {
    "games/store/leases.py": {writers.UNKNOWN},
    "config/management/commands/site.py": {writers.UNKNOWN},
    "config/assets/storage.py": {writers.UNKNOWN},
}
"""Leases update one column of the rows that their owner passes in. An import fills an empty database. The
storage of static files deletes files, not rows.
"""


def test_every_model_has_writers():
    models = {model.__name__ for app in ("games", "lobby") for model in apps.get_app_config(app).get_models()}
    assert set(WRITERS) == models


def test_only_listed_files_write_a_model():
    found = {
        path: writers.written(source(path)) - {model for model, listed in WRITERS.items() if path in listed}
        for path in SOURCES
        if "/migrations/" not in path
    }
    assert {path: models for path, models in found.items() if models} == WRITES_WHAT_IT_IS_HANDED


@pytest.mark.parametrize(("model", "listed"), WRITERS.items(), ids=WRITERS.keys())
def test_listed_writers_write(model, listed):
    assert [path for path in listed if model not in writers.written(source(path))] == []
