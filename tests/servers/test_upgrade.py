"""Sites of former releases, migrated and played on by the same people.

`python -m tools.release_site` made them, in tests/data/sites. Every release adds one.
"""

from __future__ import annotations

import hmac
import json
import lzma
import re
import shutil
import sqlite3
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

import pytest

from tests.conftest import Launcher, Store
from tests.helpers.programs import Program
from tests.helpers.samples import in_full
from tools.harness.patience import patience, wait_until
from tools.harness.people import Person, answer_to, command_id
from tools.harness.servers import ParlourServer, manage
from tools.release_site import IN_PLAY, NOBODY_LISTENS, SETTINGS, SITES, Players, call, move

# With the password hashers of a host: others would store another hash, and end the old sessions.
pytestmark = pytest.mark.cold

NAMES = sorted(path.stem for path in SITES.glob("*.json"))


class Site(Players):
    """A site of a former release, served by this one.

    Attributes:
        told: what its maker wrote down.
        received: headers and bodies of webhooks.
    """

    def __init__(self, server: ParlourServer, told: dict[str, Any], received: Queue[Any]) -> None:
        super().__init__({name: Person(server) for name in told["people"]})
        for name, session in told["people"].items():
            self.people[name].remember("sessionid", session)
        self.server, self.told, self.received = server, told, received

    def matches(self, *states: str) -> list[dict[str, Any]]:
        return [each for each in self.told["matches"] if each["state"] in states]

    def play_on(self, match: dict[str, Any]) -> None:
        """Have the people of a match make a move each, if it does not end."""
        people = [self.people[name] for name in match["people"]]
        assert move(match["id"], people, self.random) is not None, match
        self.play(match["id"], match["people"], len(people) - 1)


@contextmanager
def receiver() -> Iterator[tuple[str, Queue[Any]]]:
    """The address of a program that waits for webhooks, and what it receives."""
    received: Queue[Any] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.put((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/hook", received
        server.shutdown()


class Upgraded(NamedTuple):
    """A site of a former release as it was, and in the tables of this one: made at this time, it seems."""

    told: dict[str, Any]
    before: Path
    after: Path
    at: datetime


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Upgraded]:
    """Migrates the site of that name, once."""

    @cache
    def migrated(name: str) -> Upgraded:
        told = json.loads((SITES / f"{name}.json").read_text())
        directory, at = tmp_path_factory.mktemp(name), datetime.now(UTC)
        before, after = directory / "before.sqlite3", directory / "after.sqlite3"
        before.write_bytes(lzma.decompress((SITES / f"{name}.sqlite3.xz").read_bytes()))
        let_time_pass(before, at - datetime.fromisoformat(told["made"]))
        shutil.copy(before, after)
        manage("migrate", "--no-input", "--verbosity=0", DATABASE_URL=f"sqlite:///{after}")
        return Upgraded(told, before, after, at)

    return migrated


@pytest.fixture(
    scope="module", params=list(product(NAMES, in_full("sqlite", "postgres+redis"))), ids="-".join
)
def site(
    request: pytest.FixtureRequest,
    launcher: Launcher,
    tmp_path_factory: pytest.TempPathFactory,
    upgraded: Callable[[str], Upgraded],
) -> Iterator[Site]:
    name, kind = request.param
    known = upgraded(name)
    database = tmp_path_factory.mktemp("site") / "site.sqlite3"
    shutil.copy(known.after, database)
    with receiver() as (address, received):
        let_time_pass(database, datetime.now(UTC) - known.at, address)
        server = launcher.open(stored(database, kind, launcher), **{**SETTINGS, "BOT_PROCESSES": "1"})
        yield Site(server, known.told, received)
        server.discard()


def stored(database: Path, kind: str, launcher: Launcher) -> Store:
    """The site, moved to another kind of store if need be."""
    store = Store(f"sqlite:///{database}")
    if kind != "sqlite":
        file, store = str(database.with_suffix(".site")), launcher.store(kind)
        manage("site", "export", file, DATABASE_URL=f"sqlite:///{database}")
        manage("site", "import", file, DATABASE_URL=store.database_url)
    return store


def let_time_pass(database: Path, passed: timedelta, hook: str = NOBODY_LISTENS) -> None:
    """Move all times of a site, as if it had been made just now; what it delivers is due, to `hook`."""

    def later(text: str) -> str:
        return str(datetime.fromisoformat(text) + passed)

    def milliseconds_later(text: str | None, more: int) -> str | None:
        return text and re.sub(r'"(at|until)":(\d+)', lambda each: f'"{each[1]}":{int(each[2]) + more}', text)

    with closing(sqlite3.connect(database)) as rows, rows:
        rows.create_function("later", 1, later)
        rows.create_function("milliseconds_later", 2, milliseconds_later)
        tables = rows.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (table,) in tables:
            for _, column, kind, *_ in rows.execute(f"PRAGMA table_info({table})").fetchall():
                if kind == "datetime":
                    rows.execute(f"UPDATE {table} SET {column} = later({column}) WHERE {column} IS NOT NULL")
        more = passed // timedelta(milliseconds=1)
        rows.execute(
            "UPDATE games_ply SET clocks = milliseconds_later(clocks, ?) WHERE clocks IS NOT NULL", (more,)
        )
        # A busy machine takes longer than an offer is open.
        change = "UPDATE games_match SET offers = milliseconds_later(offers, ?) WHERE offers IS NOT NULL"
        rows.execute(change, (more + 600_000,))
        rows.execute("UPDATE lobby_hook SET url = ? WHERE url = ?", (hook, NOBODY_LISTENS))
        now = str(datetime.now(UTC).replace(tzinfo=None))
        rows.execute("UPDATE lobby_delivery SET due = ? WHERE due IS NOT NULL", (now,))


def test_sessions_survive_upgrade(site: Site) -> None:
    for name, person in site.people.items():
        found = re.search(r'data-me="([^"]+)"', person.get("/"))
        assert found is not None, name
        assert " " in name or found[1] == name
        with person.me() as socket:
            assert socket.snapshot["type"] == "hello"


def test_language_of_an_account_stays(site: Site) -> None:
    assert '<html lang="et"' in Person(site.server).log_in("Bob")


def test_password_still_logs_in(site: Site) -> None:
    person = Person(site.server)
    assert 'data-me="Ada"' in person.log_in("Ada")


def test_matches_in_play_are_played_on(site: Site) -> None:
    going = site.matches("live clock", "days a move", "no clock", "just begun", "one board")
    assert {match["game"] for match in going} == {"kalah", "morris", "aces", "cantstop"}
    for match in going:
        if match["people"] != ["Eve", "Dan"]:  # where Dan is to move
            site.play_on(match)


def test_halted_matches_are_resumed(site: Site) -> None:
    for match in site.matches("paused", "saved"):
        site.agree(match["id"], match["people"], "resume")
        site.play_on(match)


def test_open_offer_to_resume_is_accepted(site: Site) -> None:
    (match,) = site.matches("to be resumed")
    site.accept(match["id"], match["people"], "resume")
    site.play_on(match)


def test_open_offer_of_a_draw_is_accepted(site: Site) -> None:
    (match,) = site.matches("draw offered")
    site.accept(match["id"], match["people"], "draw")
    with site.people["Cleo"].watch(match["id"]) as socket:
        assert socket.snapshot["outcome"]["reason"] == "agreed"


def test_open_offer_to_take_back_is_accepted(site: Site) -> None:
    (match,) = site.matches("take-back offered")
    with site.people["Cleo"].watch(match["id"]) as socket:
        before = socket.snapshot["state"]
    site.accept(match["id"], match["people"], "take-back")
    with site.people["Cleo"].watch(match["id"]) as socket:
        assert socket.snapshot["state"] != before
    site.play_on(match)


def test_offered_rematch_begins(site: Site) -> None:
    (match,) = site.matches("rematch offered")
    with site.people["Cleo"].watch(match["id"]) as socket:
        socket.send({"type": "rematch", "id": command_id()})
        while (told := socket.next("rematch"))["match"] is None:
            pass
    site.play_on({**match, "id": told["match"]})


def test_computer_players_move(site: Site) -> None:

    for match in site.matches("computer"):

        def ada_is_to_move(match: dict[str, Any] = match) -> bool:
            with site.people["Ada"].watch(match["id"]) as socket:
                return bool(socket.snapshot.get("legal"))

        wait_until(ada_is_to_move, "the move of the computer")
        site.play_on(match)


def test_finished_matches_are_shown(site: Site) -> None:
    for match in site.matches("finished", "aborted"):
        person = site.people[match["people"][0]]
        assert match["id"] in person.get(f"/m/{match['id']}")
        assert json.loads(person.get(f"/m/{match['id']}.json"))["plies"] is not None


def test_match_files_are_read(site: Site) -> None:
    for number, file in enumerate(site.told["files"]):
        status, page = send_file(site.server, file)
        assert (status, "data-moves" in page or "replay" in page) == (200, True), (number, page)


def send_file(server: ParlourServer, file: str) -> tuple[int, str]:
    """Status and page of the answer to a match file."""
    person, border = Person(server), "----a-file"
    token = person._token()
    parts = [
        f'--{border}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{token}\r\n',
        f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="m.json"\r\n'
        f"Content-Type: application/json\r\n\r\n{file}\r\n--{border}--\r\n",
    ]
    headers = {
        **person.headers(),
        "Origin": server.url,
        "Content-Type": f"multipart/form-data; boundary={border}",
    }
    request = urllib.request.Request(f"{server.url}/replay", "".join(parts).encode(), headers)
    with urllib.request.urlopen(request, timeout=patience(30)) as answer:
        return answer.status, answer.read().decode()


def test_requested_analysis_is_made(site: Site) -> None:
    path = f"/api/v1/matches/{site.told['analysis']}/analysis"

    def known() -> bool:
        told = call(site.server, "GET", path)
        return bool(told["known"] == told["positions"])

    wait_until(known, "the analysis")


def test_token_still_works(site: Site) -> None:
    program = Program(site.server, f"prl_{site.told['token']}")
    assert program.get("/me").fields["name"] == "Bob"
    (match,) = site.matches("just begun")
    said = program.post(f"/matches/{match['id']}/chat", id=command_id(), room="players", text="Hello again")
    assert said.status < 300, said


def test_due_webhook_is_delivered_and_signed(site: Site) -> None:
    headers, body = site.received.get(timeout=patience(60))
    at, code = re.fullmatch(r"t=(\d+),v1=(\w+)", headers["Parlour-Signature"]).groups()
    key = site.told["webhook_secret"].encode()
    assert code == hmac.new(key, at.encode() + b"." + body, "sha256").hexdigest()
    assert json.loads(body)["event"] in {"turn.mine", "match.finished"}


def test_chat_is_still_there(site: Site) -> None:
    match = site.told["matches"][0]
    with site.people["Bob"].talk(match["id"]) as socket:
        assert "Good luck, Bob" in json.dumps(socket.snapshot)
    with site.people["Bob"].lobby() as socket:
        socket.send({"type": "chat"})
        assert "Hello, everybody" in json.dumps(socket.next("chat"))


def test_open_table_is_joined(site: Site) -> None:
    other = site.people["second guest"]
    match = other.leads_to(other.submit(f"{site.told['table']}/sit")).removeprefix("/m/")
    assert move(match, [site.people["Ada"], other], site.random) is not None


def test_half_filled_table_is_filled(site: Site) -> None:
    cleo = site.people["Cleo"]
    assert cleo.leads_to(cleo.submit(f"{site.told['table_for_three']}/sit")).startswith("/m/")


def test_invitation_lets_a_visitor_in(site: Site) -> None:
    visitor = Person(site.server)
    token = site.told["invitation"].removeprefix("/i/")
    seat = f"{site.told['private_table']}/sit"
    assert f'action="{seat}"' in visitor.get(site.told["invitation"])
    assert visitor.leads_to(visitor.submit(seat, token=token)).startswith("/m/")


def test_challenge_is_accepted(site: Site) -> None:
    dan = site.people["Dan"]
    assert dan.leads_to(dan.submit(f"{site.told['challenge']}/sit")).startswith("/m/")


def test_search_for_an_opponent_can_be_cancelled(site: Site) -> None:
    fay = site.people["Fay"]
    fay.submit("/pairing/cancel")
    assert site.server.rows("SELECT 1 FROM lobby_seek") == []


def test_people_still_follow_and_block(site: Site) -> None:
    page = site.people["Eve"].get("/people")
    assert "/@/Ada" in page
    assert "/people/Fay/unblock" in page


def test_ratings_stay(site: Site) -> None:
    ada = Program(site.server).get("/users/Ada").fields
    assert {rating["game"] for rating in ada["ratings"]} >= {"kalah", "morris", "cantstop"}


def test_game_of_the_kalaha_note_is_played_on(site: Site) -> None:
    body = {"gameboard": {"id": "note"}, "startPosition": 1, "player": {"id": "Ann"}}
    request = urllib.request.Request(
        f"{site.server.url}/mancala/game/move",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
        method="PUT",
    )
    with urllib.request.urlopen(request, timeout=patience(30)) as answer:
        assert answer.status == 200


def test_conditional_move_is_played(site: Site) -> None:
    if "conditional" not in site.told:
        return  # That release had none.
    expected, answered = site.told["conditional"]
    (match,) = site.matches("conditional")
    with site.people["Ada"].watch(match["id"]) as socket:
        assert socket.move(socket.snapshot["ply"], expected)["type"] == "accepted"
        while socket.next("plies")["plies"][-1]["action"] != answered:
            pass


def test_club_goes_on(site: Site) -> None:
    club = site.told.get("club")
    if club is None:
        return  # That release had none.
    page = f"/club/{club['slug']}"
    assert "Friday at eight" in site.people["Ada"].get(page)
    with site.people["Bob"].club(club["slug"]) as socket:
        assert "Who is there on Friday?" in json.dumps(socket.snapshot)
    site.people["Bob"].submit(f"{page}/accept", name="Cleo")
    newcomer = site.people["Fay"]
    newcomer.submit(f"{page}/join", link=club["link"])
    members = Program(site.server).get(f"/clubs/{club['id']}/members").fields["members"]
    assert {each["name"] for each in members} == {"Ada", "Bob", "Cleo", "Eve", "Fay"}
    assert newcomer.leads_to(newcomer.submit(f"/t/{club['table']}/sit")).startswith("/m/")


def test_tournaments_go_on(site: Site) -> None:
    known = site.told.get("tournaments")
    if known is None:
        return  # That release had none.
    ada, bob = site.people["Ada"], site.people["Bob"]
    program = Program(site.server)
    for each in known.values():
        assert each in ada.get(f"/tournament/{each}")

    def state(name: str) -> str:
        return str(program.get(f"/tournaments/{known[name]}").fields["state"])

    assert {name: state(name) for name in ("open", "running", "arena", "finished", "cancelled")} == {
        "open": "open",
        "running": "running",
        "arena": "running",
        "finished": "finished",
        "cancelled": "cancelled",
    }
    site.people["Dan"].submit(f"/tournament/{known['open']}/enter", code="tea")
    ada.submit(f"/tournament/{known['open']}/start")
    assert state("open") == "running"
    bob.submit(f"/tournament/{known['paused']}/resume")
    for name in ("running", "paused"):
        play_out(site, known[name])
        assert state(name) == "finished"
    bob.submit(f"/tournament/{known['arena']}/cancel", why="It is late")
    assert state("arena") == "cancelled"


def play_out(site: Site, tournament: str) -> None:
    """Have people resign until a tournament is over."""
    program = Program(site.server)

    def over() -> bool:
        for match, name in site.server.rows(IN_PLAY, tournament):
            site.command(match, name, "resign")
        return str(program.get(f"/tournaments/{tournament}").fields["state"]) == "finished"

    wait_until(over, "the end of the tournament")


def test_log_of_clubs_and_tournaments_moves_into_the_audit_log(upgraded: Callable[[str], Upgraded]) -> None:
    site = upgraded("40ceb1cc")

    def entries(database: Path, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(database)) as rows:
            return sorted(rows.execute(query).fetchall())

    before = entries(
        site.before,
        "SELECT at, user_id, 'club-' || action, COALESCE(club_id, ''), details FROM lobby_clubaction "
        "UNION ALL SELECT at, user_id, 'tournament-' || action, tournament_id, details "
        "FROM lobby_tournamentaction",
    )
    after = entries(site.after, "SELECT at, user_id, action, target, details FROM lobby_auditentry")
    assert after == before != []


def test_used_command_acts_only_once(site: Site) -> None:
    inbox = site.told.get("inbox")
    if inbox is None:
        return  # That release had none.
    bob = site.people["Bob"]
    answer_to(bob, "/inbox/Ada", text="Shall we play?", command=inbox["command"])
    assert bob.get("/inbox/Ada").count("Shall we play?") == 1


def test_evenings_go_on(site: Site) -> None:
    codes = site.told.get("evenings")
    if codes is None:
        return  # That release had none.
    for name in ("Dan", "first guest", "second guest"):
        assert codes["played"] in site.people[name].get(f"/evening/{codes['played']}")
    visitor = Person(site.server)
    visitor.submit(f"/evening/{codes['planned']}/join", name="Latecomer")
    assert "Latecomer" in site.people["Eve"].get(f"/evening/{codes['planned']}")
    site.people["Eve"].submit(f"/evening/{codes['planned']}/erase")
    assert site.server.rows("SELECT 1 FROM lobby_evening WHERE code = ?", codes["planned"]) == []
