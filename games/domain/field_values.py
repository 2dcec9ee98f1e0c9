"""JSON values as short words without spaces, for positions.

Words need no quotation marks, lists of two or more values no outer brackets, and equal values are counted:
`4*6,0` is [4, 4, 4, 4, 4, 4, 0]. All JSON without spaces is read, too.
"""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import Any

import orjson

_WORD = re.compile(r"(?!(?:true|false|null)$)[A-Za-z.][A-Za-z0-9._-]*")
_SCALAR = re.compile(r'(?P<scalar>"(?:[^"\\]|\\.)*"|[^\s",:*\[\]{}]+)(?:\*(?P<times>[0-9]{1,2}))?')
_TOO_LARGE = re.compile("[0-9]{10}")
_FEWEST_COUNTED = 3


def written(value: Any) -> str:
    """The text of a value that JSON has."""
    text = _nested(value)
    return text[1:-1] if isinstance(value, list) and len(value) > 1 else text


def read(text: str) -> Any:
    """The value of a text. Raises `ValueError`."""
    if _TOO_LARGE.search(text):
        raise ValueError("a number has at most nine digits")
    values = orjson.loads(f"[{_SCALAR.sub(_as_json, text)}]")
    return values[0] if len(values) == 1 else values


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{_row(value)}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{_nested(name)}:{_nested(each)}" for name, each in value.items()) + "}"
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    return json.dumps(value).replace(" ", r"\u0020")


def _row(values: list[Any]) -> str:
    parts: list[str] = []
    for text, equal in groupby(map(_nested, values)):
        times = len(list(equal))
        counted = times >= _FEWEST_COUNTED and _SCALAR.fullmatch(text)
        parts += [f"{text}*{times}"] if counted else [text] * times
    return ",".join(parts)


def _as_json(found: re.Match[str]) -> str:
    scalar = found["scalar"]
    quoted = f'"{scalar}"' if _WORD.fullmatch(scalar) else scalar
    return ",".join([quoted] * int(found["times"] or 1))
