"""A scenario with users on two servers: lines and moves of one must arrive at the other."""

from __future__ import annotations

import time

from tools.harness.patience import patience
from tools.harness.people import Socket, command_id, plies_up_to, seat_two
from tools.harness.servers import ParlourServer

HEARD_WITHIN = 5.0
"""Seconds until a message from one server is known at the other, once both reach Redis."""


class Evening:
    """Two users on different servers who play a match and chat, in its room and in the lobby."""

    def __init__(self, servers: list[ParlourServer]) -> None:
        *people, match = seat_two(servers[0])
        pairs = list(zip(people, servers, strict=True))
        self._boards = [person.watch(match, server) for person, server in pairs]
        self._rooms = [person.talk(match, server) for person, server in pairs]
        self._lobbies = [person.lobby(server) for person, server in pairs]
        for lobby in self._lobbies:
            lobby.send({"type": "chat"})
            lobby.next("chat")
        self._ply, self._turn, self._legal = 0, 0, self._boards[0].snapshot["legal"]
        self._said: list[list[str]] = []

    def close(self) -> None:
        """Close all sockets."""
        for socket in [*self._boards, *self._rooms, *self._lobbies]:
            socket.close()

    def move(self) -> None:
        """The player on turn moves, and the opponent receives the ply."""
        answer = self._boards[self._turn].move(self._ply, self._legal[0])
        began = time.monotonic()
        assert answer["type"] == "accepted"
        self._ply = answer["ply"]
        heard = [plies_up_to(board, self._ply) for board in self._boards]
        in_time(began, f"ply {self._ply}")
        self._turn = heard[0]["plies"][-1]["state"]["turn"]
        self._legal = heard[self._turn]["legal"]

    def talk(self) -> list[str]:
        """Each user sends a line, one in the room and the other in the lobby; returns the lines."""
        # Unique texts: the lobby still has the lines of the last scenario.
        said = [command_id(), command_id()]
        room = {"type": "say", "id": said[0], "room": "players", "text": said[0]}
        assert self._rooms[0].ask(room)["type"] == "accepted"
        lobby = {"type": "say", "id": said[1], "text": said[1]}
        assert self._lobbies[1].ask(lobby)["type"] == "accepted"
        self._said.append(said)
        return said

    def heard(self, said: list[str], since: float) -> None:
        """Return once both lines have arrived at the other server; AssertionError on timeout."""
        for socket, text in zip((self._rooms[1], self._lobbies[0]), said, strict=True):
            while text not in lines(socket):
                socket.receive()
            in_time(since, text)

    def go_on(self) -> None:
        """A line each, and a move: all of it must arrive at both servers in time."""
        began = time.monotonic()
        self.heard(self.talk(), began)
        self.move()

    def nothing_is_lost(self) -> None:
        """Assert that both received every ply, in order and without gaps, and every line."""
        for board in self._boards:
            told = [ply["number"] for message in board.heard for ply in message.get("plies", ())]
            assert list(dict.fromkeys(told)) == list(range(1, self._ply + 1))
        for said in self._said:
            assert {*said} <= lines(self._rooms[1]) | lines(self._lobbies[0])


def lines(socket: Socket) -> set[str]:
    """The lines received on a socket, singly or in a list."""
    of_lists = [line for message in socket.heard for line in message.get("lines", ())]
    single = [message["line"] for message in socket.heard if message["type"] == "line"]
    return {line["text"] for line in [*of_lists, *single]}


def in_time(since: float, what: str) -> None:
    """Assert that `what` took less than `HEARD_WITHIN` seconds since `since`, a `time.monotonic()`."""
    took = time.monotonic() - since
    assert took < patience(HEARD_WITHIN), f"{what} was known after {took:.1f} s"
