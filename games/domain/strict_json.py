"""JSON from outside. An object with a name twice is refused, since parsers disagree about its value."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

REPEATED = "repeated_name"
"""The type of the validation error."""

M = TypeVar("M", bound=BaseModel)


class RepeatedName(ValueError):
    """An object has the name `name` twice."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The name {name!r} appears twice in an object.")
        self.name = name


def loads(text: str | bytes) -> Any:
    """Parse JSON in UTF-8. Raises `RepeatedName`, or `ValueError` if it is none."""
    return _decoder.decode(text if isinstance(text, str) else text.decode())


def model(shape: type[M], text: str | bytes) -> M:
    """Parse JSON as a model. Raises `ValidationError`; its type is `REPEATED` for a repeated name."""
    found = shape.model_validate_json(text)
    _check(text)
    return found


def adapted(adapter: TypeAdapter[Any], text: str | bytes) -> Any:
    """As `model`, with an adapter."""
    found = adapter.validate_json(text)
    _check(text)
    return found


def _check(text: str | bytes) -> None:
    try:
        loads(text)
    except RepeatedName as error:
        kind = PydanticCustomError(REPEATED, "This name appears twice")
        problem = InitErrorDetails(type=kind, loc=(error.name,), input=error.name)
        raise ValidationError.from_exception_data("JSON", [problem]) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise RepeatedName(next(name for name in names if names.count(name) > 1))
    return found


# `json.loads` would make one for every message.
_decoder = json.JSONDecoder(object_pairs_hook=_once)
