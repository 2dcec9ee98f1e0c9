"""Matches of the best level of Nine Men's Morris against an engine that speaks Sanmill's text protocol.

    python -m bench.strength.sanmill /path/to/sanmill --games 40 --skill 30 --seconds 0.6

The engine is a program of its own, and no part of this repository; that of github.com/calcitem/Sanmill comes
of `make all optimize=yes debug=no` in its `src`. It reads lines as those of UCI: `setoption name ... value
...`, `position startpos moves d6 f4 d6-d7 xb4`, `go`, `stop`, and answers a line with `bestmove <move>`.

The rules of both are the same. Ours are those of the preset `nine`; Sanmill's are named by its options, all
of which have these values when it starts: nine men (`PiecesCount`), who has three flies (`MayFly`,
`flyPieceCount`), one man is taken for two mills at once (`MayRemoveMultiple` off), a man in a mill only when
there are no others (`MayRemoveFromMillsAlways` off), who cannot move loses (`StalemateAction` 0), the third
occurrence of a position is a draw (`ThreefoldRepetitionRule`), and so are a hundred turns of both in which
nothing is taken (`NMoveRule` 100). We are the referee. Where the engine calls a match drawn, it is. Where its
answer is no legal move, it has lost: it says `none` where its search found no move. Such matches are counted.

Two matches that follow each other begin with the same two plies, drawn from a fixed seed, and the colours
change. The engine may do as `--skill` says: it looks so many plies ahead at most, and is stopped once it has
used `--seconds` of processor time; its choice among equal moves is its own, so no two runs are quite the
same. `DrawOnHumanExperience`, which looks less far while men are placed, is off. `--effort` is the part of a
million positions that our level looks at for a move. Times are of the processor.
"""

from __future__ import annotations

import argparse
import os
import re
import selectors
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from time import process_time
from types import TracebackType
from typing import NamedTuple

from games.bots import morris as player
from games.computers import thinking
from games.rules import morris
from games.rules.morris import PRESETS, State

from .figures import share

LEVEL = len(player.SKILLS)
OPENING = 2
"""Plies at random that a match begins with."""
DRAW = "draw"
"""What the engine says where it thinks that the match is over."""
ILLEGAL = "illegal"
"""How a match ended in which it answered what is no legal move."""
LONGEST = 60
"""Seconds that the engine is told it has: so it looks deeper step by step until it is stopped."""
STEP = 0.005
"""Seconds between two looks at how long it has thought."""
ANSWER = re.compile(r"\bbestmove (\S+)")


class NoAnswer(Exception):
    """The engine ended without an answer."""


class Engine:
    """An engine that runs, with how much processor time it has used.

    Raises `OSError` if the program cannot be started and `NoAnswer` if it ends.
    """

    def __init__(self, command: list[str], skill: int) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.unread = b""
        options = {"SkillLevel": skill, "MoveTime": LONGEST, "DrawOnHumanExperience": "false"}
        self.send("uci", *(f"setoption name {name} value {value}" for name, value in options.items()))
        self.send("isready")
        while "readyok" not in self.line(None):
            pass

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def line(self, seconds: float | None) -> str:
        """The next line, or an empty text if none came within so many seconds."""
        assert self.process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.unread:
                if not selector.select(seconds):
                    return ""
                read = os.read(self.process.stdout.fileno(), 1 << 16)
                if not read:
                    raise NoAnswer(self.unread.decode())
                self.unread += read
        line, _, self.unread = self.unread.partition(b"\n")
        return line.decode()

    def used(self) -> float:
        """Seconds of processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def choose(self, moves: Iterable[str], seconds: float) -> str:
        """Its answer after some moves, stopped after so many seconds of processor time."""
        self.send(" ".join(("position startpos moves", *moves)), "go")
        began, stopped = self.used(), False
        while True:
            if found := ANSWER.search(self.line(None if stopped else STEP)):
                return found[1]
            if not stopped and self.used() - began >= seconds:
                self.send("stop")
                stopped = True


class Match(NamedTuple):
    """How a match went for our level.

    Attributes:
        result: 1 if it won, 0 if it was drawn, -1 if it lost.
        reason: how it ended, in the words of the rules, or `DRAW` or `ILLEGAL`.
        plies: how many moves it had, takes included.
        thoughts, times: moves that our level chose and the engine, and the seconds they took.
    """

    result: int
    reason: str
    plies: int
    thoughts: tuple[int, int]
    times: tuple[float, float]


def match(engine: Engine, number: int, seconds: float, effort: float) -> Match:
    """Play match `number`; our level is white in the even ones."""
    rng, seat, state = Random(number // 2), number % 2, morris.setup(PRESETS["nine"])
    moves: list[str] = []
    thoughts, times = [0, 0], [0.0, 0.0]
    while state.ended is None:
        if len(moves) < OPENING:
            chosen = str(rng.choice(morris.legal_moves(state)))
        elif state.turn == seat:
            began = process_time()
            chosen = str(player.choose(state, LEVEL, effort, rng))
            thoughts[0] += 1
            times[0] += process_time() - began
        else:
            began = engine.used()
            chosen = engine.choose(moves, seconds)
            thoughts[1] += 1
            times[1] += engine.used() - began
            if chosen == DRAW:
                return told(0, DRAW, moves, thoughts, times)
            if chosen not in map(str, morris.legal_moves(state)):
                return told(1, ILLEGAL, moves, thoughts, times)
        state = morris.play(state, morris.parse(chosen)).state
        moves.append(chosen)
    return told(result(state, seat), state.ended.reason, moves, thoughts, times)


def told(ended: int, reason: str, moves: list[str], thoughts: list[int], times: list[float]) -> Match:
    return Match(ended, reason, len(moves), (thoughts[0], thoughts[1]), (times[0], times[1]))


def result(state: State, seat: int) -> int:
    """1, 0 or -1 for a seat."""
    assert state.ended
    if len(state.ended.winners) > 1:
        return 0
    return 1 if seat in state.ended.winners else -1


def summary(matches: list[Match]) -> Iterator[str]:
    """What is told of some matches, by lines."""
    results = [each.result for each in matches]
    won, drawn, lost = (results.count(each) for each in (1, 0, -1))
    yield f"{won} won, {drawn} drawn, {lost} lost: {share(won + drawn / 2, len(matches))}"
    shut_in = [each.plies for each in matches if each.result < 0 and each.reason == "blocked"]
    yield f"lost by blockade: {len(shut_in)}, at ply {', '.join(map(str, sorted(shut_in))) or '-'}"
    yield f"won because the engine answered no legal move: {[each.reason for each in matches].count(ILLEGAL)}"
    for place, who in enumerate(("we", "the engine")):
        thoughts = sum(each.thoughts[place] for each in matches)
        seconds = sum(each.times[place] for each in matches)
        yield f"{who}: {seconds / max(1, thoughts):.3f} s a move"


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.strength.sanmill", description=__doc__)
    parser.add_argument("engine", help="path of the program")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--skill", type=int, default=30, help="plies that the engine looks ahead, 1 to 30")
    parser.add_argument("--seconds", type=float, default=0.6, help="of processor time, for the engine")
    parser.add_argument("--effort", type=float, default=1.0, help="of our level, above 0 and at most 1")
    arguments = parser.parse_args()
    matches = []
    # What is compiled is compiled before it is timed.
    thinking.warm_up_moves("morris")
    with Engine([arguments.engine], arguments.skill) as engine:
        for number in range(arguments.games):
            matches.append(match(engine, number, arguments.seconds, arguments.effort))
            print(number, *matches[-1], flush=True)
    print(*summary(matches), sep="\n")


if __name__ == "__main__":
    main()
