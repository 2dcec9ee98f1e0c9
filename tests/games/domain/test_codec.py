"""What was written is read again; anything else is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from games.domain import codec
from games.domain.codec import Undecodable
from games.rules import kalah
from games.rules.base import Leave, Roll, Unparseable


@dataclass(frozen=True, slots=True)
class Inner:
    number: int
    word: str = "default"


@dataclass(frozen=True, slots=True)
class Everything:
    """One field of every shape the codec knows."""

    flag: bool = True
    whole: int = 1
    part: float = 0.1
    text: str = "é"
    row: tuple[int, ...] = (1, 2)
    pair: tuple[int, str] = (1, "a")
    rows: tuple[tuple[bool, ...], ...] = ((True,), ())
    inner: Inner = Inner(7)
    inners: tuple[Inner, ...] = (Inner(1), Inner(2, "b"))
    table: dict[str, tuple[int, ...]] | None = None
    maybe: Inner | None = None
    mixed: int | str | None = None
    verb: Literal["go", "stop", 1] = "go"
    nothing: tuple[()] = ()


@dataclass(frozen=True, slots=True)
class Bare:
    pass


@dataclass(frozen=True, slots=True)
class Single:
    seat: int


SAMPLES = [
    Everything(),
    Everything(table={"a": (1,), "": ()}, maybe=Inner(0), mixed=4, verb=1),
    Everything(flag=False, row=(), inners=(), mixed="four"),
    Everything(part=1 / 3),
    Everything(part=1.0),
]


@pytest.mark.parametrize("value", SAMPLES)
@pytest.mark.parametrize("form", [codec.encode, lambda value: codec.encode(value).decode()])
def test_decode_returns_encoded_value(value, form):
    assert codec.decode(Everything, form(value)) == value


def test_an_object_that_was_parsed_already_is_read_too():
    assert codec.decode(Inner, {"number": 3, "word": "a"}) == Inner(3, "a")


def test_tuples_become_arrays_and_dataclasses_objects():
    assert json.loads(codec.encode(Inner(1))) == {"number": 1, "word": "default"}
    assert json.loads(codec.encode(Everything()))["pair"] == [1, "a"]


def test_a_number_without_a_point_may_be_a_float():
    assert codec.decode(Everything, '{"part": 1}').part == 1.0


def test_a_missing_field_takes_its_default():
    assert codec.decode(Inner, '{"number": 3}') == Inner(3)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("flag", 1),
        ("flag", None),
        ("whole", True),
        ("whole", 1.0),
        ("whole", "1"),
        ("part", True),
        ("part", "0.5"),
        ("part", None),
        ("text", 1),
        ("row", [1, "2"]),
        ("row", [True]),
        ("row", "12"),
        ("row", {"0": 1}),
        ("pair", [1]),
        ("pair", [1, "a", "b"]),
        ("pair", ["a", 1]),
        ("rows", [1]),
        ("inner", None),
        ("inner", [7]),
        ("inner", {}),
        ("inner", {"number": 1, "colour": "red"}),
        ("table", {"a": 1}),
        ("table", []),
        ("maybe", 0),
        ("mixed", 1.5),
        ("mixed", [1]),
        ("verb", "run"),
        ("nothing", [1]),
        ("colour", "red"),
    ],
)
def test_a_wrong_type_or_name_is_refused(field, wrong):
    with pytest.raises(ValueError, match=field):
        codec.decode(Everything, json.dumps({field: wrong}))


def test_the_message_says_where_and_why():
    with pytest.raises(Undecodable, match=r"^maybe\.number: .* valid integer"):
        codec.decode(Everything, '{"maybe": {"number": "seven"}}')


@pytest.mark.parametrize("data", ["", "{", "[]", "1", "null", b"\xff", '{"number": 1}{'])
def test_text_that_is_no_such_object_is_refused(data):
    with pytest.raises(Undecodable):
        codec.decode(Inner, data)


# Events


class Rules:
    EVENTS = (Bare, Single, Everything)


RULES: Any = Rules


@pytest.mark.parametrize("event", [Bare(), Single(2), *SAMPLES])
def test_events_survive(event):
    assert codec.decode_event(RULES, codec.encode(codec.encode_event(event))) == event


def test_an_event_says_its_kind_first():
    sown = codec.encode_event(kalah.Sown(seat=0, start=1, path=(2, 3)))
    assert codec.encode(sown) == b'{"kind":"sown","seat":0,"start":1,"path":[2,3]}'


def test_events_of_a_ply_are_written_as_each_of_them_is():
    events = [Bare(), Single(2), *SAMPLES, kalah.Sown(seat=0, start=1, path=(2, 3))]
    assert codec.encode_events(events) == codec.encode([codec.encode_event(event) for event in events])
    assert codec.encode_events(()) == b"[]"


@pytest.mark.parametrize("data", [{}, {"kind": "burnt"}, {"kind": ["bare"]}, [], {"kind": "bare", "seat": 0}])
def test_decode_event_invalid_refused(data):
    with pytest.raises(Undecodable):
        codec.decode_event(RULES, json.dumps(data))


# Actions in the log

ACTIONS = [
    (kalah.Move(3), "3", None),
    (kalah.SWAP, "swap", None),
    (Roll((6, 1)), "dice", (6, 1)),
    (Leave(1, "abandoned"), "left:1:abandoned", None),
]


@pytest.mark.parametrize(("action", "text", "dice"), ACTIONS)
def test_actions_are_written(action, text, dice):
    assert codec.action_text(action) == text
    assert codec.action_dice(action) == dice


@pytest.mark.parametrize(("action", "text", "dice"), ACTIONS)
def test_actions_are_read(action, text, dice):
    assert codec.action(kalah, text, dice and list(dice)) == action


@pytest.mark.parametrize("text", ["dice", "left", "left:", "left:1", "left:x:time", "left:1:", "leave", ""])
def test_a_log_with_anything_else_is_refused(text):
    with pytest.raises(Unparseable):
        codec.action(kalah, text)


class NextRules:
    """Kalah's rules of a later version, whose states have lost a field."""

    State = kalah.State
    UPGRADES = (lambda fields: {name: value for name, value in fields.items() if name != "lucky"},)


NEXT_RULES: Any = NextRules


class TestStates:
    start = kalah.setup(kalah.PRESETS["circle"])

    def test_a_state_says_which_version_of_the_rules_wrote_it(self):
        assert json.loads(codec.encode_state(kalah, self.start))["version"] == 1
        assert json.loads(codec.encode_state(NEXT_RULES, self.start))["version"] == 2

    def test_decode_state_of_older_rules_version(self):
        written = json.loads(codec.encode_state(kalah, self.start)) | {"lucky": True}
        with pytest.raises(Undecodable, match="lucky"):
            codec.decode_state(kalah, written)
        assert codec.decode_state(NEXT_RULES, written) == self.start

    def test_options_that_are_known_are_not_read_anew(self):
        written = codec.encode_state(kalah, self.start)
        read = codec.decode_state(kalah, written, self.start.options)
        assert read == codec.decode_state(kalah, written) == self.start
        assert read.options is self.start.options

    def test_decode_state_without_version_is_first_version(self):
        assert codec.decode_state(kalah, codec.encode(self.start)) == self.start
        assert codec.decode_state(NEXT_RULES, codec.encode(self.start)) == self.start

    def test_the_version_of_these_rules_is_not_upgraded(self):
        written = json.loads(codec.encode_state(NEXT_RULES, self.start)) | {"lucky": True}
        with pytest.raises(Undecodable, match="lucky"):
            codec.decode_state(NEXT_RULES, written)

    @pytest.mark.parametrize("version", [0, 2, -1, "1", None, True, 1.0])
    def test_a_version_that_these_rules_do_not_know_is_refused(self, version):
        written = json.loads(codec.encode_state(kalah, self.start)) | {"version": version}
        with pytest.raises(Undecodable, match="version"):
            codec.decode_state(kalah, written)
