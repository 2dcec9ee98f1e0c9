"""What is said of several servers is measured and counted as it is said."""

from __future__ import annotations

import argparse
import asyncio

import pytest

from bench import load, processes, scaling
from bench.__main__ import Figures


def shared(*microseconds: float) -> processes.Shared:
    """A thousand moves at servers that spent so much on each."""
    return processes.Shared(Figures(moves=1000), [each * 1000 / 1e6 for each in microseconds])


def test_servers_serve_what_the_busiest_of_them_can() -> None:
    assert shared(200.0).capacity == pytest.approx(5000)
    assert shared(125.0, 125.0).capacity == pytest.approx(4000)
    assert shared(250.0, 50.0).capacity == pytest.approx(2000)


def test_a_goal_is_missed_by_the_busier_server_alone(capsys: pytest.CaptureFixture[str]) -> None:
    half_as_busy = shared(175.0, 175.0)
    assert processes.verdict("moves", shared(210.0), shared(149.0, 140.0), half_as_busy)
    assert not processes.verdict("matches", shared(210.0), shared(160.0, 100.0), half_as_busy)
    reached, missed = capsys.readouterr().out.split("\n\n")
    assert "serves 70.5% of" in reached
    assert "reached" in reached
    assert "Half as busy, it serves 60.0%" in reached
    assert "serves 65.6% of" in missed
    assert "not enough" in missed


def test_what_an_end_costs_is_what_moves_cost_more_with_it() -> None:
    def spent(server: float, database: float, *others: float) -> processes.Shared:
        found = shared(server, *others)
        found.postgres = database * 1000 / 1e6
        return found

    half_as_busy = spent(190.0, 50.0, 190.0)
    moves = spent(200.0, 40.0), spent(150.0, 40.0, 130.0), half_as_busy
    whole = spent(300.0, 100.0), spent(200.0, 100.0, 200.0), half_as_busy
    # Fifty matches of twenty moves.
    told = processes.for_the_model(moves, whole, argparse.Namespace(matches=10, rounds=5))
    assert told == "--move-us 200 --parcel-us 80 --end-us 2000 --database-us 40 --end-database-us 1200"


def test_the_first_players_of_the_matches_are_at_the_servers_by_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[tuple[str, int, str | None]] = []

    async def connect(port: int, path: str, headers: dict[str, str], on_message: object) -> object:
        opened.append((path[-1], port, headers.get("Cookie")))
        return object()

    monkeypatch.setattr(load, "connect", connect)
    cookies = [("first", "second")] * 2
    asyncio.run(load.open_tables(load.ParlourTable, 1, ["a", "b"], cookies, 1, 0, [2]))
    assert opened == [
        ("a", 1, "first"),
        ("a", 2, "second"),
        ("a", 1, None),
        ("b", 2, "first"),
        ("b", 1, "second"),
        ("b", 2, None),
    ]


def test_what_is_counted_stands_in_the_document_as_it_is_printed() -> None:
    counted = scaling.PAGE.read_text().partition(scaling.BEGIN)[2].partition(scaling.END)[0]
    assert counted.strip() == scaling.report(scaling.Assumptions()), "python -m bench.scaling --write"


def test_pages_their_sockets_and_the_ends_of_matches_take_servers_and_the_database() -> None:
    def cores(**changed: float) -> tuple[float, float]:
        assumed = scaling.Assumptions(**changed)
        played = scaling.enough(10_000, True, assumed)
        row = dict(
            zip(scaling.HEADINGS, scaling.row(10_000, True, assumed).strip("| ").split(" | "), strict=True)
        )
        return played.processes * played.busiest, float(row["database, cores"])

    server, database = cores()
    assert cores(page_us=32_000.0)[0] > server + 7
    assert cores(open_us=6000.0)[0] > server + 2
    assert cores(end_us=23_500.0)[0] > server
    for dearer in ("page_database_us", "open_database_us", "end_database_us"):
        assert cores(**{dearer: 2 * getattr(scaling.Assumptions(), dearer)})[1] > database, dearer
