"""The API reference page, generated from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from ninja.openapi.schema import REF_TEMPLATE

from config.api import api
from games.api.scopes import SCOPES

Schema = dict[str, Any]
INDENT = "  "


class Parameter(NamedTuple):
    """A path or query parameter; `kind` is its type in words."""

    name: str
    kind: str
    where: str
    description: str


class Operation(NamedTuple):
    """One operation of the API.

    `body` and `answer` are sketches of their JSON, "" if there is none. Every second piece of a paragraph is
    code.
    """

    id: str
    method: str
    path: str
    summary: str
    paragraphs: list[list[str]]
    scope: str
    parameters: list[Parameter]
    body: str
    answer: str
    status: str


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """All operations by tag, and the scopes of tokens."""
    context = {"chapters": _chapters(), "scopes": SCOPES, "address": request.build_absolute_uri("/api/v1")}
    return render(request, "programs/api.html", context)


@cache
def _chapters() -> dict[str, list[Operation]]:
    document = api.get_openapi_schema()
    chapters: dict[str, list[Operation]] = {}
    for path, operations in document["paths"].items():
        for method, details in operations.items():
            operation = _operation(document, path, method, details)
            chapters.setdefault(details["tags"][0], []).append(operation)
    return chapters


def _operation(document: Schema, path: str, method: str, details: Schema) -> Operation:
    status, answer = next(
        (status, each) for status, each in details["responses"].items() if status != "default"
    )
    body = details.get("requestBody")
    scopes = [scope for each in details["security"] for scope in each.get("Token", ())]
    return Operation(
        id=details["operationId"],
        method=method.upper(),
        path=path,
        summary=details["summary"],
        paragraphs=[part.split("`") for part in details["description"].split("\n\n")],
        scope=next(iter(scopes), ""),
        parameters=[_parameter(document, each) for each in details["parameters"]],
        body="" if body is None else _content(document, body),
        answer=_content(document, answer),
        status=f"{status} {HTTPStatus(status).phrase}",
    )


def _parameter(document: Schema, parameter: Schema) -> Parameter:
    kind = "".join(_sketch(document, {**parameter["schema"], "title": ""}, ""))
    return Parameter(parameter["name"], kind, parameter["in"], parameter.get("description", ""))


def _content(document: Schema, part: Schema) -> str:
    """The JSON sketch of a request or response body; streams, which are described in words, have none."""
    schema = part.get("content", {}).get("application/json", {}).get("schema")
    return "" if schema is None else "".join(_sketch(document, schema, ""))


def _sketch(document: Schema, schema: Schema, indent: str) -> Iterator[str]:
    """A schema as JSON, with types in place of values."""
    schema = _resolved(document, schema)
    choices = schema.get("oneOf") or schema.get("anyOf")
    if choices:
        yield f"\n{indent}or " if any(_is_object(document, each) for each in choices) else ""
        separator = ""
        for choice in choices:
            yield separator
            yield from _sketch(document, choice, indent)
            separator = f"\n{indent}or " if _is_object(document, choice) else " or "
    elif "const" in schema:
        yield f'"{schema["const"]}"'
    elif "enum" in schema:
        yield " or ".join(f'"{value}"' for value in schema["enum"])
    elif schema.get("type") == "array":
        yield "["
        yield from _sketch(
            document, schema.get("items") or next(iter(schema.get("prefixItems", [{}]))), indent
        )
        yield ", …]"
    elif "properties" in schema:
        yield from _object(document, schema, indent)
    else:
        yield {"object": "{…}"}.get(schema.get("type", ""), str(schema.get("type", "any")))


def _object(document: Schema, schema: Schema, indent: str) -> Iterator[str]:
    required = schema.get("required", ())
    yield "{"
    for name, value in schema["properties"].items():
        yield f'\n{indent}{INDENT}"{name}"{"" if name in required else "?"}: '
        yield from _sketch(document, value, indent + INDENT)
    yield f"\n{indent}}}"


def _resolved(document: Schema, schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    found: Schema = document["components"]["schemas"][
        schema["$ref"].removeprefix(REF_TEMPLATE.format(model=""))
    ]
    return found


def _is_object(document: Schema, schema: Schema) -> bool:
    return "properties" in _resolved(document, schema)
