"""What the benches count is what they say they count."""

from __future__ import annotations

import asyncio

import pytest

from bench import load, processes
from bench.games import kalah_games
from bench.measure import Figures
from games.rules import kalah


def shared(*microseconds: float) -> processes.Shared:
    """A thousand moves at servers that spent so much on each."""
    return processes.Shared(Figures(moves=1000), [each * 1000 / 1e6 for each in microseconds])


def test_servers_serve_what_the_busiest_of_them_can() -> None:
    assert shared(200.0).capacity == pytest.approx(5000)
    assert shared(125.0, 125.0).capacity == pytest.approx(4000)
    assert shared(250.0, 50.0).capacity == pytest.approx(2000)


def test_a_goal_is_missed_by_the_busier_server_alone(capsys: pytest.CaptureFixture[str]) -> None:
    half_as_busy = shared(175.0, 175.0)
    play = processes.Play("moves", lambda: ("", []), ends=False, goal=0.7)
    assert processes.verdict(play, shared(210.0), shared(149.0, 140.0), half_as_busy)
    assert not processes.verdict(play, shared(210.0), shared(160.0, 100.0), half_as_busy)
    reached, missed = capsys.readouterr().out.strip().splitlines()[::2]
    assert "serves 70.5% of" in reached
    assert "reached" in reached
    assert "Half as busy, it serves 60.0%" in reached
    assert "serves 65.6% of" in missed
    assert "MISSED" in missed


def test_the_first_players_of_the_matches_are_at_the_servers_by_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[tuple[str, int, str | None]] = []

    async def connect(port: int, path: str, headers: dict[str, str], on_message: object) -> object:
        opened.append((path[-1], port, headers.get("Cookie")))
        return object()

    monkeypatch.setattr(load, "connect", connect)
    cookies = [("first", "second")] * 2
    asyncio.run(load.open_tables(load.EndlessTable, 1, ["a", "b"], cookies, 1, 0, [2]))
    assert opened == [
        ("a", 1, "first"),
        ("a", 2, "second"),
        ("a", 1, None),
        ("b", 2, "first"),
        ("b", 1, "second"),
        ("b", 2, None),
    ]


@pytest.mark.parametrize("plies", [30, 40, 60])
def test_a_game_of_the_bench_ends_with_the_ply_that_was_asked_for(plies: int) -> None:
    for game in kalah_games(plies):
        state = kalah.setup(kalah.PRESETS["kalaha"])
        for number, (seat, pit) in enumerate(game):
            assert (state.ended, state.turn) == (None, seat), number
            state = kalah.play(state, kalah.Move(pit + 1)).state
        assert (len(game), state.ended is not None) == (plies, True)


def test_games_of_a_length_that_is_too_short_are_refused() -> None:
    with pytest.raises(ValueError, match="10 plies"):
        kalah_games(10)


def test_a_server_is_steady_once_its_last_rounds_cost_as_much_as_those_before() -> None:
    falling = Figures(rounds=[700.0, 600.0, 500.0, 450.0, 420.0, 400.0])
    assert not falling.is_steady()
    assert Figures(rounds=[*falling.rounds, 405.0, 395.0, 400.0]).is_steady()


def test_a_match_that_its_server_does_not_call_over_is_an_error() -> None:
    table = load.BareTable(1, ((0, 0),))
    table.done.set()
    with pytest.raises(load.Unfinished):
        asyncio.run(load.play([table]))
