"""Strict conversion between dataclasses and JSON: values are decoded exactly or refused, never coerced.

A frozen dataclass becomes an object of its fields, a tuple an array. An event also has its `kind`, its
class name in lower case. Actions are stored as text plus, for a dice roll, the faces: a move in the game's
notation, a roll as `dice`, a departure as `left:<seat>:<reason>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import orjson

from games.rules.base import Leave, Roll, Rules

T = TypeVar("T")
Decoder = Callable[[Any], Any]

DICE = "dice"
"""The text of a dice roll; no game may have a move of that name."""

_DEPARTURE = re.compile(r"left:(?P<seat>[0-9]+):(?P<reason>[a-z]+)")

encode = orjson.dumps
"""JSON bytes of a dataclass, or of lists and dicts of them. Dict keys are strings."""


class Undecodable(ValueError):
    """The data does not have the expected shape; the message says where and why."""

    def __init__(self, problem: str, place: str = "") -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.problem = problem
        self.place = place

    def within(self, outer: str) -> Undecodable:
        """The same error with `outer` prepended to its path."""
        return Undecodable(self.problem, f"{outer}.{self.place}" if self.place else outer)


def decode(cls: type[T], data: bytes | str | dict[str, Any]) -> T:
    """Decode a `cls` from JSON text or a parsed object.

    Missing fields take their defaults, so that states stored before an option existed can be read. Unknown
    fields are refused. Raises `Undecodable`, a `ValueError`.
    """
    shape: Any = cls
    value: T = _decoder(shape)(_parsed(data))
    return value


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
    values = dict(values)
    if options is not None:
        values["options"] = options
    return decode(rules.State, values)


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


@cache
def _decoder(hint: Any) -> Decoder:
    """The decoder from parsed JSON to the type `hint`; cached per type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in (int, str, bool):
        return _exact(hint)
    if hint is float:
        return _number
    if origin is Literal:
        return _one_of(args)
    if origin in (Union, UnionType):
        decoders = [_decoder(arg) for arg in args if arg is not NoneType]
        some = decoders[0] if len(decoders) == 1 else _any_of(decoders)
        return _optional(some) if NoneType in args else some
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return _array(_decoder(args[0]))
        return _row([_decoder(arg) for arg in args])
    if origin is dict and args[0] is str:
        return _mapping(_decoder(args[1]))
    if is_dataclass(hint):
        return _record(hint)
    raise TypeError(f"the codec has no JSON for {hint!r}")


def _exact(cls: type) -> Decoder:
    def decode_exact(value: Any) -> Any:
        # Not isinstance: True is an int in Python, but must not be here.
        if type(value) is not cls:
            raise Undecodable(f"expected {cls.__name__}, got {value!r:.40}")
        return value

    return decode_exact


def _number(value: Any) -> float:
    # JSON has one number type: other programs may write 1.0 as 1.
    if type(value) not in (float, int):
        raise Undecodable(f"expected a number, got {value!r:.40}")
    return float(value)


def _one_of(known: tuple[Any, ...]) -> Decoder:
    def decode_literal(value: Any) -> Any:
        for each in known:
            if value == each and type(value) is type(each):
                return each
        raise Undecodable(f"expected one of {known}, got {value!r:.40}")

    return decode_literal


def _optional(some: Decoder) -> Decoder:
    def decode_optional(value: Any) -> Any:
        return None if value is None else some(value)

    return decode_optional


def _any_of(decoders: list[Decoder]) -> Decoder:
    def decode_union(value: Any) -> Any:
        problems = []
        for decoder in decoders:
            try:
                return decoder(value)
            except Undecodable as error:
                problems.append(str(error))
        raise Undecodable(" or ".join(problems))

    return decode_union


def _array(item: Decoder) -> Decoder:
    def decode_array(value: Any) -> Any:
        return tuple(map(item, _list(value)))

    return decode_array


def _row(items: list[Decoder]) -> Decoder:
    def decode_row(value: Any) -> Any:
        if len(_list(value)) != len(items):
            raise Undecodable(f"expected {len(items)} values, got {len(value)}")
        return tuple([item(each) for item, each in zip(items, value, strict=True)])

    return decode_row


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise Undecodable(f"expected an array, got {value!r:.40}")
    return value


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise Undecodable(f"expected an object, got {value!r:.40}")
    return value


def _mapping(item: Decoder) -> Decoder:
    def decode_mapping(value: Any) -> Any:
        return {key: item(each) for key, each in _object(value).items()}

    return decode_mapping


def _record(cls: Any) -> Decoder:
    hints = get_type_hints(cls)
    decoders = {name: _decoder(hints[name]) for name in _names(cls)}
    required = {f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING}

    def decode_record(value: Any) -> Any:
        if type(value) is cls:
            return value  # the caller's own object
        if not required <= _object(value).keys():
            raise Undecodable(f"{cls.__name__} lacks {', '.join(sorted(required - value.keys()))}")
        found = {}
        for name, each in value.items():
            if name not in decoders:
                raise Undecodable(f"{cls.__name__} has no {name!r:.40}")
            try:
                found[name] = decoders[name](each)
            except Undecodable as error:
                raise error.within(name) from None
        return cls(**found)

    return decode_record
