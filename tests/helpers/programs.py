"""Programs at a running server, as somebody else would write them: tokens, requests, streams."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema_rs

from games.api.scopes import SCOPES
from tools.harness import shapes, subprocess_call
from tools.harness.patience import patience
from tools.harness.people import command_id
from tools.harness.servers import ParlourServer

SECONDS = 30


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request was answered; header names in lower case."""

    status: int
    headers: dict[str, str]
    fields: Any

    @property
    def refusal(self) -> tuple[int, str]:
        """Status and code of a problem."""
        assert self.headers["content-type"] == "application/problem+json", self
        assert self.fields["status"] == self.status
        return self.status, self.fields["code"]


class Program:
    """Whoever has a token, or nobody in particular without one."""

    def __init__(self, server: ParlourServer, token: str = "", **headers: str) -> None:
        self.server, self.token = server, token
        self._headers = dict(headers)
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Reply:
        return self.ask("GET", path)

    def post(self, path: str, **body: Any) -> Reply:
        return self.ask("POST", path, body or None)

    def command(self, match_id: str, **command: Any) -> Reply:
        """Send a command of the match socket."""
        return self.post(f"/matches/{match_id}/commands", **{"id": command_id(), **command})

    def ask(self, method: str, path: str, body: Any = None) -> Reply:
        """Send a request; text goes as it is, all else as JSON."""
        with self._open(method, path, body) as answer:
            text = answer.read()
            headers = {name.lower(): value for name, value in answer.headers.items()}
            reply = Reply(answer.status, headers, json.loads(text) if text else None)
        _check(method, path, reply)
        return reply

    @contextmanager
    def stream(self, path: str) -> Iterator[Iterator[dict[str, Any]]]:
        """The messages of a stream, without the empty lines."""
        with self._open("GET", path, None) as answer:
            assert answer.headers["Content-Type"] == "application/x-ndjson", answer.read()
            of = shapes.EVENTS if path.startswith("/events") else shapes.MATCH
            yield (_checked(json.loads(line), of) for line in answer if line.strip())

    def _open(self, method: str, path: str, body: Any) -> Any:
        data = body.encode() if isinstance(body, str) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.server.url}/api/v1{path}", data, self._headers, method=method
        )
        try:
            return _opener.open(request, timeout=patience(SECONDS))
        except urllib.error.HTTPError as error:
            return error


def _checked(message: dict[str, Any], of: Any) -> dict[str, Any]:
    shapes.check(message, of)
    return message


@cache
def _document() -> dict[str, Any]:
    # The settings of the test are not those of the server, and what it offers is the same.
    from config.api import api

    document: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema()))
    return document


def _check(method: str, path: str, reply: Reply) -> None:
    """No test needs to ask for it: whatever is answered is as the document says."""
    for template, operations in _document()["paths"].items():
        pattern = re.sub(r"\{[^}]+\}", "[^/]+", template.removeprefix("/api/v1"))
        if re.fullmatch(pattern, path.partition("?")[0]) and method.lower() in operations:
            answers = operations[method.lower()]["responses"]
            answer = answers.get(str(reply.status), answers["default"])
            content = answer.get("content", {}).get(reply.headers.get("content-type", ""))
            assert content or reply.fields is None, f"{method} {path} is not described: {reply}"
            if content:
                schema = {**content["schema"], "components": _document()["components"]}
                jsonschema_rs.validate(schema, reply.fields)


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def until(messages: Iterator[dict[str, Any]], *types: str) -> dict[str, Any]:
    """The next message of one of these types."""
    return next(message for message in messages if message["type"] in types)


def programs(server: ParlourServer, *names: str, scopes: Any = tuple(SCOPES)) -> list[Program]:
    """Programs of people of these names, who are made if there are none yet."""
    tokens: Mapping[str, str] = subprocess_call.call(server.database_url, _tokens, names, list(scopes))
    return [Program(server, tokens[name]) for name in names]


def _tokens(names: list[str], scopes: list[str]) -> dict[str, str]:
    from lobby.people.models import User
    from lobby.tokens import tokens

    people = {name: User.objects.get_or_create(username=name)[0] for name in names}
    return {name: tokens.make(user, "test", scopes) for name, user in people.items()}
