"""A tournament or a simul that programs play to its end through any fault, and what came of it."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

from tools.harness import subprocess_call
from tools.harness.patience import patience, wait_until
from tools.harness.people import command_id
from tools.harness.servers import ParlourServer
from tools.harness.services import Endpoint

if TYPE_CHECKING:
    from lobby.clubs.models import Club
    from lobby.people.models import User

ENOUGH = 4
"""Plies after which whoever is to move resigns."""
PAUSE = 0.05
"""Seconds between two looks of a program."""
SECONDS = 120
"""Seconds that a tournament may take."""
SECONDS_OF_SILENCE = 30
"""Seconds without a line after which a stream is lost (docs/reference/api.md)."""
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass
class TournamentRun:
    """A tournament, and how its programs find the site.

    Attributes:
        tokens: of the players.
        endpoints: returns where the next request goes.
        pause: seconds between two looks of a program.
        online: whether programs read their events meanwhile, without which no arena pairs them.
        waited: the longest time from a strike until all matches of the round were made, in seconds.
        acknowledged: the ids of the commands that the site has accepted.
    """

    server: ParlourServer
    tournament: str
    tokens: Sequence[str]
    endpoints: Callable[[], Endpoint]
    pause: float = PAUSE
    online: bool = False
    started: float = field(default_factory=time.monotonic)
    waited: float = 0.0
    acknowledged: list[str] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether it has ended, or takes too long."""
        late = time.monotonic() > self.started + patience(SECONDS)
        return late or self._row("SELECT state FROM lobby_tournament WHERE id = ?") == "finished"

    @property
    def pairings(self) -> int:
        """How many pairings are stored."""
        return int(self._row("SELECT count(*) FROM lobby_pairing WHERE tournament_id = ?"))

    @property
    def unmade(self) -> int:
        """How many pairings have no match yet."""
        without = "SELECT count(*) FROM lobby_pairing WHERE tournament_id = ?"
        return int(self._row(f"{without} AND match_id IS NULL AND decided IS NULL"))

    def play(self, disturb: Callable[[TournamentRun], None]) -> None:
        """Let all programs play until it is over, with `disturb` going on beside."""
        with ThreadPoolExecutor(2 * len(self.tokens) + 1) as pool:
            playing = [pool.submit(self._play_as, token) for token in self.tokens]
            if self.online:
                playing += [pool.submit(self._stay_online, token) for token in self.tokens]
            pool.submit(disturb, self).result()
            for each in playing:
                each.result()

    def breaches(self, wanted: int) -> list[str]:
        """Everything that was lost or doubled, of a tournament with so many matches."""
        wait_until(lambda: self.server.running, "the server")
        found: list[str] = subprocess_call.at(self.server, verified, self.tournament)
        matches = self._row("SELECT count(*) FROM games_match WHERE ? <> ''")
        if (self.pairings, matches) != (wanted, wanted):
            found.append(f"{self.pairings} pairings and {matches} matches, not {wanted}")
        if self._row("SELECT state FROM lobby_tournament WHERE id = ?") != "finished":
            found.append("the tournament did not end")
        return [*found, *(f"lost: the acknowledged command {each}" for each in sorted(self.lost))]

    @property
    def lost(self) -> set[str]:
        """The acknowledged commands that no ply has."""
        rows = self.server.rows("SELECT command FROM games_ply WHERE ? <> ''", self.tournament)
        return set(self.acknowledged) - {row[0] for row in rows}

    def _row(self, question: str) -> Any:
        return self.server.rows(question, self.tournament)[0][0]

    def _play_as(self, token: str) -> None:
        while not self.over:
            told = self._ask(token, "GET", "/me/matches") or {}
            for match_id in told.get("waiting", []):
                self._move(token, match_id)
            time.sleep(self.pause)

    def _stay_online(self, token: str) -> None:
        """Read the events of a player, from any server that is there."""
        while not self.over:
            with suppress(OSError, HTTPException):
                self._read_events(token)
            time.sleep(self.pause)

    def _read_events(self, token: str) -> None:
        address = f"{self.endpoints().url}/api/v1/events"
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
        with _opener.open(request, timeout=patience(SECONDS_OF_SILENCE)) as lines:
            for _ in lines:
                if self.over:
                    return

    def _move(self, token: str, match_id: str) -> None:
        """Move in a match, or resign in it after a few moves."""
        now = self._ask(token, "GET", f"/matches/{match_id}")
        if now is None or "ply" not in now:
            return
        command: dict[str, Any] = {"type": "resign", "id": command_id(), "after": now["ply"]}
        if now["ply"] < ENOUGH:
            # An illegal move is answered by those that are legal.
            refused = self._ask(
                token,
                "POST",
                f"/matches/{match_id}/commands",
                {
                    **command,
                    "type": "move",
                    "move": "99",
                },
            )
            legal = (refused or {}).get("legal")
            if not legal:
                return
            command |= {"type": "move", "move": legal[0], "id": command_id()}
        answer = self._ask(token, "POST", f"/matches/{match_id}/commands", command)
        if answer is not None and "code" not in answer:
            self.acknowledged.append(command["id"])

    def _ask(self, token: str, method: str, path: str, body: Any = None) -> dict[str, Any] | None:
        """The answer or the problem; None if the site did not answer."""
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        address = f"{self.endpoints().url}/api/v1{path}"
        request = urllib.request.Request(address, data, headers, method=method)
        try:
            with _opener.open(request, timeout=patience(5)) as answer:
                found: dict[str, Any] = json.loads(answer.read())
                return found
        except urllib.error.HTTPError as error:
            return _problem(error.read())
        except (OSError, ValueError):
            return None


def _problem(body: bytes) -> dict[str, Any] | None:
    """A problem of the API; None for a page, which a server that begins or is busy answers with."""
    with suppress(ValueError):
        problem: dict[str, Any] = json.loads(body or b"{}")
        return problem
    return None


def begin(
    server: ParlourServer, endpoints: Callable[[], Endpoint], players: int, rounds: int, format: str
) -> TournamentRun:
    """A tournament that begins now: `swiss`, or of two clubs, of which a `team_match` has two rounds."""
    tournament, tokens = subprocess_call.at(server, begun, players, rounds, format)
    return TournamentRun(server, tournament, tokens, endpoints, online=format == "team_battle")


def begun(players: int, rounds: int, format: str) -> tuple[str, list[str]]:
    """What `begin` does in a process of the site: its id, and the tokens of its players."""
    from lobby.people.models import User
    from lobby.tournaments.formats import MOST_CLUBS
    from lobby.tournaments.plans import LEAST_MINUTES

    people = [User.objects.create_user(f"player-{number}") for number in range(1, players + 1)]
    terms: dict[str, Any] = {"format": format, "rounds": rounds}
    if format in MOST_CLUBS:
        clubs = [_club("Odd", people[::2]), _club("Even", people[1::2])]
        terms |= {"clubs": clubs, "team_size": players // 2, "minutes": LEAST_MINUTES}
    return _begun(people[0], people, **terms), _tokens(people)


def _club(name: str, people: Sequence[User]) -> Club:
    from lobby.clubs import clubs, members

    club = clubs.found(people[0], clubs.Charter(name), command_id())
    for person in people[1:]:
        members.join(person, club.pk, command_id())
    return club


def _begun(organiser: User, players: Sequence[User], clubs: Sequence[Club] = (), **terms: Any) -> str:
    """Begin a tournament; of `clubs`, if there are any, the first one organises it."""
    from games.registry import GAMES
    from lobby.clubs import lookup
    from lobby.tournaments import entries, invitations, organising, plans

    options = GAMES["kalah"].rules.PRESETS["circle"]
    club_id = clubs[0].pk if clubs else None
    plan = plans.Plan("Drill", "kalah", options, clock="3+2", club_id=club_id, **terms)
    made = organising.create(organiser, plan, command_id())
    for club in clubs[1:]:
        invitations.invite(organiser, made.pk, club.pk, command_id())
        invitations.answer(lookup.owner(club), made.pk, club.pk, True, command_id())
    for player in players:
        entries.enter(player, made.pk, "", command_id())
    organising.start(organiser, made.pk, command_id())
    return made.pk


def _tokens(people: Sequence[User]) -> list[str]:
    from games.api.scopes import SCOPES
    from lobby.tokens import tokens

    return [tokens.make(person, "drill", list(SCOPES)) for person in people]


def begin_simul(server: ParlourServer, endpoints: Callable[[], Endpoint], boards: int) -> TournamentRun:
    """A simul with so many boards that begins now."""
    tournament, tokens = subprocess_call.at(server, begun_simul, boards)
    return TournamentRun(server, tournament, tokens, endpoints, pause=PAUSE * 10)


def begun_simul(boards: int) -> tuple[str, list[str]]:
    """What `begin_simul` does in a process of the site: its id, and the tokens of the host and players."""
    from lobby.people.models import User

    host, *players = [User.objects.create_user(f"player-{number}") for number in range(boards + 1)]
    return _begun(host, players, format="simul", extra_minutes=20), _tokens([host, *players])


def verified(tournament_id: str) -> list[str]:
    """What `manage.py verify_tournament` finds."""
    from lobby.tournaments import verification
    from lobby.tournaments.models import Tournament

    return verification.breaches(Tournament.objects.get(pk=tournament_id))


def end_of_time(run: TournamentRun) -> None:
    """Let the time of an arena be up now; the matches in play go on to their end."""
    subprocess_call.at(run.server, time_ended, run.tournament)


def time_ended(tournament_id: str) -> None:
    """What `end_of_time` does in a process of the site."""
    from lobby.tournaments.models import Tournament

    Tournament.objects.filter(pk=tournament_id).update(minutes=0)


def whenever_paired(times: int, strike: Callable[[], None]) -> Callable[[TournamentRun], None]:
    """Strikes so many times, each as soon as new pairings are stored."""

    def disturb(run: TournamentRun) -> None:
        known = 0
        for _ in range(times):
            while not run.over and run.pairings == known:
                time.sleep(PAUSE / 10)
            known, struck = run.pairings, time.monotonic()
            strike()
            while not run.over and run.unmade:
                time.sleep(PAUSE / 10)
            run.waited = max(run.waited, time.monotonic() - struck)

    return disturb


def in_between(times: int, moves: int, strike: Callable[[], None]) -> Callable[[TournamentRun], None]:
    """Strikes as soon as the boards are paired, and so many times after so many acknowledged moves more."""

    def disturb(run: TournamentRun) -> None:
        whenever_paired(1, strike)(run)
        for number in range(1, times + 1):
            while not run.over and len(run.acknowledged) < number * moves:
                time.sleep(PAUSE / 10)
            strike()

    return disturb
