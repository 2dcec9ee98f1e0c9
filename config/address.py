"""Where the server listens, and the names under which clients reach it. Uses sockets, not Django."""

import contextlib
import errno
import socket
from ipaddress import ip_address

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}  # noqa: S104 - to recognise it
# Documentation addresses (RFC 5737, RFC 3849). Connecting a datagram socket sends nothing, but makes the
# kernel choose the source address for outgoing traffic.
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


class Unusable(Exception):
    """The server cannot listen there; the message is one sentence for the host."""


def check_free(host: str, port: int, variable: str = "PORT") -> None:
    """Raise `Unusable` if the server cannot listen. Port 0 stands for any free one.

    `variable` is the setting that chooses the port, for the message.
    """
    if not 0 <= port <= 65535:
        raise Unusable(f"{port} is no port: choose a number from 1 to 65535.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            # As the server does: connections in TIME_WAIT from its last run do not matter.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except OSError as error:
        raise Unusable(_sentence(host, port, variable, error)) from None


def _sentence(host: str, port: int, variable: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        return f"Port {port} is taken: stop the program that uses it, or choose another ({variable}={other})."
    if error.errno == errno.EACCES:
        return f"Port {port} is for the system's own programs: choose one above 1023 ({variable}=8000)."
    return f"This computer cannot listen on {host}: {error.strerror}."


def lan_addresses(host: str) -> list[str]:
    """The addresses under which other computers on the network reach this one, the likeliest first.

    Args:
        host: the address the server listens on; only a wildcard address has several.
    """
    family = EVERYWHERE.get(host)
    if family is None:
        return []
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((ELSEWHERE[family], 9))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, family)]
    private = ("127.", "::1", "fe80:", "169.254.")
    return [address for address in dict.fromkeys(found) if not address.startswith(private)]


def allowed_hosts(host: str) -> list[str]:
    """ALLOWED_HOSTS for a server that listens on `host`."""
    names = [*LOOPBACK, *(_bracketed(address) for address in lan_addresses(host))]
    if host in EVERYWHERE:
        # Most home networks resolve the host name, some with the suffix `.local`.
        names += [socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"]
    else:
        names.append(_bracketed(host))
    return list(dict.fromkeys(names))


def webhook_hosts(host: str, allowed: str) -> str:
    """WEBHOOK_ALLOWED_HOSTS for a server that listens on `host`: this computer, if nobody else reaches it.

    Its users then are on this computer, and may as well call other programs there by themselves.

    Args:
        allowed: its ALLOWED_HOSTS. A proxy on this computer needs more names; whoever connects directly can
            claim any name.
    """
    alone = _bracketed(host) in LOOPBACK and set(allowed.split(",")) <= set(LOOPBACK)
    return ",".join(LOOPBACK[:2]) if alone else ""


def for_others(host: str) -> str:
    """The address to put into links for other computers; "" without one."""
    return next((_bracketed(address) for address in lan_addresses(host)), "")


def announcement(host: str, port: int) -> str:
    """The one line that says where Parlour listens."""
    if host not in EVERYWHERE:
        return f"Parlour is at {_url(host, port)}"
    line = f"Parlour is at {_url('127.0.0.1', port)}"
    others = " or ".join(_url(address, port) for address in lan_addresses(host))
    return f"{line}, for others on this network at {others}" if others else line


def exposure(host: str, behind_proxy: bool) -> str:
    """A sentence for a server that the internet reaches without a proxy; "" for any other."""
    found = lan_addresses(host) or [str(info[4][0]) for info in socket.getaddrinfo(host, None)]
    if behind_proxy or not any(ip_address(address.partition("%")[0]).is_global for address in found):
        return ""
    return (
        "This address is public and no proxy is in front: slow clients can use up the connections. "
        "See docs/guide/hosting.md."
    )


def _url(host: str, port: int) -> str:
    return f"http://{_bracketed(host)}:{port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
