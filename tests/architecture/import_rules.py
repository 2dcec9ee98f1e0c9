"""The walls of the house as functions: each reads one file and says what in it breaks the wall.

`path` is relative to the repository, with forward slashes. A wall that cannot see a breach is no wall,
so test_architecture.py shows each of them one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch

WORLD = {
    *(
        "asyncio",
        "ctypes",
        "datetime",
        "http",
        "importlib",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
    ),
    *("random", "secrets", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time"),
    *("urllib", "uuid", "zoneinfo"),
}
"""Modules of the standard library that know more than their arguments."""

FRAMEWORKS = {"django", "channels", "daphne", "twisted", "pydantic"}
SURPRISES = {"asyncio", "os", "secrets", "threading", "time", "uuid"}
"""Clocks and randomness that cannot be handed in as an argument."""

WAITS = {"sleep", "wait_for", "wait"}
CLOCK_READINGS = {"now", "utcnow", "today"}
OUTSIDE = {"open", "input", "print", "exec", "eval", "__import__"}
WRITES = {
    *(
        "save",
        "create",
        "update",
        "delete",
        "bulk_create",
        "bulk_update",
        "get_or_create",
        "update_or_create",
    ),
    *("asave", "acreate", "aupdate", "adelete", "abulk_create", "abulk_update", "aget_or_create"),
}


WHO_MAY_WATCH = {"watchable", "delay"}
"""The terms of a match that say who may see it, and when."""
KNOWS_WHO_MAY_WATCH = (
    *("games/watch/visibility.py", "games/domain/terms.py", "games/models.py"),
    *("lobby/tables/terms.py", "lobby/forms/terms.py", "lobby/api/table_bodies.py"),
)
"""Who decides by them, and who sets them."""
QUERIES = {"filter", "exclude", "get", "Q", "F", "only", "order_by", "values", "values_list", "annotate"}

ROOMS_OF_GAMES = ("games/rules/", "games/bots/", "games/pictures/", "lobby/kalaha/", "static/boards/")
"""Where a file is about the game whose slug begins its name.

A note describes an interface to one game alone, in that game's own words; so its room is among these.
"""


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


def within(name: str, *modules: str) -> bool:
    """Whether a dotted name is one of the modules or lies in one."""
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def stem_of(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def game_of(stem: str) -> str:
    """The slug of the game that a file of that name is about: `go` for `go` and `go_boards`."""
    return stem.split("_")[0]


def rules_stand_alone(path: str, source: str) -> list[str]:
    """Rules import the standard library, `.base` and parts of their own game; nothing knows the world."""
    tree = ast.parse(source)
    own = f"games.rules.{game_of(stem_of(path))}_"
    found = [
        f"imports {name}"
        for name in imported(path, tree)
        if not within(name, "games.rules.base")
        and not name.startswith(own)
        and (name.split(".")[0] not in sys.stdlib_module_names or within(name, *WORLD))
    ]
    functions = [call.func.id for call in calls(tree) if isinstance(call.func, ast.Name)]
    return found + [f"calls {function}" for function in functions if function in OUTSIDE]


def time_and_chance_are_arguments(path: str, source: str) -> list[str]:
    """No clock, no global random, no Django; a `random.Random` with a seed is an argument like any other."""
    tree = ast.parse(source)
    found = [
        f"imports {name}"
        for name in imported(path, tree)
        if within(name, *FRAMEWORKS, *SURPRISES, "games.domain.dice")
        or (within(name, "random") and name not in ("random", "random.Random"))
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.alias) and node.name == "random" and node.asname:
            found.append("hides random behind another name")
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "random" and node.attr != "Random":
            found.append(f"uses random.{node.attr}")
    for call in calls(tree):
        name = ast.unparse(call.func)
        if name.split(".")[-1] in CLOCK_READINGS and "." in name:
            found.append(f"reads the clock: {name}")
        if name in ("Random", "random.Random") and not call.args:
            found.append("makes a Random without a seed")
    return found


def consumers_and_views_are_thin(path: str, source: str) -> list[str]:
    """They hold no rules of a game and write no models; a service does, whose functions they may call."""
    tree = ast.parse(source)
    names = list(imported(path, tree))
    found = [
        f"imports {name}"
        for name in names
        if within(name, "games.rules") and not within(name, "games.rules.base")
    ]
    # `games.play.matches.create` is a function of a service; a class begins with a capital letter.
    modules = {name.split(".")[-1] for name in names if name.split(".")[-1].islower()}
    modules |= {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if alias.asname and alias.asname.islower()
    }
    for call in calls(tree):
        if isinstance(call.func, ast.Attribute) and call.func.attr in WRITES:
            holder = ast.unparse(call.func.value)
            if holder not in modules:
                found.append(f"writes: {holder}.{call.func.attr}")
    return found


def games_know_no_lobby(path: str, source: str) -> list[str]:
    """A match is played without knowing where its people met."""
    tree = ast.parse(source)
    found = [f"imports {name}" for name in imported(path, tree) if within(name, "lobby")]
    for call in calls(tree):
        if ast.unparse(call.func).split(".")[-1] in ("import_module", "__import__", "get_model"):
            found += [
                f"loads {arg.value}"
                for arg in call.args
                if isinstance(arg, ast.Constant) and within(str(arg.value), "lobby")
            ]
    return found


def no_game_is_named(slugs: set[str], path: str, source: str) -> list[str]:
    """Only a game's own files and the registry know its slug; all else finds it there."""
    foreign = slugs - {game_of(stem_of(path))} if path.startswith(ROOMS_OF_GAMES) else slugs
    # Without any other game the pattern must match nothing, not everything.
    pattern = re.compile(rf"(?<![a-z])({'|'.join(sorted(foreign)) or '(?!)'})(?![a-z])")
    return [f"names {text!r}" for text in texts(path, source) if pattern.search(text.lower())]


def texts(path: str, source: str) -> Iterator[str]:
    """What a file says to machines and people, without its comments: by words in Python, else by lines."""
    if path.endswith(".py"):
        yield from words(ast.parse(source))
    else:
        comment = HTML_COMMENT if path.endswith(".html") else JS_COMMENT
        yield from comment.sub(" ", source).splitlines()


def words(tree: ast.AST) -> Iterator[str]:
    """All identifiers and string constants; docstrings are prose and left out."""
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


def nothing_is_swallowed(path: str, source: str) -> list[str]:
    """`except Exception` decides no game: it would take a mistake in the rules for an answer."""
    return [f"{scope}: catches everything" for scope in catchers(ast.parse(source), "module")]


def catchers(tree: ast.AST, scope: str) -> Iterator[str]:
    """The function or class around each handler that catches everything."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ExceptHandler) and catches_everything(node):
            yield scope
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        yield from catchers(node, node.name if named else scope)


def catches_everything(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    caught = {
        ast.unparse(node) for node in ast.walk(handler.type) if isinstance(node, ast.Name | ast.Attribute)
    }
    return any(name.split(".")[-1] in ("Exception", "BaseException") for name in caught)


def one_loop_for_all(path: str, source: str) -> list[str]:
    """Repeated work is for `games.net.periodic`, which goes on once the database is back."""
    return [f"{scope}: waits and goes round" for scope in _rounds(ast.parse(source), "module")]


def _rounds(tree: ast.AST, scope: str) -> Iterator[str]:
    """The function or class around each endless loop that waits for some time."""
    for node in ast.iter_child_nodes(tree):
        endless = isinstance(node, ast.While) and ast.unparse(node.test) == "True"
        if endless and any(ast.unparse(call.func).split(".")[-1] in WAITS for call in calls(node)):
            yield scope
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        yield from _rounds(node, node.name if named else scope)


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


HTML_COMMENT = re.compile(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}|<!--.*?-->", re.DOTALL)
JS_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
JS_IMPORT = re.compile(r"""(?:^|[;}\s])(?:import|export)\b[^'"`;()]*['"`]([^'"`]*)['"`]""")
JS_WORLD = re.compile(
    r"\bimport\s*\(|\b(?:document|window|Math\.random|Date|fetch|setTimeout|localStorage)\b(?!\s*:)"
)


BOARDS_KNOW = {"../shapes/svg.js", "../shapes/names.js", "../words/sentences.js"}


def boards_are_pure(path: str, source: str) -> list[str]:
    """A board module imports shapes and words alone and touches neither page nor clock nor chance."""
    code = JS_COMMENT.sub(" ", source)
    found = [f"imports {module}" for module in JS_IMPORT.findall(code) if module not in BOARDS_KNOW]
    return found + [f"uses {word}" for word in JS_WORLD.findall(code)]


def law_knows_no_django(path: str, source: str) -> list[str]:
    """What may happen is told by values alone; of Django the law knows how words are translated."""
    names = imported(path, ast.parse(source))
    known = "django.utils.translation"
    return [
        f"imports {name}" for name in names if within(name, "django", "channels") and not within(name, known)
    ]


WALLS = {
    law_knows_no_django: ["games/domain/*.py"],
    rules_stand_alone: ["games/rules/*.py"],
    time_and_chance_are_arguments: [
        "games/rules/*.py",
        "games/bots/*.py",
        "games/domain/analysis.py",
        "games/finished/analysis_chart.py",
        "games/pictures/*.py",
        "games/domain/clock.py",
        "games/domain/codec.py",
    ],
    consumers_and_views_are_thin: [
        *("*consumer.py", "*/consumers.py", "games/pages/*.py", "*_views.py", "*/views/*.py"),
        *("games/api/routes.py", "lobby/api/routes.py", "lobby/api/people.py"),
    ],
    games_know_no_lobby: ["games/*.py"],
    nothing_is_swallowed: ["games/*.py", "lobby/*.py"],
    one_loop_for_all: ["games/*.py", "lobby/*.py", "config/*.py"],
    who_may_watch_is_asked: ["games/*.py", "lobby/*.py", "config/*.py"],
    boards_are_pure: ["static/boards/*.js"],
}
"""Each wall with the files it stands around; `*` also matches the slashes of folders."""


def stands_around(patterns: list[str], path: str) -> bool:
    return any(fnmatch(path, pattern) for pattern in patterns)
