"""The start-up check of `config.daphne` names everything that a library lacks, and the server acts on it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from config.daphne import compatibility
from config.daphne.compatibility import FEATURES, VERSIONS, Feature
from tests.conftest import Launcher
from tools.harness.patience import patience
from tools.harness.servers import parlour_environment
from tools.harness.services import ROOT

PACKAGE = ROOT / "config" / "daphne"
NEEDS = [(feature, need) for feature in FEATURES for need in feature.needs]

TAKE_AWAY = """
import json
import daphne.server
from config.daphne import compatibility
from config.daphne.compatibility import FEATURES, IncompatibleLibrary
from contextlib import contextmanager
from importlib import import_module
from types import CodeType

@contextmanager
def take_away(need):
    # What the need names is gone: the attribute itself, or the name in the method.
    path, _, name = need.partition(" uses ")
    module, _, attributes = path.partition(":")
    *owners, last = attributes.split(".")
    owner = import_module(module)
    for each in owners:
        owner = getattr(owner, each)
    if name:
        function = getattr(owner, last)
        code = function.__code__
        function.__code__ = renamed(code, name)
        yield
        function.__code__ = code
        return
    # Twisted hides modules with deprecated attributes behind a proxy, and an attribute may be inherited.
    owner = object.__getattribute__(owner, "_module") if type(owner).__name__ == "_ModuleProxy" else owner
    holders = [each for each in getattr(owner, "__mro__", (owner,)) if last in vars(each)]
    values = [vars(holder)[last] for holder in holders]
    for holder in holders:
        delattr(holder, last)
    yield
    for holder, value in zip(holders, values):
        setattr(holder, last, value)

def renamed(code, name):
    # The same code, which names something else.
    def other(value):
        if isinstance(value, CodeType):
            return renamed(value, name)
        return "gone" if value == name else value

    parts = ("co_names", "co_varnames", "co_consts")
    return code.replace(**{part: tuple(map(other, getattr(code, part))) for part in parts})

found = {}
for feature in FEATURES:
    for need in feature.needs:
        with take_away(need):
            try:
                found[feature.name + need] = compatibility.check()
            except IncompatibleLibrary as error:
                found[feature.name + need] = str(error)
print(json.dumps(found))
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=parlour_environment(),
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )


@pytest.fixture(scope="module")
def checked() -> dict[str, str | list[str]]:
    """What the check says where a need is taken away, by feature and need."""
    done = run(TAKE_AWAY)
    assert done.returncode == 0, done.stderr
    found: dict[str, str | list[str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("feature", "need"), NEEDS, ids=[need for _, need in NEEDS])
def test_what_is_taken_away_is_named_or_done_without(
    checked: dict[str, str | list[str]], feature: Feature, need: str
) -> None:
    result = checked[feature.name + need]
    if feature.optional and isinstance(result, list):
        assert feature.name not in result
    else:
        # Also where a required feature needs the same.
        assert f"needs {need}" in result


@pytest.mark.parametrize("library", VERSIONS)
@pytest.mark.parametrize("bound", ["older", "newer"])
def test_an_untested_version_is_named(monkeypatch: pytest.MonkeyPatch, library: str, bound: str) -> None:
    other = "1.0" if bound == "older" else f"{VERSIONS[library][1][0] + 1}.0.dev1"
    monkeypatch.setattr(compatibility, "version", lambda name: other if name == library else version(name))
    (problem,) = compatibility.untested()
    assert problem.startswith(f"{library} {other} is not tested")


def test_a_server_that_cannot_be_secured_does_not_start() -> None:
    done = run(
        "import sys, twisted.web.http\n"
        "del twisted.web.http.Request.gotLength\n"
        "from config.server import main\n"
        "sys.exit(main(['--port', '0']))"
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "This server cannot be secured: body limit needs twisted.web.http:Request.gotLength; "
        "body limit needs twisted.web.http:Request.gotLength uses content."
    )
    assert done.stdout == ""


def test_the_log_says_in_one_line_what_is_in_use(launcher: Launcher) -> None:
    server = launcher.open(launcher.store("sqlite"), LOG_LEVEL="INFO")
    (line,) = [line for line in server.log.splitlines() if "daphne" in line]
    assert all(feature.name in line for feature in FEATURES)


def private_names() -> Iterator[str]:
    """Attributes with an underscore that the package takes from something that is not its own."""
    for path in PACKAGE.glob("*.py"):
        tree = ast.parse(path.read_text())
        own = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_set(node)}
        own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own:
                yield node.attr


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def is_set(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store)


def test_the_table_has_every_private_name_of_the_package() -> None:
    names = set(private_names())
    assert "_tempDataLen" in names
    assert {name for name in names if not any(name in need for _, need in NEEDS)} == set()


def test_nothing_else_touches_twisted_autobahn_or_daphne() -> None:
    found = [
        str(path.relative_to(ROOT))
        for folder in ("config", "games", "lobby")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if PACKAGE not in path.parents and imports_them(path)
    ]
    assert found == ["config/server.py"]


def imports_them(path: Path) -> bool:
    """Whether a module imports one of the three libraries."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return any(name.partition(".")[0] in {"twisted", "autobahn", "daphne"} for name in names)
