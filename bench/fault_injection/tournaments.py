"""A tournament that programs play to its end through any fault, and what came of it."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tools.harness import subprocess_call
from tools.harness.patience import patience, wait_until
from tools.harness.people import command_id
from tools.harness.servers import ParlourServer
from tools.harness.services import Endpoint

ENOUGH = 4
"""Plies after which whoever is to move resigns."""
PAUSE = 0.05
"""Seconds between two looks of a program."""
SECONDS = 120
"""Seconds that a tournament may take."""
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass
class TournamentRun:
    """A tournament, and how its programs find the site.

    Attributes:
        tokens: of the players.
        endpoints: returns where the next request goes.
        waited: the longest time from a strike until all matches of the round were made, in seconds.
    """

    server: ParlourServer
    tournament: str
    tokens: Sequence[str]
    endpoints: Callable[[], Endpoint]
    started: float = field(default_factory=time.monotonic)
    waited: float = 0.0

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
        with ThreadPoolExecutor(len(self.tokens) + 1) as pool:
            playing = [pool.submit(self._play_as, token) for token in self.tokens]
            pool.submit(disturb, self).result()
            for each in playing:
                each.result()

    def breaches(self, rounds: int) -> list[str]:
        """Everything that was lost or doubled."""
        wait_until(lambda: self.server.running, "the server")
        found: list[str] = subprocess_call.at(self.server, verified, self.tournament)
        wanted = rounds * (len(self.tokens) // 2)
        matches = self._row("SELECT count(*) FROM games_match WHERE ? <> ''")
        if (self.pairings, matches) != (wanted, wanted):
            found.append(f"{self.pairings} pairings and {matches} matches, not {wanted}")
        if self._row("SELECT state FROM lobby_tournament WHERE id = ?") != "finished":
            found.append("the tournament did not end")
        return found

    def _row(self, question: str) -> Any:
        return self.server.rows(question, self.tournament)[0][0]

    def _play_as(self, token: str) -> None:
        while not self.over:
            told = self._ask(token, "GET", "/me/matches") or {"waiting": []}
            for match_id in told["waiting"]:
                self._move(token, match_id)
            time.sleep(PAUSE)

    def _move(self, token: str, match_id: str) -> None:
        """Move in a match, or resign in it after a few moves."""
        now = self._ask(token, "GET", f"/matches/{match_id}")
        if now is None:
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
        self._ask(token, "POST", f"/matches/{match_id}/commands", command)

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
            problem: dict[str, Any] = json.loads(error.read() or b"{}")
            return problem
        except (OSError, ValueError):
            return None


def begin(
    server: ParlourServer, endpoints: Callable[[], Endpoint], players: int, rounds: int
) -> TournamentRun:
    """A Swiss tournament that begins now."""
    tournament, tokens = subprocess_call.at(server, begun, players, rounds)
    return TournamentRun(server, tournament, tokens, endpoints)


def begun(players: int, rounds: int) -> tuple[str, list[str]]:
    """What `begin` does in a process of the site: its id, and the tokens of its players."""
    from games.api.scopes import SCOPES
    from games.registry import GAMES
    from lobby.people.models import User
    from lobby.tokens import tokens
    from lobby.tournaments import entries, organising, plans

    numbers = count(1)
    people = [User.objects.create_user(f"player-{number}") for number in range(1, players + 1)]
    options = GAMES["kalah"].rules.PRESETS["circle"]
    plan = plans.Plan("Drill", "kalah", options, "swiss", clock="3+2", rounds=rounds)
    made = organising.create(people[0], plan, f"command-{next(numbers)}")
    for person in people:
        entries.enter(person, made.pk, "", f"command-{next(numbers)}")
    organising.start(people[0], made.pk, f"command-{next(numbers)}")
    return made.pk, [tokens.make(person, "drill", list(SCOPES)) for person in people]


def verified(tournament_id: str) -> list[str]:
    """What `manage.py verify_tournament` finds."""
    from lobby.tournaments import verification
    from lobby.tournaments.models import Tournament

    return verification.breaches(Tournament.objects.get(pk=tournament_id))


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
