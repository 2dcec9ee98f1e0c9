"""A proxy in front of servers, with the delivered configuration: nginx, or Caddy as for containers."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.harness.services import ROOT, Endpoint, Service, free_port

EXAMPLE = ROOT / "config" / "proxy" / "nginx.conf"
BY_MATCH = "        hash $place consistent;\n"
TELL = "add_header X-Server $upstream_addr always;"

# Directories that nginx would otherwise expect in the system.
SCRATCH = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class Proxy(Service, Endpoint):
    """nginx on ports of its own, without TLS.

    Args:
        program: nginx.
        ports: of the servers behind it.
        port: its own; 0 for any free port. At `http` it redirects to https.
        by_match: route all clients of a match to the same server; otherwise round robin.

    The response header X-Server names the server, after those that failed.
    """

    def __init__(self, program: str, ports: Sequence[int], port: int = 0, *, by_match: bool = True) -> None:
        super().__init__("nginx")
        self._program = program
        self.port, self.http = port or free_port(), free_port()
        self.config = self.directory / "nginx.conf"
        self.config.write_text(self._configuration(ports, by_match))

    def _configuration(self, ports: Sequence[int], by_match: bool) -> str:
        """The example configuration, adapted to this computer."""
        text = EXAMPLE.read_text()
        text = _changed(r"listen 443 ssl;", f"listen 127.0.0.1:{self.port};", text)
        text = _changed(r"listen 80;", f"listen 127.0.0.1:{self.http};", text)
        text = _changed(r"server_name parlour.example;", f"server_name _;\n        {TELL}", text)
        text = _changed(r" *ssl_certificate(_key)? .*;\n", "", text)
        first, *others = re.findall(r"server 127\.0\.0\.1:\d+ .*;", text)
        servers = [re.sub(r":\d+ ", f":{port} ", first) for port in ports]
        for other in others:
            text = text.replace(f"        {other}\n", "")
        text = text.replace(first, "\n        ".join(servers))
        scratch = [f"{name}_temp_path {self.directory / name};" for name in SCRATCH]
        text = _changed(r"http \{\n", "\n    ".join(["http {", "access_log off;", *scratch]) + "\n", text)
        if not by_match:
            text = text.replace(BY_MATCH, "")
        # A container may have fewer file descriptors, and one computer is a single visitor.
        text = _changed(r"worker_rlimit_nofile \d+;\n", "", text)
        text = _changed(r" *limit_conn visitors \d+;\n", "", text)
        text = _changed(r"/var/cache/nginx/parlour", f"{self.directory / 'pages'}", text)
        root = "user root;\n" if os.geteuid() == 0 else ""
        return f"{root}daemon off;\npid {self.directory / 'pid'};\nerror_log stderr warn;\n{text}"

    def command(self) -> Sequence[str]:
        """Run nginx in the foreground, with the written configuration."""
        return [self._program, "-p", str(self.directory), "-c", str(self.config), "-e", "stderr"]

    def ready(self) -> bool:
        """Whether the port accepts connections."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False


CADDYFILE = ROOT / "config" / "proxy" / "Caddyfile"


def caddy_command(program: str) -> list[str]:
    """The command that runs Caddy with the delivered configuration."""
    return [program, "run", "--adapter", "caddyfile", "--config", str(CADDYFILE)]


OLD_BUFFERS = "buffer_requests\nmax_buffer_size 8KB"
"""What Caddy 2.6 calls `request_buffers 8KB`."""


def _is_old(program: str) -> bool:
    version = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout
    return version.lstrip("v").startswith("2.6.")


def caddy_variables(program: str, directory: Path, http: int, https: int, server: int) -> dict[str, str]:
    """What Caddy is told: its ports, the port of the server, and to make its certificate itself.

    Args:
        program: Caddy.
        directory: for its certificate and its state.
    """
    return {
        "DOMAIN": "127.0.0.1",
        "CONTACT_EMAIL": "board@parlour.example",
        "HTTP_LISTEN": str(http),
        "HTTPS_LISTEN": str(https),
        "SITE_HOST": "localhost",
        "SITE_PORT": str(server),
        **({"REQUEST_BUFFERS": OLD_BUFFERS} if _is_old(program) else {}),
        "XDG_DATA_HOME": str(directory),
        "XDG_CONFIG_HOME": str(directory),
    }


class Caddy(Service):
    """Caddy on a port of its own, with a certificate that no browser knows.

    Its configuration finds servers by one name and port, as containers have them: here it is one server.

    Args:
        program: Caddy.
        server: the port of the server behind it.
        port: its own; 0 for any free port.
    """

    def __init__(self, program: str, server: int, port: int = 0) -> None:
        super().__init__("caddy")
        self._program = program
        self.port = port or free_port()
        self._variables = caddy_variables(program, self.directory, free_port(), self.port, server)

    @property
    def url(self) -> str:
        """Address for HTTPS."""
        return f"https://127.0.0.1:{self.port}"

    def environment(self) -> Mapping[str, str]:
        """The variables that the delivered Caddyfile reads."""
        return {**os.environ, **self._variables}

    def command(self) -> Sequence[str]:
        """Caddy in the foreground, with the delivered Caddyfile."""
        return caddy_command(self._program)

    def ready(self) -> bool:
        """Whether the port completes a TLS handshake."""
        # It listens before it has its certificate.
        strangers = ssl.create_default_context()
        strangers.check_hostname, strangers.verify_mode = False, ssl.CERT_NONE
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port), 1) as plain,
            strangers.wrap_socket(plain),
        ):
            return True
        return False


def _changed(pattern: str, to: str, text: str) -> str:
    """Replace a pattern, which must occur in the text."""
    changed, number = re.subn(pattern, lambda _: to, text)
    assert number, f"the example says no more {pattern}"
    return changed
