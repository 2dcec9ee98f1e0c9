"""Strict conversion between dataclasses and JSON: values are decoded exactly or refused, never coerced.

A frozen dataclass becomes an object of its fields, a tuple an array. An event also has its `kind`, its
class name in lower case. Actions are stored as text plus, for a dice roll, the faces: a move in the game's
notation, a roll as `dice`, a departure as `left:<seat>:<reason>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError

from games.rules.base import Leave, Roll, Rules

T = TypeVar("T")

DICE = "dice"
"""The text of a dice roll; no game may have a move of that name."""

_DEPARTURE = re.compile(r"left:(?P<seat>[0-9]+):(?P<reason>[a-z]+)")

encode = orjson.dumps
"""JSON bytes of a dataclass, or of lists and dicts of them. Dict keys are strings."""


def plain(content: T) -> T:
    """The content as JSON has it, in dictionaries, lists and simple values: for Django's `json_script`."""
    made: T = orjson.loads(encode(content))
    return made


class Undecodable(ValueError):
    """The data does not have the expected shape; the message says where and why.

    `field` is the first field that is wrong, "" if it is none of them.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


def decode(cls: type[T], data: bytes | str | dict[str, Any]) -> T:
    """Decode a `cls` from JSON text or a parsed object.

    Missing fields take their defaults, so that states stored before an option existed can be read. Unknown
    fields are refused. Raises `Undecodable`, a `ValueError`.
    """
    shape: Any = cls
    text = data if isinstance(data, bytes | str) else encode(data)
    try:
        value: T = _adapter(shape).validate_json(text, strict=True, extra="forbid")
    except ValidationError as error:
        errors = error.errors()
        problems = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in errors]
        raise Undecodable("; ".join(problems), str(next(iter(errors[0]["loc"]), ""))) from None
    return value


@cache
def _adapter(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def encode_state(rules: Rules, state: Any) -> bytes:
    """Encode a game state, with the version of its rules."""
    return _state_head(_version(rules)) + encode(state)[1:]


@cache
def _state_head(version: int) -> bytes:
    return b'{"version":%d,' % version


def decode_state(rules: Rules, data: bytes | str | dict[str, Any], options: Any = None) -> Any:
    """Decode a state written by `encode_state` under these rules or older ones.

    `options` are those of the match, if known: all states of a match share them. Raises `Undecodable`, also
    for newer rules.
    """
    values: Any = dict(_object(_parsed(data)))
    # States written before versions existed have none.
    version = values.pop("version", 1)
    if type(version) is not int or not 1 <= version <= _version(rules):
        raise Undecodable(f"these rules do not know their version {version!r:.40}")
    for upgrade in rules.UPGRADES[version - 1 :]:
        values = upgrade(values)
    state = decode(rules.State, values)
    return state if options is None else replace(state, options=options)


def _version(rules: Rules) -> int:
    return len(rules.UPGRADES) + 1


def encode_event(event: Any) -> dict[str, Any]:
    """An event as an object ready for `encode`, its kind first."""
    cls: Any = type(event)
    return {"kind": _kind(cls), **dict(zip(_names(cls), _values(cls)(event), strict=True))}


def encode_events(events: Iterable[Any]) -> bytes:
    """Encode events as a JSON list; see `encode_event`."""
    return b"[" + b",".join([_event_json(event) for event in events]) + b"]"


def _event_json(event: Any) -> bytes:
    cls: Any = type(event)
    fields, head = encode(event), _event_head(cls)
    return head + b"}" if fields == b"{}" else head + b"," + fields[1:]


@cache
def _event_head(event: Any) -> bytes:
    return b'{"kind":' + encode(_kind(event))


def decode_event(rules: Rules, data: bytes | str | dict[str, Any]) -> Any:
    """Decode an event of this game. Raises `Undecodable`."""
    values = dict(_object(_parsed(data)))
    kind = values.pop("kind", None)
    cls = _by_kind(rules.EVENTS).get(str(kind))
    if cls is None:
        raise Undecodable(f"no event of this game is called {kind!r:.40}")
    return decode(cls, values)


def action_text(action: Any) -> str:
    """The text of an action in the log."""
    if isinstance(action, Roll):
        return DICE
    if isinstance(action, Leave):
        return f"left:{action.seat}:{action.reason}"
    return str(action)


def action_dice(action: Any) -> tuple[int, ...] | None:
    """The faces stored with the text of a dice roll; None for other actions."""
    return action.faces if isinstance(action, Roll) else None


def action(rules: Rules, text: str, dice: list[int] | tuple[int, ...] | None = None) -> Any:
    """Decode the result of `action_text` and `action_dice`.

    Not for client input: use `rules.parse`, which accepts moves only. Raises `Unparseable`.
    """
    if text == DICE and dice is not None:
        return Roll(tuple(dice))
    return departure(text) or rules.parse(text)


def departure(text: str) -> Leave | None:
    """Decode a departure written by `action_text`; None for other actions."""
    found = _DEPARTURE.fullmatch(text) if ":" in text else None
    return Leave(int(found["seat"]), found["reason"]) if found else None


def _parsed(data: bytes | str | dict[str, Any]) -> Any:
    if not isinstance(data, bytes | str):
        return data
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Undecodable(f"not JSON: {error}") from error


@cache
def _kind(event: Any) -> str:
    name: str = event.__name__
    return name.lower()


@cache
def _by_kind(events: tuple[Any, ...]) -> dict[Any, Any]:
    return {_kind(event): event for event in events}


@cache
def _names(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


@cache
def _values(cls: Any) -> Callable[[Any], tuple[Any, ...]]:
    names = _names(cls)
    if len(names) > 1:
        return attrgetter(*names)
    # Not attrgetter: it returns a bare value for one name, and needs at least one.
    return lambda event: tuple(getattr(event, name) for name in names)


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise Undecodable(f"expected an object, got {value!r:.40}")
    return value
