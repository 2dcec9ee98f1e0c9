"""The stand-alone checker of sealed files: whatever is altered is caught."""

import copy
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.domain import dice
from games.rules.base import Dice, Roll

TOOL = Path(__file__).parents[3] / "tools" / "check_dice.py"
SECRET = "5e" * 32
WORDS = ["clover", "", "пять костей"]
Sealed = dict[str, Any]


def load() -> Any:
    """The checker as a module; it is no part of any package."""
    spec = importlib.util.spec_from_file_location("check_dice", TOOL)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_dice = load()


@pytest.fixture
def sealed() -> Sealed:
    throws = [
        dice.Throw(ply, due, dice.throw(SECRET, WORDS, "m1", ply, due))
        for ply, due in ((2, Dice(5)), (4, Dice(3)), (6, Dice(5)), (9, Dice(20, 129)))
    ]
    return dice.sealed_file("m1", "aces", WORDS, SECRET, throws)


def one_face(sealed: Sealed) -> None:
    sealed["throws"][1]["faces"][0] = sealed["throws"][1]["faces"][0] % 6 + 1


def order_of_faces(sealed: Sealed) -> None:
    sealed["throws"][3]["faces"].reverse()


def one_word(sealed: Sealed) -> None:
    sealed["words"][0] = "clovers"


def order_of_words(sealed: Sealed) -> None:
    sealed["words"].reverse()


def silent_seat_gone(sealed: Sealed) -> None:
    sealed["words"].remove("")


def order_of_throws(sealed: Sealed) -> None:
    sealed["throws"].reverse()


def faces_of_two_throws_swapped(sealed: Sealed) -> None:
    first, _, third, _ = sealed["throws"]
    first["faces"], third["faces"] = third["faces"], first["faces"]


def throw_twice(sealed: Sealed) -> None:
    sealed["throws"].insert(0, sealed["throws"][0])


def secret(sealed: Sealed) -> None:
    sealed["secret"] = "5f" + sealed["secret"][2:]


def secret_with_a_promise_to_fit(sealed: Sealed) -> None:
    secret(sealed)
    sealed["commitment"] = dice.commitment(sealed["secret"])


def promise(sealed: Sealed) -> None:
    sealed["commitment"] = "0" * 64


def match(sealed: Sealed) -> None:
    sealed["match"] = "m2"


def ply(sealed: Sealed) -> None:
    sealed["throws"][0]["ply"] = 1


def one_die_gone(sealed: Sealed) -> None:
    sealed["throws"][0]["faces"].pop()
    sealed["throws"][0]["count"] -= 1


def sides(sealed: Sealed) -> None:
    sealed["throws"][0]["sides"] = 7


ALTERATIONS = [
    one_face,
    order_of_faces,
    one_word,
    order_of_words,
    silent_seat_gone,
    order_of_throws,
    faces_of_two_throws_swapped,
    throw_twice,
    secret,
    secret_with_a_promise_to_fit,
    promise,
    match,
    ply,
    one_die_gone,
    sides,
]


def test_an_honest_file_has_no_problems(sealed: Sealed) -> None:
    assert check_dice.check(sealed) == []


@pytest.mark.parametrize("alter", ALTERATIONS, ids=lambda alter: alter.__name__)
def test_caught(sealed: Sealed, alter: Callable[[Sealed], None]) -> None:
    before = copy.deepcopy(sealed)
    alter(sealed)
    assert sealed != before
    assert check_dice.check(sealed) != []


def test_caught_a_whole_file_made_afterwards_by_the_promise_noted(sealed: Sealed) -> None:
    noted = sealed["commitment"]
    other = dice.throw("5f" * 32, WORDS, "m1", 2, Dice(5))
    forged = dice.sealed_file("m1", "aces", WORDS, "5f" * 32, [dice.Throw(2, Dice(5), other)])
    assert check_dice.check(forged) == []
    assert check_dice.check(forged, noted) == ["The file's commitment is not the one that you noted."]


def test_only_the_altered_throw_is_named(sealed: Sealed) -> None:
    one_face(sealed)
    (problem,) = check_dice.check(sealed)
    assert problem.startswith("Ply 4 shows")


def test_a_match_without_throws_is_all_right() -> None:
    assert check_dice.check(dice.sealed_file("m1", "aces", WORDS, SECRET, [])) == []


@pytest.mark.parametrize(
    "alter",
    [
        {"format": "parlour-dice-2"},
        {"words": "clover"},
        {"words": [1]},
        {"words": ["\ud800"]},
        {"secret": None},
        {"secret": "\ud800"},
        {"throws": {}},
        {"throws": [{"ply": 1, "count": 1, "sides": 6}]},
        {"throws": [{"ply": True, "count": 1, "sides": 6, "faces": [1]}]},
        {"throws": [{"ply": 1, "count": 1, "sides": 0, "faces": [1]}]},
        {"throws": [{"ply": 1, "count": 10**9, "sides": 6, "faces": [1]}]},
    ],
)
def test_a_file_of_another_shape_is_refused_without_a_crash(sealed: Sealed, alter: Sealed) -> None:
    assert check_dice.check(sealed | alter) != []


@pytest.mark.parametrize("record", [None, [], "text", 7])
def test_a_file_of_something_else_is_refused_without_a_crash(record: object) -> None:
    assert check_dice.check(record) != []


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(TOOL), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def write(folder: Path, sealed: Sealed) -> str:
    path = folder / "dice.json"
    path.write_text(json.dumps(sealed), "utf-8")
    return str(path)


def test_the_tool_alone_says_that_all_is_well(sealed: Sealed, tmp_path: Path) -> None:
    done = run(write(tmp_path, sealed))
    assert done.returncode == 0
    assert "all 4 throws are as promised" in done.stdout
    assert sealed["commitment"] in done.stdout


def test_the_tool_alone_says_what_is_wrong(sealed: Sealed, tmp_path: Path) -> None:
    one_face(sealed)
    done = run(write(tmp_path, sealed))
    assert done.returncode == 1
    assert done.stdout.startswith("WRONG: Ply 4 shows")


def test_the_tool_compares_the_promise_noted(
    sealed: Sealed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_dice.main([write(tmp_path, sealed), "0" * 64]) == 1
    assert check_dice.main([write(tmp_path, sealed), sealed["commitment"].upper()]) == 0


def test_the_tool_shows_tricky_letters_as_codes(
    sealed: Sealed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_dice.main([write(tmp_path, dice.sealed_file("m1", "aces", ["\x1b[2J\u202e"], SECRET, []))])
    assert "\\x1b[2J\\u202e" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "{", "\x00"])
def test_the_tool_refuses_what_is_no_json(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dice.json"
    path.write_text(text)
    assert check_dice.main([str(path)]) == 1
    assert "cannot be read" in capsys.readouterr().out


def test_the_tool_refuses_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_dice.main([str(tmp_path / "none.json")]) == 1


def test_the_tool_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_dice.main([]) == 1
    assert "Usage" in capsys.readouterr().out


def test_the_face_of_every_die_is_held() -> None:
    """Each of fifty dice, turned in its turn, is noticed."""
    due = Dice(50)
    roll = dice.throw(SECRET, WORDS, "m1", 1, due)
    for at in range(due.count):
        faces = list(roll.faces)
        faces[at] = faces[at] % 6 + 1
        forged = dice.sealed_file("m1", "aces", WORDS, SECRET, [dice.Throw(1, due, Roll(tuple(faces)))])
        assert len(check_dice.check(forged)) == 1
