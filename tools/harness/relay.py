"""A TCP relay that a test can make silent, like a network black hole."""

from __future__ import annotations

import contextlib
import socket
import threading

from tools.harness.services import Endpoint


class Relay(Endpoint):
    """Relays bytes between clients and a local port.

    While it is `silent` it accepts connections and bytes, and forwards nothing. Older connections are closed
    afterwards, as after any silence that one end has given up on.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._silent = False
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def fall_silent(self) -> None:
        """Drop everything from now on."""
        self._silent = True

    def speak(self) -> None:
        """Forward new connections again."""
        self._silent = False
        self._hang_up()

    def close(self) -> None:
        """Stop the relay."""
        self._listener.close()
        self._hang_up()

    def _hang_up(self) -> None:
        with self._lock:
            ends, self._open = self._open, set()
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                with self._lock:
                    self._open |= {near, far}
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not self._silent:
                    target.sendall(data)
            if not self._silent:
                target.shutdown(socket.SHUT_WR)
