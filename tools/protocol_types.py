"""Writes the types of all messages: `python -m tools.protocol_types`.

They go into docs/reference/protocol.md for readers, and into types/messages.d.ts for the browser modules.

They come from the server's validation models, so the document has exactly their names and fields, and which
of them may be null or absent. A test fails if it is out of date.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter

from games.domain import messages
from games.watch import board_messages
from lobby.sockets import messages as lobby_messages

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "reference" / "protocol.md"
DECLARATIONS = ROOT / "types" / "messages.d.ts"
LONGEST_LINE = 100

PATTERNS = {
    r"^[A-Za-z0-9_-]{8,64}$": "8 to 64 of A-Z a-z 0-9 _ -",
    messages.PRINTABLE: "none that controls",
    r"^[A-Za-z0-9_.-]{1,12}(>[A-Za-z0-9_.-]{1,12})?$": "place or place>place",
}
"""Regular expressions described for readers."""

BLOCKS: dict[str, Any] = {
    "To every socket": messages.Ping,
    "From every socket": messages.Error,
    "To the match socket": messages.Incoming,
    "From the match socket": messages.Outgoing,
    "To the lobby socket": lobby_messages.Incoming,
    "From the lobby socket": lobby_messages.Outgoing,
    "To the personal socket": lobby_messages.PersonalIncoming,
    "From the personal socket": lobby_messages.Personal,
    "To the watch socket": board_messages.Incoming,
    "From the watch socket": board_messages.Outgoing,
    "To the chat socket": lobby_messages.TalkIncoming,
    "From the chat socket": lobby_messages.MatchTalk,
    "To the club socket": lobby_messages.ClubIncoming,
    "From the club socket": lobby_messages.ClubTalk,
    "To the study socket": lobby_messages.StudyIncoming,
    "From the study socket": lobby_messages.StudyTalk,
}
"""The messages under each heading of the document."""
OF_ALL = ("Ping", "Error")
"""Messages of every socket; they have headings of their own."""


def written(document: str) -> str:
    """The document with current types. Raises ValueError if a heading is missing."""
    for heading, union in BLOCKS.items():
        found = re.search(rf"### {heading}\n\n```ts\n(.*?)```\n", document, re.DOTALL)
        if found is None:
            raise ValueError(f"docs/reference/protocol.md has no block under “{heading}”")
        types = block_of(union, _without(heading))
        document = document[: found.start(1)] + types + document[found.end(1) :]
    return document


def declared() -> str:
    """The same types for the browser modules.

    They are named `FromLobby.TableFields`; `FromLobby.Message` is any of them.
    """
    namespaces = "".join(_namespace(heading, union) for heading, union in BLOCKS.items())
    return (
        "/** The messages of docs/reference/protocol.md. Written by `python -m tools.protocol_types`. */\n\n"
        f"type int = number;\n{namespaces}"
    )


def _namespace(heading: str, union: Any) -> str:
    direction, *_, socket, last = heading.split()
    name = direction + (socket if last == "socket" and socket != "every" else "every").title()
    # Fields that the protocol leaves to the game have the page's own types.
    types = re.sub(r"\b(state|start)(\??): object", r"\1\2: Boards.State", block_of(union, _without(heading)))
    types = types.replace("events: object[]", "events: Boards.Event[]")
    members = [message.__name__ for message in get_args(union) if message.__name__ not in OF_ALL]
    if members:
        members.append("ToEvery.Ping" if direction == "To" else "FromEvery.Error")
        types += f"type Message = {' | '.join(members)}\n"
    return f"\ndeclare namespace {name} {{\n{textwrap.indent(types, '  ')}}}\n"


def _without(heading: str) -> tuple[str, ...]:
    """The messages that are described elsewhere."""
    return () if heading.endswith("every socket") else OF_ALL


def block_of(union: Any, without: tuple[str, ...] = ()) -> str:
    """The types of a union of messages in TypeScript, without some of its messages."""
    schema = TypeAdapter(union).json_schema(ref_template="{model}")
    definitions = schema.get("$defs") or {schema["title"]: schema}
    return "".join(_definition(name, fields) for name, fields in definitions.items() if name not in without)


def _definition(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    # Otherwise inherited fields come before the type.
    properties = sorted(schema["properties"].items(), key=lambda field: field[0] != "type")
    fields = [f"{field}{'' if field in required else '?'}: {_type(what)}" for field, what in properties]
    line = f"type {name} = {{ {'; '.join(fields)} }}\n"
    if len(line) <= LONGEST_LINE:
        return line
    return f"type {name} = {{\n" + "".join(f"  {field}\n" for field in fields) + "}\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if either := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(map(_type, either))
    if schema["type"] == "array":
        return _array(schema)
    if schema["type"] == "object":
        return _mapping(schema)
    name = "int" if schema["type"] == "integer" else schema["type"]
    return f"{name}{_limits(schema)}"


def _array(schema: dict[str, Any]) -> str:
    items = _type(schema["items"])
    most = f" /* {schema['maxItems']} at most */" if "maxItems" in schema else ""
    return (f"({items})[]" if " " in items else f"{items}[]") + most


def _mapping(schema: dict[str, Any]) -> str:
    values = schema["additionalProperties"]
    return "object" if values is True else f"{{ [name: string]: {_type(values)} }}"


def _limits(schema: dict[str, Any]) -> str:
    """Constraints on numbers and strings, as a comment."""
    said = []
    if "minimum" in schema:
        said.append(f"{schema['minimum']:,} to {schema['maximum']:,}")
    if "maxLength" in schema:
        said.append(f"{schema.get('minLength', 0)} to {schema['maxLength']:,} characters")
    if "pattern" in schema:
        said.append(PATTERNS.get(schema["pattern"], schema["pattern"]))
    return f" /* {', '.join(said)} */" if said else ""


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text()))
    DECLARATIONS.write_text(declared())
