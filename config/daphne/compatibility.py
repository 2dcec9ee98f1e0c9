"""What this package needs of daphne, Twisted and autobahn, and the check that it exists.

All of it is private or undocumented, so any release may change it. A hook that a library no longer calls
fails silently, so untested versions are refused as well.

Importing this module does not install Twisted's reactor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from types import CodeType
from typing import Any

from django.core.exceptions import ImproperlyConfigured

VERSIONS = {"daphne": ((4, 2), (4, 3)), "Twisted": ((26,), (27,)), "autobahn": ((26,), (27,))}
"""The tested versions of each library: from the first, up to but not including the second."""

DIRECT_WRITE = "direct write"
SHORT_FRAMES = "short frames"

REQUEST, CHANNEL = "twisted.web.http:Request", "twisted.web.http:HTTPChannel"
TRANSPORT = "twisted.internet.abstract:FileDescriptor"
WEB_REQUEST = "daphne.http_protocol:WebRequest"
WEBSOCKET = "daphne.ws_protocol:WebSocketProtocol"
ADAPTER = "autobahn.twisted.websocket:WebSocketAdapterProtocol"
FRAMES = "autobahn.websocket.protocol:WebSocketProtocol"


class IncompatibleLibrary(ImproperlyConfigured):
    """A library lacks something that a required feature depends on, or its version is untested."""


@dataclass(frozen=True)
class Feature:
    """A change that this package makes.

    Attributes:
        needs: what it depends on, as `module:Class.attribute`. `module:Class.method uses name` is an
            attribute or key that only instances have: that method of the library names it.
        optional: the server does without it if something is missing; otherwise it does not start.
    """

    name: str
    needs: tuple[str, ...]
    optional: bool = False


FEATURES = (
    Feature(
        "body limit",
        (
            f"{REQUEST}.__init__ uses parsePOSTFormSubmission",
            f"{REQUEST}.gotLength",
            f"{REQUEST}.handleContentChunk",
            f"{REQUEST}.requestReceived",
            f"{REQUEST}.gotLength uses content",
            "twisted.web.http:_MalformedChunkedDataError",
        ),
    ),
    Feature(
        "trusted headers",
        (
            f"{WEB_REQUEST}.process",
            f"{WEB_REQUEST}.basic_error",
            f"{REQUEST}.parseCookies uses requestHeaders",
            f"{CHANNEL}.persistent",
        ),
    ),
    Feature(
        "connection limits, request deadlines",
        (
            *(f"{CHANNEL}.{name}" for name in ("connectionMade", "dataReceived", "headerReceived")),
            *(f"{CHANNEL}.{name}" for name in ("allHeadersReceived", "allContentReceived")),
            *(f"{CHANNEL}.{name}" for name in ("connectionLost", "loseConnection", "timeoutConnection")),
            *(f"{CHANNEL}.{name}" for name in ("_respondToBadRequestAndDisconnect", "setTimeout")),
            f"{CHANNEL}.__init__ uses requests",
            f"{CHANNEL}.requestFactory",
            "daphne.http_protocol:HTTPFactory.buildProtocol uses requestFactory",
            "twisted.web.http:HTTPFactory.buildProtocol uses timeOut",
            "daphne.server:Server.run uses http_factory",
        ),
    ),
    Feature(
        "slow readers",
        (
            f"{WEB_REQUEST}.handle_reply",
            f"{WEB_REQUEST}.check_timeouts",
            f"{WEB_REQUEST}.handle_reply uses _response_started",
            f"{WEB_REQUEST}.finish",
            f"{WEB_REQUEST}.connectionLost",
            f"{REQUEST}.registerProducer uses producer",
            f"{REQUEST}.unregisterProducer",
            f"{REQUEST}.setResponseCode",
            f"{CHANNEL}.forceAbortClient",
            "daphne.server:Server.handle_reply",
        ),
    ),
    Feature(
        "close frames that arrive",
        (
            f"{ADAPTER}._closeConnection",
            f"{FRAMES}.sendCloseFrame uses closedByMe",
            f"{FRAMES}._connectionMade uses state",
            *(f"{FRAMES}.STATE_{name}" for name in ("CONNECTING", "OPEN", "CLOSING", "CLOSED")),
            f"{ADAPTER}.dataReceived",
            f"{ADAPTER}.connectionLost",
            f"{WEBSOCKET}.onMessage",
            f"{WEBSOCKET}.onClose",
            f"{WEBSOCKET}.onConnect uses server",
            f"{WEBSOCKET}.serverReject",
            f"{WEBSOCKET}.serverReject uses handshake_deferred",
            "daphne.server:Server.run uses ws_factory",
        ),
    ),
    Feature(
        "frame limit",
        (f"{FRAMES}.onFrameBegin", f"{FRAMES}.processData uses current_frame", f"{FRAMES}.dropConnection"),
    ),
    Feature(
        "reference cycles",
        (
            f"{FRAMES}.__init__ uses is_closed",
            f"{CHANNEL}.__init__ uses requests",
            "twisted.internet.abstract:FileDescriptor.unregisterProducer",
        ),
    ),
    Feature(
        "reset connections",
        (
            "twisted.internet.asyncioreactor:AsyncioSelectorReactor.addReader",
            "twisted.internet.asyncioreactor:AsyncioSelectorReactor.addWriter",
        ),
    ),
    Feature(
        "monotonic clock",
        (
            *(f"daphne.{module}:time" for module in ("http_protocol", "server", "ws_protocol")),
            "twisted.internet.base:ReactorBase.seconds",
            f"{WEBSOCKET}.check_timeouts uses last_ping",
        ),
    ),
    Feature(
        "graceful shutdown",
        (
            "autobahn.websocket.protocol:WebSocketServerProtocol.sendHttpErrorResponse",
            f"{FRAMES}.sendData",
            f"{WEBSOCKET}.onConnect",
            "daphne.server:Server.stop",
            "daphne.server:Server.run uses connections",
            "daphne.server:Server.__init__ uses listening_addresses",
            "daphne.server:Server.__init__ uses abort_start",
            "daphne.server:Server.create_application uses application_instance",
            "daphne.server:Server.protocol_disconnected uses disconnected",
        ),
    ),
    Feature(
        "receive queue",
        (
            "daphne.server:Server.create_application",
            f"{WEBSOCKET}.applicationCreateWorked uses put_nowait",
        ),
    ),
    Feature(
        DIRECT_WRITE,
        (
            "twisted.internet.tcp:Connection.__init__ uses socket",
            f"{TRANSPORT}.connected",
            f"{TRANSPORT}.disconnecting",
            f"{TRANSPORT}.dataBuffer",
            f"{TRANSPORT}.__init__ uses _tempDataBuffer",
            f"{TRANSPORT}.__init__ uses _tempDataLen",
        ),
        optional=True,
    ),
    Feature(
        SHORT_FRAMES,
        (
            f"{FRAMES}._connectionMade uses data",
            f"{FRAMES}.processData uses inside_message",
            f"{FRAMES}._connectionMade uses autoPingTimeoutCall",
            f"{FRAMES}._cancelAutoPingTimeoutCall",
        ),
        optional=True,
    ),
)


def check() -> list[str]:
    """The names of the features that can be used.

    Raises:
        IncompatibleLibrary: a required feature cannot be used, or a library has an untested version.
    """
    problems = list(untested())
    usable = []
    for feature in FEATURES:
        missing = [need for need in feature.needs if not exists(need)]
        if not missing:
            usable.append(feature.name)
        elif not feature.optional:
            problems += [f"{feature.name} needs {need}" for need in missing]
    if problems:
        raise IncompatibleLibrary(f"This server cannot be secured: {'; '.join(problems)}.")
    return usable


def untested() -> Iterator[str]:
    """A sentence for each library with an untested version."""
    for library, (first, end) in VERSIONS.items():
        installed = version(library)
        numbers = tuple(int(part) for part in installed.split(".")[:2] if part.isdecimal())
        if not first <= numbers < end:
            at_least, below = (".".join(map(str, bound)) for bound in (first, end))
            yield f"{library} {installed} is not tested, only {at_least} up to but without {below}"


def exists(need: str) -> bool:
    """Whether the libraries have what an entry of `Feature.needs` names."""
    path, _, name = need.partition(" uses ")
    module, _, attributes = path.partition(":")
    found: Any = import_module(module)
    for attribute in attributes.split("."):
        if not hasattr(found, attribute):
            return False
        found = getattr(found, attribute)
    return not name or name in _names(found.__code__)


def _names(code: CodeType) -> set[str]:
    """The names that a function uses: attributes, variables and strings, also in nested functions."""
    strings = {const for const in code.co_consts if isinstance(const, str)}
    nested = (const for const in code.co_consts if isinstance(const, CodeType))
    return {*code.co_names, *code.co_varnames, *strings, *(name for each in nested for name in _names(each))}
