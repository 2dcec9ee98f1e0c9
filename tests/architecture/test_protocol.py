"""docs/reference/protocol.md: its examples and tables agree with the messages in the code."""

import ast
import json
import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter
from typing_extensions import get_type_hints

from config import lifespan
from games.domain import match_actions, messages, refusals
from games.net import sockets
from games.routing import websocket_urlpatterns as games_routes
from games.rules.base import SHARED_REFUSALS, IllegalMove
from games.watch import board_messages
from lobby.chat import lines, match_rooms
from lobby.clubs import club_chat
from lobby.routing import websocket_urlpatterns as lobby_routes
from lobby.sockets import messages as lobby_messages
from tools import protocol_types
from tools.harness import shapes

ROOT = Path(__file__).parents[2]

DOCUMENT = (ROOT / "docs" / "reference" / "protocol.md").read_text()
EVERY, SPOKEN = DOCUMENT.split("# The match socket\n")
SPOKEN, TYPES = SPOKEN.split("# The types of all messages\n")
MATCH, TABLES = SPOKEN.split("# The lobby socket")
FROM_CLIENT, FROM_SERVER = MATCH.split("## From the server")
LOBBY, PERSONAL = TABLES.split("# The personal socket")
TO_LOBBY, FROM_LOBBY = LOBBY.split("## From the lobby")
PERSONAL, WATCH = PERSONAL.split("# The watch socket")
TO_PERSONAL, FROM_PERSONAL = PERSONAL.split("## From the personal socket")
WATCH, CHAT = WATCH.split("# The chat socket")
TO_WATCH, FROM_WATCH = WATCH.split("## From the watch socket")
CHAT, CLUB = CHAT.split("# The club socket")
CLUB, STUDY = CLUB.split("# The study socket")
TO_CHAT, FROM_CHAT = CHAT.split("## From the chat socket")
TO_CLUB, FROM_CLUB = CLUB.split("## From the club socket")
TO_STUDY, FROM_STUDY = STUDY.split("## From the study socket")


def examples(text: str) -> list[dict]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]


def by_type(example: dict) -> str:
    return example["type"]


@pytest.mark.parametrize("example", examples(FROM_CLIENT), ids=by_type)
def test_example_from_the_client_is_understood(example):
    assert messages.parse(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_LOBBY), ids=by_type)
def test_example_to_the_lobby_is_understood(example):
    assert lobby_messages.incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_PERSONAL), ids=by_type)
def test_example_to_the_personal_socket_is_understood(example):
    assert lobby_messages.personal_incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_WATCH), ids=by_type)
def test_example_to_the_watch_socket_is_understood(example):
    assert board_messages.incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_CHAT), ids=by_type)
def test_example_to_the_chat_socket_is_understood(example):
    assert lobby_messages.talk_incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(TO_CLUB), ids=by_type)
def test_example_to_the_club_socket_is_understood(example):
    assert lobby_messages.club_incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(FROM_CLUB), ids=by_type)
def test_example_from_the_club_socket_has_the_declared_shape(example):
    shapes.check(example, shapes.CLUB)


@pytest.mark.parametrize("example", examples(TO_STUDY), ids=by_type)
def test_example_to_the_study_socket_is_understood(example):
    assert lobby_messages.study_incoming.validate_json(json.dumps(example)).model_dump() == example


@pytest.mark.parametrize("example", examples(FROM_STUDY), ids=by_type)
def test_example_from_the_study_socket_has_the_declared_shape(example):
    shapes.check(example, shapes.STUDY)


@pytest.mark.parametrize("example", examples(FROM_CHAT), ids=by_type)
def test_example_from_the_chat_socket_has_the_declared_shape(example):
    shapes.check(example, shapes.CHAT)


@pytest.mark.parametrize("example", examples(FROM_WATCH), ids=by_type)
def test_example_from_the_watch_socket_has_the_declared_shape(example):
    shapes.check(example, shapes.WATCH)


@pytest.mark.parametrize("example", examples(FROM_SERVER), ids=by_type)
def test_example_from_the_server_has_the_declared_shape(example):
    shapes.check(example, shapes.MATCH)


@pytest.mark.parametrize("example", examples(FROM_LOBBY), ids=by_type)
def test_example_from_the_lobby_has_the_declared_shape(example):
    shapes.check(example, shapes.LOBBY)


@pytest.mark.parametrize("example", examples(FROM_PERSONAL), ids=by_type)
def test_example_from_the_personal_socket_has_the_declared_shape(example):
    shapes.check(example, shapes.PERSONAL)


@pytest.mark.parametrize(
    ("text", "incoming"),
    [
        (FROM_CLIENT, messages.Incoming),
        (TO_LOBBY, lobby_messages.Incoming),
        (TO_PERSONAL, lobby_messages.PersonalIncoming),
        (TO_WATCH, board_messages.Incoming),
        (TO_CHAT, lobby_messages.TalkIncoming),
        (TO_CLUB, lobby_messages.ClubIncoming),
        (TO_STUDY, lobby_messages.StudyIncoming),
    ],
)
def test_every_message_of_a_client_has_an_example(text, incoming):
    types = {get_args(message.model_fields["type"].annotation)[0] for message in get_args(incoming)}
    assert {example["type"] for example in examples(text)} == types - {"ping"}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (FROM_SERVER, shapes.MATCH),
        (FROM_LOBBY, shapes.LOBBY),
        (FROM_PERSONAL, shapes.PERSONAL),
        (FROM_WATCH, shapes.WATCH),
        (FROM_CHAT, shapes.CHAT),
        (FROM_CLUB, shapes.CLUB),
        (FROM_STUDY, shapes.STUDY),
    ],
)
def test_every_message_of_a_server_has_an_example(text, known):
    assert {example["type"] for example in examples(text)} == set(known) - {"error"}


@pytest.mark.parametrize(
    "incoming",
    [
        messages.Incoming,
        lobby_messages.Incoming,
        lobby_messages.PersonalIncoming,
        board_messages.Incoming,
        lobby_messages.TalkIncoming,
        lobby_messages.ClubIncoming,
        lobby_messages.StudyIncoming,
    ],
)
def test_common_messages_documented_once(incoming):
    ping, error = examples(EVERY)
    assert TypeAdapter(incoming).validate_python(ping).model_dump() == ping
    known_shapes = (shapes.MATCH, shapes.LOBBY, shapes.PERSONAL, shapes.WATCH)
    for known in (*known_shapes, shapes.CHAT, shapes.CLUB, shapes.STUDY):
        shapes.check(error, known)


def test_types_are_those_of_the_server():
    assert protocol_types.written(DOCUMENT) == DOCUMENT, "run `python -m tools.protocol_types`"


def test_browser_modules_are_held_against_the_same_types():
    written = protocol_types.DECLARATIONS.read_text()
    assert written == protocol_types.declared(), "run `python -m tools.protocol_types`"


def test_a_field_that_may_be_null_or_absent_says_so():
    text = protocol_types.block_of(messages.Outgoing)
    assert "  legal?: string[]\n" in text
    assert '  halted: "paused" | "saved" | null\n' in text


# Codes


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the table whose first line begins with a heading, row by row."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None, heading
    return [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table[1].splitlines()]


def codes(text: str, heading: str) -> set[str]:
    """The codes in the first column of a table."""
    return {code for cells in rows(text, heading) for code in re.findall(r"`([^`]+)`", cells[0])}


def trees(*patterns: str) -> list[ast.Module]:
    """The sources under the given names."""
    return [ast.parse(path.read_text()) for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def calls(tree: ast.AST, *names: str) -> list[ast.Call]:
    """The calls of functions with these names."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")) in names
    ]


def heirs(error: type[Exception]) -> list[type[Exception]]:
    """All classes that inherit from one of the service's errors."""
    return [heir for child in error.__subclasses__() for heir in (child, *heirs(child))]


def illegal(*patterns: str) -> set[str]:
    """The codes of the classes of illegal moves in some sources; each is written out."""
    made = [
        call
        for tree in trees(*patterns)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and {"IllegalMove"} & {getattr(base, "id", "") for base in node.bases}
        for call in calls(node, "__init__")
    ]
    return {ast.literal_eval(call.args[0]) for call in made}


OF_DICE_AND_LEAVING = {"no-dice-due", "wrong-dice", "no-such-seat"}
"""Shared codes for throws and departures, which are the server's to make: no message leads to them."""
REFUSALS = {heir for heir in heirs(refusals.Refused) if heir.__module__ == refusals.__name__}
REFUSALS -= {refusals.UnknownMatch}  # after which there is no socket any more
OF_THE_SERVICE = {refusal.code for refusal in REFUSALS} | illegal(  # type: ignore[attr-defined]
    "games/domain/*.py", "games/play/*.py", "games/rules/base.py"
)
OF_THE_SERVICE |= set(SHARED_REFUSALS) - OF_DICE_AND_LEAVING


def malformed() -> set[str]:
    """The codes of what is no message."""
    made = [call for tree in trees("games/domain/messages.py") for call in calls(tree, "Malformed")]
    return {ast.literal_eval(call.args[0]) for call in made}


def test_every_class_of_illegal_moves_is_looked_at():
    assert {heir.__module__ for heir in heirs(IllegalMove)} <= {
        "games.domain.match_actions",
        "games.rules.base",
        "games.domain.clock",
    }


@pytest.mark.all_games
def test_an_illegal_move_is_made_by_its_class_or_with_a_listed_code():
    found = [call for tree in trees("games/**/*.py") for call in calls(tree, "IllegalMove")]
    assert [ast.unparse(call) for call in found] == ["IllegalMove(code, sentences[code], **params)"]


def test_every_refusal_of_the_service_is_in_the_table_and_no_other():
    assert codes(FROM_SERVER, "code") == OF_THE_SERVICE | malformed()


def said(module) -> set[str]:
    """The codes of what a chat does not say."""
    return {heir.code for heir in heirs(lines.ChatError) if heir.__module__ == module.__name__}  # type: ignore[attr-defined]


def test_every_refusal_of_a_chat_is_in_its_table_and_no_other():
    assert codes(FROM_LOBBY, "code") == said(lines)
    assert codes(FROM_CHAT, "code") == said(match_rooms)
    assert codes(FROM_CLUB, "code") == said(club_chat)


# How sockets end


def closings() -> set[tuple[int, str]]:
    """Every close code with what is said before, where the source says it in so many words."""
    found = [
        call
        for tree in trees("games/**/*.py", "lobby/**/*.py", "config/**/*.py")
        for name in ("close_with", "end_with")
        for call in calls(tree, name)
    ]
    return {
        (getattr(sockets, call.args[0].id), ast.literal_eval(call.args[1]))  # type: ignore[attr-defined]
        for call in found
        if isinstance(call.args[1], ast.Constant)
    } | {(sockets.CLOSE_SIGNED_OUT, error) for error in sockets.SESSION_ENDED}


def documented_closings() -> dict[int, list[str]]:
    """The close codes of our own in the document, with the errors of each."""
    return {
        int(code): re.findall(r"`([^`]+)`", cells[1])
        for cells in rows(EVERY, "close code")
        for code in cells[0].split(", ")
        if int(code) >= 4000
    }


def test_close_codes_are_the_servers_and_no_others():
    constants = {value for name, value in vars(sockets).items() if name.startswith("CLOSE_")}
    assert documented_closings().keys() == constants
    assert lifespan.CLOSE_RESTART == sockets.CLOSE_RESTART


def test_errors_before_a_close_are_the_servers_and_no_others():
    assert {(code, error) for code, errors in documented_closings().items() for error in errors} == closings()


def test_a_refusal_made_elsewhere_ends_the_connection():
    # Other interfaces have refusals of their own, beside those of the service and of its sockets.
    ours = [heir for heir in heirs(refusals.Refused) if heir.__module__.startswith("games.watch.")]
    elsewhere = {heir.code for heir in (*ours, refusals.UnknownMatch)}  # type: ignore[attr-defined]
    assert elsewhere <= {error for _, error in closings()}


def test_not_shown_codes_documented():
    known = get_args(get_type_hints(board_messages.NotShown)["code"])
    assert {code for code in known if f"`{code}`" not in FROM_WATCH} == set()


def test_every_act_is_in_the_table_and_no_other():
    assert {code.partition(":")[0] for code in codes(FROM_SERVER, "action")} == set(match_actions.KINDS)


def test_every_offer_is_in_the_table_and_no_other():
    assert codes(FROM_CLIENT, "kind") == set(get_args(messages.OfferKind))


# Version


def test_the_version_is_the_servers_and_the_browsers():
    browsers = re.search(r'PROTOCOL = "(.*)"', (ROOT / "static" / "net" / "socket.js").read_text())
    assert browsers is not None
    assert {sockets.PROTOCOL, browsers[1]} == set(re.findall(r"parlour\.v\d+", DOCUMENT))


def test_every_preset_is_in_the_document():
    assert {key for key in match_rooms.PRESETS if f"`{key}`" not in TO_CHAT} == set()


def test_every_socket_is_in_the_list():
    listed = re.findall(r"^    GET (/ws/\S+) {2,}\w", EVERY, re.MULTILINE)
    routes = [f"/{re.sub('<str:.*?>', '<>', str(route.pattern))}" for route in [*games_routes, *lobby_routes]]
    assert sorted(re.sub("<.*?>", "<>", each) for each in listed) == sorted(routes)


def test_pages_carry_the_feeds_of_the_table_which_all_have_sockets_of_their_own():
    carried = [route.callback.consumer_initkwargs["feeds"] for route in [*games_routes, *lobby_routes]]
    alone = {feeds[""] for feeds in carried if "" in feeds}
    of_pages = {name: kind for feeds in carried for name, kind in feeds.items() if name}
    assert of_pages.keys() == codes(EVERY, "feed")
    assert set(of_pages.values()) == alone
