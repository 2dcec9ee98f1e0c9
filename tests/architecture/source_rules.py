"""Rules for source files that no linter has: each function reads one file and returns its violations.

`path` is relative to the repository, with forward slashes. Imports are checked by import-linter and ESLint,
whose contracts are in pyproject.toml and eslint.config.js.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch

WAITS = {"sleep", "wait_for", "wait"}
WRITES = {
    *("save", "create", "update", "delete", "bulk_create", "bulk_update"),
    *("get_or_create", "update_or_create"),
    *("asave", "acreate", "aupdate", "adelete", "abulk_create", "abulk_update", "aget_or_create"),
}
WHO_MAY_WATCH = {"watchable", "delay"}
"""The terms of a match that say who may see it, and when."""
KNOWS_WHO_MAY_WATCH = (
    *("games/watch/visibility.py", "games/domain/terms.py", "games/models.py"),
    *("lobby/tables/terms.py", "lobby/tables/forms/terms.py", "lobby/tables/api_fields.py"),
)
"""The files that decide by these terms, and those that set them."""
QUERIES = {"filter", "exclude", "get", "Q", "F", "only", "order_by", "values", "values_list", "annotate"}

FOLDERS_OF_GAMES = ("games/rules/", "games/bots/", "games/pictures/", "static/boards/")
"""Where a file or folder is about the game whose slug begins its name."""
FEATURES_OF_A_GAME = {"lobby/kalaha/": "kalah"}
"""The Kalaha note describes an interface to one game alone, in the words of that game."""
HTML_COMMENT = re.compile(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}|<!--.*?-->", re.DOTALL)
JS_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


def imported(path: str, tree: ast.AST) -> Iterator[str]:
    """Every imported name with its whole absolute path, also where the import is relative."""
    package = path.removesuffix(".py").split("/")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level] if node.level else []
            module = [*above, *(node.module or "").split(".")]
            yield from (".".join(filter(None, [*module, alias.name])) for alias in node.names)


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def game_of(stem: str) -> str:
    """The slug of the game that a file of that name is about: `go` for `go` and `go_boards`."""
    return stem.split("_")[0]


def rules_import_their_own_game(path: str, source: str) -> list[str]:
    """Rules import the standard library, `base` and files of their own game.

    A contract cannot tell by its name which game a file is about.
    """
    game = game_of(_stem(path))
    own = ("games.rules.base.", f"games.rules.{game}.", f"games.rules.{game}_")
    return [
        f"imports {name}"
        for name in imported(path, ast.parse(source))
        if not f"{name}.".startswith(own) and name.split(".")[0] not in sys.stdlib_module_names
    ]


def consumers_and_views_are_thin(path: str, source: str) -> list[str]:
    """They write no models; a service does, whose functions they may call."""
    tree = ast.parse(source)
    # `games.play.matches.create` is a function of a service; a class begins with a capital letter.
    modules = {name.split(".")[-1] for name in imported(path, tree) if name.split(".")[-1].islower()}
    modules |= {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if alias.asname and alias.asname.islower()
    }
    return [
        f"writes: {ast.unparse(call.func)}"
        for call in calls(tree)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in WRITES
        and ast.unparse(call.func.value) not in modules
    ]


def no_game_is_named(slugs: set[str], path: str, source: str) -> list[str]:
    """Only a game's own files and the registry know its slug; all else finds it there."""
    foreign = slugs - {_own_game(path)}
    # Without any other game the pattern must match nothing, not everything.
    pattern = re.compile(rf"(?<![a-z])({'|'.join(sorted(foreign)) or '(?!)'})(?![a-z])")
    return [f"names {text!r}" for text in _texts(path, source) if pattern.search(text.lower())]


def _own_game(path: str) -> str | None:
    """The slug of the game that a file is about, if it is about one."""
    for folder in FOLDERS_OF_GAMES:
        if path.startswith(folder):
            return game_of(re.split("[/.]", path.removeprefix(folder))[0])
    return next((game for folder, game in FEATURES_OF_A_GAME.items() if path.startswith(folder)), None)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _texts(path: str, source: str) -> Iterator[str]:
    """A file without its comments: by words in Python, else by lines."""
    if path.endswith(".py"):
        yield from words(ast.parse(source))
    else:
        comment = HTML_COMMENT if path.endswith(".html") else JS_COMMENT
        yield from comment.sub(" ", source).splitlines()


def words(tree: ast.AST) -> Iterator[str]:
    """All identifiers and string constants, without docstrings."""
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in prose:
            yield node.value if isinstance(node.value, str) else node.value.decode(errors="replace")
        for _, value in ast.iter_fields(node):
            if isinstance(value, str) and not isinstance(node, ast.Constant):
                yield value


def one_loop_for_all(path: str, source: str) -> list[str]:
    """Repeated work is for `games.net.tasks`, which goes on once the database is back."""
    return [f"{scope}: loops and waits" for scope in _endless_loops(ast.parse(source), "module")]


def _endless_loops(tree: ast.AST, scope: str) -> Iterator[str]:
    """The function or class around each endless loop that waits for some time."""
    for node in ast.iter_child_nodes(tree):
        endless = isinstance(node, ast.While) and ast.unparse(node.test) == "True"
        if endless and any(ast.unparse(call.func).split(".")[-1] in WAITS for call in calls(node)):
            yield scope
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        yield from _endless_loops(node, node.name if named else scope)  # type: ignore[attr-defined]


def who_may_watch_is_asked(path: str, source: str) -> list[str]:
    """`games.watch.visibility` alone decides by the terms of a match who may see it, and when.

    A migration stays as it was when it was written, whatever others decide later, so it asks nobody.
    """
    if path in KNOWS_WHO_MAY_WATCH or "/migrations/" in path:
        return []
    tree = ast.parse(source)
    found = [
        f"reads {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in WHO_MAY_WATCH
    ]
    for call in calls(tree):
        if ast.unparse(call.func).split(".")[-1] in QUERIES:
            asked = [keyword.arg or "" for keyword in call.keywords]
            asked += [str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)]
            found += [f"asks for {text}" for text in asked if WHO_MAY_WATCH & set(text.split("__"))]
    return found


RULES = {
    rules_import_their_own_game: ["games/rules/*.py"],
    consumers_and_views_are_thin: [
        *("*consumer.py", "*/consumers.py", "games/pages/*.py", "*_views.py", "*/views/*.py"),
        *("games/api/routes.py", "lobby/api/routes.py", "lobby/people/api.py"),
    ],
    one_loop_for_all: ["games/*.py", "lobby/*.py", "config/*.py"],
    who_may_watch_is_asked: ["games/*.py", "lobby/*.py", "config/*.py"],
}
"""Each rule with the files it holds for; `*` also matches the slashes of folders."""


def holds_for(patterns: list[str], path: str) -> bool:
    return any(fnmatch(path, pattern) for pattern in patterns)
