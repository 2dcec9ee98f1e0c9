"""`python -m tools.release_site NAME [CHECKOUT]`: make the site of a release, for the tests of later ones.

Starts the server of a checkout on a new database and has invented people use it by its public interfaces,
until matches, tables and all else are in every state. What a release does not have is left out. The result
is tests/data/sites/NAME.sqlite3.xz, and NAME.json with what tests need to go on: cookies, tokens, and which
match is in which state. Every release adds one such pair:

    git worktree add /tmp/release v2
    python -m tools.release_site v2 /tmp/release
"""

from __future__ import annotations

import argparse
import contextlib
import json
import lzma
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, command_id
from tools.harness.servers import HOST_SETTINGS, ParlourServer, parlour_environment
from tools.harness.services import ROOT

SITES = ROOT / "tests" / "data" / "sites"
SETTINGS: dict[str, Any] = {
    "SECRET_KEY": "of-the-sites-of-former-releases-" + "0123456789",
    # Hosts are never online.
    "TABLE_PATIENCE": "86400",
    "TABLE_HOST_TIMEOUT": "86400",
    "HOOK_HOSTS": "127.0.0.1",
    "WEBHOOK_ALLOWED_HOSTS": "127.0.0.1",
    "SOCKET_RATE": "0",
    "API_RATE": "0",
    "LOG_LEVEL": "ERROR",
}
"""Settings of every release, under their old and new names; also those of servers that go on with a site."""
NOBODY_LISTENS = "http://127.0.0.1:9/hook"
ACCOUNTS = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay")
GUESTS = ("first guest", "second guest")
PRESETS = {"kalah": "circle", "morris": "nine", "aces": "standard", "cantstop": "strict"}
IN_PLAY = (
    "SELECT pairing.match_id, person.username FROM lobby_pairing AS pairing "
    "JOIN games_match AS played ON played.id = pairing.match_id "
    "JOIN games_seating AS seating ON seating.match_id = played.id "
    "JOIN lobby_user AS person ON person.id = seating.user_id "
    "WHERE pairing.tournament_id = ? AND played.status = 'playing' AND seating.seat = 0"
)
"""The matches in play of a tournament, each with a player."""


def main() -> None:
    """Play on a new site and pack it."""
    parser = argparse.ArgumentParser(prog="release_site", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", help="of the files to write")
    parser.add_argument("checkout", type=Path, nargs="?", default=ROOT, help="its code is served")
    options = parser.parse_args()
    SITES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        made = make(options.name, options.checkout.resolve(), Path(directory))
    for path in made:
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


def make(name: str, checkout: Path, directory: Path) -> tuple[Path, Path]:
    """Make the two files of a site from the code of a checkout; `directory` is for the server's files."""
    database = directory / "site.sqlite3"
    where = {"DATABASE_URL": f"sqlite:///{database}", "VAR_DIR": str(directory)}
    for command in (["migrate"], ["collectstatic", "--no-input"]):
        _manage(checkout, *command, "--verbosity=0", **where, **SETTINGS)
    server = ParlourServer(where["DATABASE_URL"], "", directory, root=checkout, cold=True, **SETTINGS).start()
    try:
        told = Story(server).tell()
        assert server.terminate() == 0, server.log
    finally:
        server.discard()
    compact = directory / "compact.sqlite3"
    with contextlib.closing(sqlite3.connect(database)) as rows:
        rows.execute("VACUUM INTO ?", (str(compact),))
    packed, manifest = SITES / f"{name}.sqlite3.xz", SITES / f"{name}.json"
    packed.write_bytes(lzma.compress(compact.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    manifest.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    return packed, manifest


def _manage(checkout: Path, *arguments: str, **settings: str) -> None:
    command = [sys.executable, "manage.py", *arguments]
    environment = parlour_environment(DJANGO_SETTINGS_MODULE=HOST_SETTINGS, **settings)
    subprocess.run(command, cwd=checkout, env=environment, check=True)


class Players:
    """People at their matches, by name."""

    def __init__(self, people: dict[str, Person]) -> None:
        self.people = people
        self.random = random.Random(1)

    def play(self, match: str, names: Sequence[str], plies: int) -> None:
        """Have them make so many moves at random, or fewer if the match ends."""
        for _ in range(plies):
            if move(match, [self.people[name] for name in names], self.random) is None:
                return

    def command(self, match: str, name: str, what: str, **fields: Any) -> None:
        """Send a command on somebody's socket of a match."""
        with self.people[name].watch(match) as socket:
            told = {"after": socket.snapshot["ply"], "type": what, "id": command_id(), **fields}
            answer = socket.ask(told)
            assert answer["type"] == "accepted", answer

    def offer(self, match: str, names: Sequence[str], kind: str) -> str:
        """Have the first of them who can make an offer; their name."""
        for name in names:
            with self.people[name].watch(match) as socket:
                if kind in socket.snapshot["may"]["offer"]:
                    self.command(match, name, "offer", kind=kind)
                    return name
        raise AssertionError(f"nobody can offer “{kind}”")

    def agree(self, match: str, names: Sequence[str], kind: str) -> None:
        """Have one make an offer and the others agree, unless it took effect without them."""
        self.offer(match, names, kind)
        self.accept(match, names, kind)

    def accept(self, match: str, names: Sequence[str], kind: str) -> None:
        """Have all agree to an open offer."""
        for name in names:
            with self.people[name].watch(match) as socket:
                if kind in socket.snapshot["may"]["agree"]:
                    self.command(match, name, "offer", kind=kind)


class Story(Players):
    """What people do on a new site.

    Attributes:
        told: what the tests of later releases have to know, as JSON.
    """

    def __init__(self, server: ParlourServer) -> None:
        super().__init__({name: Person(server) for name in (*ACCOUNTS, *GUESTS)})
        self.server = server
        self.tokens: dict[str, str] = {}
        self.matches: list[dict[str, Any]] = []
        self.told: dict[str, Any] = {"matches": self.matches}

    def tell(self) -> dict[str, Any]:
        """Play it to its end; what happened."""
        for name in ACCOUNTS:
            self.people[name].sign_up(name)
            self.tokens[name] = self._token(name)
        for name in GUESTS:
            self.people[name].become_guest()
        self.in_play()
        self.halted()
        self.finished()
        self.alone()
        self.tables()
        self.programs()
        self.talk()
        if self.has(f"/m/{self.matches[0]['id']}/conditional"):
            self.conditional()
        if self.has("/clubs"):
            self.clubs()
        if self.has("/tournaments"):
            self.tournaments()
        if self.has("/evening"):
            self.evenings()
        if self.has("/inbox"):
            self.inbox()
        # An offer is open for half a minute.
        self.offers()
        self.told["people"] = {name: _session(person) for name, person in self.people.items()}
        self.told["made"] = datetime.now(UTC).isoformat()
        return self.told

    def has(self, path: str) -> bool:
        """Whether the release has a page."""
        return self.server.get(path).status != 404

    # Matches

    def match(self, state: str, game: str, *names: str, **terms: str) -> str:
        """The id of a new match of these people; the first to sit down moves first, unless it is rated."""
        host, *others = (self.people[name] for name in names)
        fields = {
            "preset": PRESETS[game],
            "seats": str(len(names)),
            "first": "lot" if "rated" in terms else "host",
        }
        table = host.submit(f"/new/{game}", **fields, **terms)
        for person in others:
            person.submit(f"{table}/sit")
        match = host.leads_to(table).removeprefix("/m/")
        self.matches.append({"id": match, "state": state, "game": game, "people": list(names)})
        return match

    def in_play(self) -> None:
        """A match of each game, under each kind of clock, one with as many players as it takes."""
        for state, game, names, terms in (
            ("live clock", "kalah", ("Ada", "Bob"), {"clock": "10+5", "rated": "yes"}),
            ("live clock", "aces", ("Bob", "first guest", "Cleo"), {"clock": "15+10"}),
            ("days a move", "kalah", ("Ada", "first guest"), {"clock": "3d"}),
            ("days a move", "morris", ("Bob", "Ada"), {"clock": "7d"}),
            ("days a move", "cantstop", ("Cleo", "Dan"), {"clock": "1d"}),
            ("no clock", "kalah", ("first guest", "second guest"), {}),
            ("no clock", "morris", ("Ada", "second guest"), {"watchers": "nobody"}),
            ("no clock", "aces", ("Ada", "Bob"), {}),
            ("no clock", "cantstop", ("Ada", "Bob", "Cleo", "second guest"), {"chat": "no"}),
        ):
            self.play(self.match(state, game, *names, **terms), names, 2 * len(names) + 1)
        self.match("just begun", "kalah", "Bob", "Ada")

    def halted(self) -> None:
        """Paused, saved, and saved with an invitation to go on."""
        for state, kind, game, terms in (
            ("paused", "pause", "kalah", {"clock": "10+5"}),
            ("saved", "save", "cantstop", {}),
            ("to be resumed", "save", "morris", {"clock": "10+5"}),
        ):
            match = self.match(state, game, "Ada", "Bob", **terms)
            self.play(match, ("Ada", "Bob"), 4)
            self.agree(match, ("Ada", "Bob"), kind)
            if state == "to be resumed":
                self.offer(match, ("Bob",), "resume")

    def finished(self) -> None:
        """Resigned of each game, played to the end, drawn, aborted, and with a rematch on offer."""
        files = []
        for game in PRESETS:
            # A game of pure luck has no ratings.
            terms = {} if game == "aces" else {"rated": "yes"}
            match = self.match("finished", game, "Ada", "Bob", **terms)
            self.play(match, ("Ada", "Bob"), 6)
            self.command(match, "Bob", "resign")
            files.append(self.people["Ada"].get(f"/m/{match}.json"))
        over = self.match("finished", "kalah", "Cleo", "Dan", rated="yes")
        self.play(over, ("Cleo", "Dan"), 1000)
        drawn = self.match("finished", "morris", "Bob", "Cleo", rated="yes")
        self.play(drawn, ("Bob", "Cleo"), 6)
        self.agree(drawn, ("Bob", "Cleo"), "draw")
        aborted = self.match("aborted", "kalah", "Cleo", "Bob")
        self.command(aborted, "Cleo", "abort")
        again = self.match("rematch offered", "kalah", "Dan", "Cleo")
        self.play(again, ("Dan", "Cleo"), 3)
        self.command(again, "Cleo", "resign")
        with self.people["Dan"].watch(again) as socket:
            socket.send({"type": "rematch", "id": command_id()})
            socket.next("rematch")
        # Nobody thinks on this site, so it waits.
        self.api(self.tokens["Ada"], "POST", f"/matches/{over}/analysis")
        self.told |= {"files": files, "analysis": over}

    def alone(self) -> None:
        """At one board, and against the computer, which is to move."""
        ada = self.people["Ada"]
        board = ada.submit("/together/kalah", preset="circle", seats="2", name_0="Oma", name_1="Opa")
        match = board.removeprefix("/m/")
        self.matches.append({"id": match, "state": "one board", "game": "kalah", "people": ["Ada"]})
        self.play(match, ["Ada"], 3)
        for game in ("kalah", "cantstop"):
            fields = {"preset": PRESETS[game], "seats": "2", "level": "1", "first": "other"}
            match = ada.submit(f"/computer/{game}", **fields).removeprefix("/m/")
            self.matches.append({"id": match, "state": "computer", "game": game, "people": ["Ada"]})

    def offers(self) -> None:
        """A draw and a take-back on offer."""
        for state, kind, game in (
            ("draw offered", "draw", "morris"),
            ("take-back offered", "take-back", "kalah"),
        ):
            match = self.match(state, game, "Cleo", "Dan")
            self.play(match, ("Cleo", "Dan"), 5)
            self.offer(match, ("Cleo", "Dan"), kind)

    # Around matches

    def tables(self) -> None:
        """Waiting for anybody, for a third, for whoever is invited and for one person; and quick pairing."""
        ada, bo = self.people["Ada"], self.people["Bob"]
        common = {"preset": "circle", "seats": "2", "first": "host"}
        self.told["table"] = ada.submit("/new/kalah", **common)
        three = bo.submit("/new/cantstop", preset="strict", seats="3", first="lot")
        self.people["first guest"].submit(f"{three}/sit")
        self.told["table_for_three"] = three
        private = self.people["Cleo"].submit("/new/kalah", **common, listed="no")
        self.people["Cleo"].submit(f"{private}/invite")
        ((token,),) = self.server.rows("SELECT token FROM lobby_invite WHERE used IS NULL")
        self.told["invitation"] = f"/i/{token}"
        self.told["private_table"] = private
        self.told["challenge"] = ada.submit("/challenge/Dan/kalah", **common)
        self.people["Fay"].submit("/pairing", tile="morris", rated="no")

    def programs(self) -> None:
        """A token, a webhook with something to deliver, and a game of the Kalaha note."""
        # Scanners look for tokens by their prefix.
        self.told["token"] = self.tokens["Bob"].removeprefix("prl_")
        dan = self.people["Dan"]
        self._again("Dan")
        page = dan.post("/settings/webhooks", url=NOBODY_LISTENS, events=["match.finished", "turn.mine"])
        self.told["webhook_secret"] = _found(r"whsec_[\w-]+", page)
        match = self.match("no clock", "kalah", "Eve", "Dan")
        # The turn passes at once.
        while move(match, [self.people["Eve"]], self.random) is not None:
            pass
        tried = "SELECT 1 FROM lobby_delivery WHERE tries > 0"
        wait_until(lambda: bool(self.server.rows(tried)), "a failed delivery")
        players = {f"player{number}": {"id": name} for number, name in ((1, "Ann"), (2, "Ben"))}
        call(self.server, "POST", "/mancala/game", {"gameboard": {"id": "note"}, **players})

    def talk(self) -> None:
        """Chat in the lobby and at a match, people who follow or block each other, a report, a language."""
        match = self.matches[0]["id"]
        with self.people["Ada"].talk(match) as socket:
            said = {"type": "say", "id": command_id(), "room": "players", "text": "Good luck, Bob"}
            assert socket.ask(said)["type"] == "accepted"
        with self.people["Ada"].lobby() as socket:
            said = {"type": "say", "id": command_id(), "text": "Hello, everybody"}
            assert socket.ask(said)["type"] == "accepted"
        self.people["Eve"].submit("/people/Ada/follow")
        self.people["Eve"].submit("/people/Fay/block")
        self.people["Eve"].submit("/people/Fay/report", reason="Adverts")
        self.people["Bob"].submit("/settings/language", language="et")

    def _token(self, name: str) -> str:
        self._again(name)
        offered = re.findall(r'name="scopes" value="(\w+)"', self.people[name].get("/settings/tokens"))
        # Whoever gives this one stops being a person.
        scopes = [scope for scope in offered if scope != "bot"]
        page = self.people[name].post("/settings/tokens", name="A program", scopes=scopes)
        return _found(r"prl_[\w-]+", page)

    def _again(self, name: str) -> None:
        if self.has("/accounts/reauthenticate/"):
            with contextlib.suppress(OSError):
                self.people[name].give_password_again()

    def api(self, token: str, method: str, path: str, body: Any = None) -> Any:
        """The answer of the interface for programs."""
        return call(self.server, method, f"/api/v1{path}", body, token)

    def act(self, who: str, path: str, **body: Any) -> Any:
        """Send a command with an id in somebody's name; the answer."""
        return self.api(self.tokens[who], "POST", path, {"id": command_id(), **body})

    # What not every release has

    def clubs(self) -> None:
        """A club with every role, a request, somebody who was removed, an announcement, chat, and a table."""
        ada = self.tokens["Ada"]
        terms = {"name": "The Quiet Club", "games": ["kalah"], "joining": "request"}
        club = self.act("Ada", "/clubs", **terms)
        where = f"/clubs/{club['id']}"
        for name in ("Bob", "Dan", "Eve", "Cleo"):
            self.act(name, f"{where}/join", text="May I?")
        for name in ("Bob", "Dan", "Eve"):
            self.act("Ada", f"{where}/requests", name=name, accepted=True)
        self.act("Ada", f"{where}/role", name="Bob", role="organiser")
        self.act("Ada", f"{where}/remove", name="Dan", why="Insults")
        self.act("Ada", f"{where}/announcements", text="Friday at eight")
        with self.people["Bob"].club(club["slug"]) as socket:
            said = {"type": "say", "id": command_id(), "text": "Who is there on Friday?"}
            assert socket.ask(said)["type"] == "accepted"
        table = self.api(ada, "POST", "/tables", {"game": "kalah", "club": club["id"]})
        link = self.api(ada, "GET", f"{where}/link")["link"]
        self.told["club"] = {"id": club["id"], "slug": club["slug"], "table": table["id"], "link": link}

    def tournaments(self) -> None:
        """Tournaments in every state, one of each format; some wait for a move for days."""
        plan = {"game": "kalah", "preset": "circle", "clock": "3d"}
        states: dict[str, Any] = {
            "open": self.tournament("Ada", ("Bob", "Cleo"), **plan, format="swiss", rounds=3, code="tea"),
            "running": self.tournament("Ada", ("Ada", "Bob", "Cleo"), **plan, format="round_robin"),
            "paused": self.tournament("Bob", ("Ada", "Bob", "Dan"), **plan, format="swiss", rounds=3),
            "arena": self.tournament(
                "Bob", ("Bob", "Cleo", "Dan"), **plan | {"clock": "5+3"}, format="arena", minutes=180
            ),
            "finished": self.tournament("Cleo", ("Bob", "Cleo", "Dan"), **plan, format="knockout"),
            "cancelled": self.tournament("Dan", ("Eve",), **plan, format="knockout"),
        }
        self.act("Cleo", f"/tournaments/{states['finished']}/start")
        while self.state_of(states["finished"]) != "finished":
            self.resign_one(states["finished"])
        # The arena comes last: other matches wait for those of live clocks.
        for state, name in (("running", "Ada"), ("paused", "Bob"), ("arena", "Bob")):
            self.act(name, f"/tournaments/{states[state]}/start")
            if state == "running":
                self.resign_one(states[state])
        self.act("Bob", f"/tournaments/{states['paused']}/pause", paused=True)
        cancel = command_id()
        self.api(
            self.tokens["Dan"],
            "POST",
            f"/tournaments/{states['cancelled']}/cancel",
            {"id": cancel, "why": "Nobody came"},
        )
        self.told["tournaments"] = states
        self.told["used_command"] = cancel

    def tournament(self, organiser: str, players: tuple[str, ...], **plan: Any) -> str:
        """A tournament that these people have entered."""
        title = f"{plan['format'].replace('_', ' ').capitalize()} of {organiser}"
        made: str = self.act(organiser, "/tournaments", name=title, **plan)["id"]
        for name in players:
            code = {"code": plan["code"]} if "code" in plan else {}
            self.act(name, f"/tournaments/{made}/enter", **code)
        return made

    def state_of(self, tournament: str) -> str:
        """The state of a tournament, as the API names it."""
        return str(self.api("", "GET", f"/tournaments/{tournament}")["state"])

    def resign_one(self, tournament: str) -> None:
        """Have somebody resign from a match of a tournament, once there is one in play."""
        found: list[Any] = []

        def in_play() -> bool:
            found[:] = self.server.rows(IN_PLAY, tournament)
            return bool(found) or self.state_of(tournament) == "finished"

        wait_until(in_play, "a match of the tournament", 20)
        for match, name in found[:1]:
            self.command(match, name, "resign")

    def evenings(self) -> None:
        """An evening that is planned, and one that is played, with somebody at the host's device."""
        codes = {}
        for state, host in (("planned", "Eve"), ("played", "Dan")):
            code = self.people[host].submit("/evening/open", game="kalah", minutes="90").rpartition("/")[2]
            self.people[host].submit(f"/evening/{code}/add", name="Oma")
            for name in GUESTS if state == "played" else ("Cleo",):
                self.people[name].submit(f"/evening/{code}/join")
            codes[state] = code
        self.people["Dan"].submit(f"/evening/{codes['played']}/start")
        self.told["evenings"] = codes

    def inbox(self) -> None:
        """Messages of two people."""
        command = command_id()
        self.people["Bob"].submit("/inbox/Ada", text="Shall we play?", command=command)
        self.people["Ada"].submit("/inbox/Bob", text="With pleasure", command=command_id())
        self.told["inbox"] = {"command": command}

    def conditional(self) -> None:
        """A match in which Bob has answered a move of Ada's in advance."""
        match = self.match("conditional", "morris", "Bob", "Ada", clock="7d")
        self.play(match, ("Bob", "Ada"), 1)
        with self.people["Ada"].watch(match) as socket:
            line = socket.snapshot["legal"][:2]
        self.api(self.tokens["Bob"], "PUT", f"/matches/{match}/conditional", {"after": 1, "lines": [line]})
        self.told["conditional"] = line


def call(server: ParlourServer, method: str, path: str, body: Any = None, token: str = "") -> Any:
    """The JSON with which a program is answered."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server.url + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=patience(20)) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def move(match: str, people: list[Person], choose: random.Random) -> str | None:
    """Have the one of these people who is on turn make a move; the move, or None if none of them is."""
    for person in people:
        with person.watch(match) as socket:
            if not socket.snapshot.get("legal"):
                continue
            text = str(choose.choice(socket.snapshot["legal"]))
            answer = socket.move(socket.snapshot["ply"], text)
            assert answer["type"] == "accepted", answer
            return text
    return None


def _session(person: Person) -> str:
    """The value of somebody's session cookie."""
    return _found(r"sessionid=(\w+)", person.headers()["Cookie"])


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, f"{pattern} is not in:\n{text}"
    return match[match.lastindex or 0]


if __name__ == "__main__":
    main()
