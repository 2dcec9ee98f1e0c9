"""A tournament of programs, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Launcher
from tests.helpers.programs import Program, programs, until
from tools.harness.patience import wait_until
from tools.harness.people import command_id
from tools.harness.servers import ParlourServer

ARENA = {"name": "Bots’ night", "game": "kalah", "format": "arena", "minutes": 30, "clock": "3+2"}


@pytest.fixture(scope="module")
def server(launcher: Launcher) -> ParlourServer:
    return launcher.open(launcher.store("sqlite"))


@pytest.fixture(scope="module")
def people(server: ParlourServer) -> list[Program]:
    return programs(server, "Anna", "Bo")


def created(organiser: Program, **changes: Any) -> str:
    reply = organiser.post("/tournaments", **{"id": command_id(), **ARENA, **changes})
    assert reply.status == 201
    return str(reply.fields["id"])


def test_programs_play_a_tournament(server: ParlourServer, people: list[Program]) -> None:
    anna, bo = people
    cup = created(anna)
    with anna.stream("/events"), bo.stream("/events") as events:
        for program in people:
            assert program.post(f"/tournaments/{cup}/enter", id=command_id()).status == 200
        assert anna.post(f"/tournaments/{cup}/start", id=command_id()).fields["state"] == "running"
        told = until(events, "next-match")["next"]
        assert (told["tournament"], told["name"], told["opponents"]) == (cup, "Bots’ night", ["Anna"])
    (table,) = bo.get(f"/tournaments/{cup}/open-tables").fields["tables"]
    assert (table["match"], table["status"]) == (told["match"], "playing")
    loser = bo if table["to_move"] == ["Bo"] else anna
    loser.command(told["match"], type="resign", after=0)

    def won() -> bool:
        lines = bo.get(f"/tournaments/{cup}/standings").fields["standings"]
        return sorted(line["points"] for line in lines) == [0, 2]

    wait_until(won, "the result in the standings")
    first = bo.get(f"/tournaments/{cup}/pairings?round=1").fields["pairings"][0]
    assert (first["match"], sorted(first["points"])) == (told["match"], [0, 1])


def test_a_command_that_is_sent_again_acts_once(people: list[Program]) -> None:
    again = {"id": command_id(), **ARENA}
    replies = [people[0].post("/tournaments", **again) for _ in range(2)]
    assert len({reply.fields["id"] for reply in replies}) == 1


def test_rules_cannot_be_changed_after_the_start(people: list[Program]) -> None:
    bo = people[1]
    cup = created(bo)
    changed = {"id": command_id(), **ARENA, "clock": "5+3"}
    assert bo.ask("PATCH", f"/tournaments/{cup}", changed).fields["clock"] == "5+3"
    for program in people:
        program.post(f"/tournaments/{cup}/enter", id=command_id())
    bo.post(f"/tournaments/{cup}/start", id=command_id())
    refused = bo.ask("PUT", f"/tournaments/{cup}", {**changed, "id": command_id()})
    assert refused.refusal == (409, "started")
    assert bo.post(f"/tournaments/{cup}/cancel", id=command_id(), why="Done").fields["state"] == "cancelled"


def test_an_organiser_changes_some_of_a_tournament(people: list[Program]) -> None:
    anna, bo = people
    cup = created(anna)
    once = {"id": command_id(), "clock": "5+3", "options": {"pie": True}}
    for _ in range(2):
        fields = anna.ask("PATCH", f"/tournaments/{cup}", once).fields
    assert (fields["clock"], fields["name"], fields["options"]["pie"]) == ("5+3", ARENA["name"], True)
    assert fields["version"] == 1
    refusals = [
        (bo, {"clock": "3+2"}, (403, "not-organiser")),
        (anna, {"clock": "3d"}, (422, "slow-arena")),
        (anna, {"minutes": 1}, (422, "bad-minutes")),
        (anna, {"options": {"cheese": 1}}, (422, "bad-option")),
        (anna, {"about": "https://example.org"}, (422, "bad-about")),
        (anna, {"nonsense": 1}, (422, "malformed")),
    ]
    for program, changes, refusal in refusals:
        reply = program.ask("PATCH", f"/tournaments/{cup}", {"id": command_id(), **changes})  # type: ignore[dict-item]
        assert reply.refusal == refusal
    anna.post(f"/tournaments/{cup}/cancel", id=command_id(), why="Done")
    late = anna.ask("PATCH", f"/tournaments/{cup}", {"id": command_id(), "clock": "3+2"})
    assert late.refusal == (409, "started")


def test_a_time_without_a_zone_is_refused(people: list[Program]) -> None:
    reply = people[0].post("/tournaments", id=command_id(), **ARENA, starts="2030-01-01T20:00:00")
    assert reply.refusal == (422, "malformed")


def test_lists_tell_states_apart(people: list[Program]) -> None:
    cup = created(people[1])
    assert cup in listed(people[0], "open")
    people[1].post(f"/tournaments/{cup}/cancel", id=command_id(), why="Rain")
    assert cup not in listed(people[0], "open")
    assert cup in listed(people[0], "cancelled")


def listed(program: Program, state: str) -> list[str]:
    return [each["id"] for each in program.get(f"/tournaments?state={state}").fields["tournaments"]]
