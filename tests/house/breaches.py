"""Small files that break the walls of tests/house/walls.py, and sound ones that come close."""

from functools import partial

from tests.house import walls

SHOWN = [
    (
        walls.law_knows_no_django,
        "games/law/absence.py",
        [
            "from django.conf import settings",
            "def late():\n    from django.db import models",
            "import channels.layers",
        ],
    ),
    (walls.law_knows_no_django, "games/law/deeper/clock.py", ["import django"]),
    (
        walls.rules_stand_alone,
        "games/rules/go.py",
        [
            "import random",
            "import time as t",
            "from datetime import datetime",
            "def play():\n    from os import urandom",
            "import django",
            "from django.utils import timezone",
            "import orjson",
            "from . import codec",
            "from .chess import Move",
            "from .gomoku_boards import POINTS",
            "from ..codec import encode",
            "from games.play.matches import create",
            "print('moved')",
            "open('log')",
            "importlib = __import__('importlib')",
        ],
    ),
    (
        walls.time_and_chance_are_arguments,
        "games/bots/greedy.py",
        [
            "import time",
            "from time import monotonic",
            "import secrets",
            "import os",
            "from django.utils import timezone",
            "from ..law.dice import new_secret",
            "import random\nrandom.shuffle(moves)",
            "import random\npick = random.choice",
            "import random as chance\nchance.random()",
            "from random import choice",
            "from random import Random\nrng = Random()",
            "import random\nrng = random.Random()",
            "import datetime\ndatetime.datetime.now()",
            "from datetime import datetime\nstarted = datetime.now(tz)",
            "from datetime import date\ndate.today()",
        ],
    ),
    (
        walls.consumers_and_views_are_thin,
        "games/pages/matches.py",
        [
            "from ..rules import chess",
            "from games.rules.chess import play",
            "import games.rules.chess",
            "match.save()",
            "Match.objects.create(game='x')",
            "Match.objects.filter(pk=1).update(status='finished')",
            "match.plies.all().delete()",
            "Ply.objects.bulk_create(plies)",
            "async def f():\n    await match.asave()",
            "from .models import Match\nMatch.objects.get_or_create(pk=1)",
            "form.save()",
        ],
    ),
    (
        walls.games_know_no_lobby,
        "games/play/matches.py",
        [
            "import lobby",
            "import lobby.models as people",
            "from lobby.models import User",
            "def f():\n    from lobby import ratings",
            "from importlib import import_module\nimport_module('lobby.models')",
            "apps.get_model('lobby.User')",
            "apps.get_model('lobby', 'User')",
        ],
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "games/store/history.py",
        [
            "from ..rules import chess",
            "if game == 'chess': pass",
            "path = f'boards/{x}/chess.js'",
            "CHESS = 1",
            "def chess_clock(): pass",
            "match.chess = 1",
            "play(chess=True)",
            "from .rules.chess import play as p",
            "x = b'go'",
        ],
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "static/match-page/match.js",
        [
            'import { draw } from "./boards/chess.js";',
            'if (root.dataset.game === "go") {\n  turn();\n}',
            "const title = gettext(`Chess`);",
            "chess();",
        ],
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "lobby/chess.py",
        ["title = 'Chess'"],
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "static/boards/chess.js",
        ["const stones = `go-${colour}`;"],
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "static/css/match.css",
        ['.match[data-game="chess"] {\n  gap: 0;\n}', ".go-board {\n  gap: 0;\n}"],
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "templates/match/match.html",
        ['{% if game.slug == "go" %}19{% endif %}', "<p>{% translate 'A game of Chess' %}</p>"],
    ),
    (
        walls.nothing_is_swallowed,
        "games/play/matches.py",
        [
            "def f():\n  try:\n    g()\n  except:\n    pass",
            "def f():\n  try:\n    g()\n  except Exception:\n    pass",
            "def f():\n  try:\n    g()\n  except BaseException as error:\n    pass",
            "def f():\n  try:\n    g()\n  except (ValueError, Exception):\n    pass",
            "def f():\n  try:\n    g()\n  except builtins.Exception:\n    pass",
        ],
    ),
    (
        walls.one_loop_for_all,
        "lobby/ratings/sweeper.py",
        [
            "async def f():\n  while True:\n    await asyncio.sleep(1)",
            "async def f():\n  while True:\n    try:\n      await wait_for(f(), 1)\n    finally:\n      g()",
            "def f():\n  while True:\n    time.sleep(1)",
        ],
    ),
    (
        walls.who_may_watch_is_asked,
        "lobby/news/news.py",
        [
            "if match.watchable: pass",
            "late = live.terms.delay > 0",
            "Match.objects.filter(watchable=True)",
            "Match.objects.values_list('delay', flat=True)",
            "plies.filter(Q(match__delay__gt=0))",
        ],
    ),
    (
        walls.boards_are_pure,
        "static/boards/chess.js",
        [
            'import { pick } from "./kalah.js";',
            "import {\n  draw,\n  pick,\n} from '../board.js';",
            'import "../match.js";',
            'const svg = 1; import x from "https://example.org/x.js";',
            'export { draw } from "../board.js";',
            'export * from "../store.js";',
            "const board = await import(`../board.js`);",
            "document.body.append(node);",
            "const face = Math.random();",
            "const at = new Date();",
            "window.alert(1);",
        ],
    ),
]

BREACHES = [(wall, path, source) for wall, path, sources in SHOWN for source in sources]
"""A wall, where the file would stand, and what is in it."""

SOUND = [
    (
        walls.law_knows_no_django,
        "games/law/options.py",
        "from django.utils.translation import gettext\nfrom games.registry import GAMES",
    ),
    (
        walls.rules_stand_alone,
        "games/rules/go.py",
        "from __future__ import annotations\nfrom functools import cache\nfrom .base import Step\n"
        "from .go_boards import POINTS\nimport math",
    ),
    (
        walls.time_and_chance_are_arguments,
        "games/bots/greedy.py",
        "from random import Random\nfrom ..rules.base import Rules\nrng = Random(seed)\nrng.choice(moves)",
    ),
    (
        walls.time_and_chance_are_arguments,
        "games/law/clock.py",
        "from datetime import datetime, timedelta\ndef left(now: datetime): return now - clock.since",
    ),
    (
        walls.consumers_and_views_are_thin,
        "lobby/views.py",
        "from games import matches\nfrom lobby import tables as service\n"
        "from games.rules.base import IllegalMove\nmatches.create(1)\nservice.delete(2)\n"
        "Table.objects.filter(pk=1).first()",
    ),
    (walls.games_know_no_lobby, "games/models.py", "reverse('lobby')\nimport games.lobbying"),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "games/rules/chess.py",
        '"""Played in go clubs too."""\ngone = "chess"\ncategory = ago("gong")',
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "static/boards/chess.js",
        "const look = `chess-${colour}`;",
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "static/match-page/match.js",
        "/* as in chess */\nconst gone = ago; // go on\nlogon(category);",
    ),
    (
        partial(walls.no_game_is_named, {"chess", "go"}),
        "templates/match/match.html",
        "{# not only chess #}<p>{% comment %} go {% endcomment %}{{ ago }}</p><!-- chess -->",
    ),
    (
        walls.one_loop_for_all,
        "games/store/heartbeat.py",
        "async def f():\n  while True:\n    await queue.get()\n  while more():\n    await asyncio.sleep(1)",
    ),
    (
        walls.nothing_is_swallowed,
        "games/store/journal.py",
        "try:\n    f()\nexcept (ValueError, OSError):\n    raise",
    ),
    (
        walls.who_may_watch_is_asked,
        "lobby/news/news.py",
        "others = others_see(match)\nfields = {'watchable': others.allowed, 'delay': others.behind}\n"
        "create(terms=Terms(watchable=False, delay=30))",
    ),
    (walls.who_may_watch_is_asked, "games/watch/visibility.py", "return terms.watchable, terms.delay"),
    (
        walls.boards_are_pure,
        "static/boards/chess.js",
        '/** @typedef {import("../board.js").View} View */\n'
        'import {\n  path,\n  text,\n} from "../shapes/svg.js";\n// the document decides\n'
        'export const imported = gettext("from “here”");\nexport function draw(state) {}',
    ),
]
