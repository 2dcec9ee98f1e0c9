"""The settings of a host: environment variables, each declared once, read and checked together.

`Environment` is the list. `config.settings` takes its values from there, and `python -m tools.settings_page`
writes docs/reference/settings.md and `.env.example` from it.
"""

from __future__ import annotations

import difflib
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Generic, TypeVar, overload
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from games.net.limits import Rate

T = TypeVar("T")

BASE_DIR: Path = Path(__file__).resolve().parent.parent
SITE, STORAGE, OPERATION, PLAY, LIMITS = "Site", "Storage and services", "Operation", "Play", "Limits"

OLD_NAMES = {
    "HISTORY_ADDRESS_LIMIT": "COST_ADDRESS_LIMIT",
    "HISTORY_PERSON_LIMIT": "COST_PERSON_LIMIT",
    "HISTORY_SOCKET_LIMIT": "COST_SOCKET_LIMIT",
    "HOOK_HOSTS": "WEBHOOK_ALLOWED_HOSTS",
    "TABLE_PATIENCE": "TABLE_HOST_TIMEOUT",
}
"""Current names by the old ones, which are still read."""
OF_CONTAINERS = (
    *("DOMAIN", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "CERTIFICATES", "HTTP_PORT", "HTTPS_PORT", "DATA_DIR"),
    *("POSTGRES_IMAGE", "REDIS_IMAGE", "CADDY_IMAGE", "NGINX_IMAGE", "PYTHON_IMAGE"),
)
"""Variables that only docker-compose.yml and the container image read."""
TOLD = "PARLOUR_TOLD_OF_NAMES"
"""Set once the names were checked, so that processes started by this one do not repeat the warnings."""

FILES_KEPT = 128
"""Open files that are left for the store and the log."""
DEVELOPMENT_KEY = "development-only-key-that-a-public-server-refuses"
SHORTEST_KEY = 32
TRUE, FALSE = ("1", "true", "yes", "y", "on", "ok"), ("0", "false", "no", "n", "off", "")


class BadSettings(ImproperlyConfigured):
    """Some settings are wrong; the message has a line for each."""


class BadValue(ValueError):
    """A value that a setting may not have; the message says what is allowed."""


@dataclass(frozen=True)
class Setting(Generic[T]):
    """The declaration of one setting, and as a class attribute the access to its value.

    Attributes:
        read: makes the value from the text, or raises `BadValue`.
        default: the value if the variable is missing, or a function that returns it from the other values.
        meaning: one or two sentences for hosts, in Markdown.
        section: of the reference page.
        shown: the default in words, in Markdown.
        example: a value to show in `.env.example`.
        secret: whether messages must not repeat the value.
        limit: what a limit counts, by whom, and what happens beyond it, as columns of the reference page.
    """

    read: Callable[[str], T]
    default: T | Callable[[Environment], T]
    meaning: str
    section: str
    shown: str
    example: str
    secret: bool = False
    limit: tuple[str, str, str] | None = None

    @overload
    def __get__(self, instance: None, owner: type) -> Setting[T]: ...
    @overload
    def __get__(self, instance: Environment, owner: type) -> T: ...
    def __get__(self, instance: Environment | None, owner: type) -> Setting[T] | T:
        if instance is None:
            return self
        value: T = instance.values[next(name for name, each in vars(owner).items() if each is self)]
        return value


# Readers: each makes a value from a text


def _text(text: str) -> str:
    return text


def _boolean(text: str) -> bool:
    word = text.strip().lower()
    if word not in TRUE + FALSE:
        raise BadValue("must be 1 or 0")
    return word in TRUE


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    allowed = f"a whole number from {least} to {most}" if most else f"a whole number, {least} or more"

    def read(text: str) -> int:
        if not re.fullmatch(r"\s*[+-]?\d{1,15}\s*", text, re.ASCII):
            raise BadValue(f"must be {allowed}")
        number = int(text)
        if number < least or (most is not None and number > most):
            raise BadValue(f"must be {allowed}")
        return number

    return read


def _decimal(text: str) -> float:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise BadValue("must be a number, 0 or more")
    return number


def _list(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _hosts(text: str) -> list[str]:
    hosts = _list(text)
    if any("/" in host for host in hosts):
        raise BadValue("must be host names without https://, such as parlour.example")
    return hosts


def _origins(text: str) -> list[str]:
    origins = _list(text)
    if not all(re.match(r"https?://[^/]", origin) for origin in origins):
        raise BadValue("must be origins such as https://parlour.example")
    return origins


def networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Networks such as 192.0.2.0/24 or 2001:db8::/32, separated by commas. Raises `BadValue`."""
    try:
        return tuple(map(ip_network, _list(text)))
    except ValueError as error:
        raise BadValue(f"must be networks such as 192.0.2.0/24 ({error})") from None


def _rate(text: str) -> Rate:
    try:
        return Rate.parse(text)
    except ValueError:
        raise BadValue("must be how many in which time, such as 20/10m, or 0 for no limit") from None


def _choice(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise BadValue(f"must be {', '.join(words[:-1])} or {words[-1]}")
        return text

    return read


POSTGRES = ("postgres", "postgresql", "pgsql", "psql")
REDIS = ("redis", "rediss", "unix")
ENCODED = "special characters of a password as %2F and so on"


def _database(text: str) -> str:
    try:
        known = not text or text.partition(":")[0] in ("sqlite", *POSTGRES)
        if known:
            environ.Env.db_url_config(text)
    except (ImproperlyConfigured, ValueError):
        known = False
    if not known:
        raise BadValue(f"must be postgres://user:password@host:5432/name ({ENCODED}) or sqlite:///path")
    return text


def _redis(text: str) -> list[str]:
    urls = _list(text)
    try:
        # A port that is no number raises an error.
        known = all(parts.scheme in REDIS and parts.port != 0 for parts in map(urlsplit, urls))
    except ValueError:
        known = False
    if not known:
        raise BadValue(
            f"must be redis://host:6379/0 ({ENCODED}), rediss://… or unix://…, several separated by commas"
        )
    return urls


def _email(text: str) -> dict[str, Any]:
    try:
        config: dict[str, Any] = environ.Env.email_url_config(text)
    except (ImproperlyConfigured, KeyError, ValueError):
        raise BadValue("must be smtp+tls://user:password@host:587 or consolemail://") from None
    return config


def _file(text: str) -> Path | None:
    if not text:
        return None
    if not os.access(text, os.R_OK) or not Path(text).is_file():
        raise BadValue("must be a file that the server can read")
    return Path(text)


def _directory(text: str) -> Path:
    path = Path(text)
    try:
        path.mkdir(exist_ok=True)
    except OSError:
        raise BadValue("must be a directory, or one that the server can make") from None
    return path


# Declarations


def _plain(value: object) -> str:
    """A default as a host writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def setting(  # noqa: PLR0913 - the fields of a `Setting`, by name
    section: str,
    read: Callable[[str], T],
    default: T | Callable[[Environment], T],
    meaning: str,
    *,
    shown: str = "",
    example: str = "",
    secret: bool = False,
) -> Setting[T]:
    """Declare a setting (see `Setting`). `shown` and `example` are the default if it is a plain value."""
    plain = "" if callable(default) or default is None else _plain(default)
    return Setting(
        read,
        default,
        meaning,
        section,
        shown or (f"`{plain}`" if plain else "none"),
        example or plain,
        secret,
    )


def limit(
    default: int | Callable[[Environment], int], *columns: str, shown: str = "", example: str = ""
) -> Setting[int]:
    """Declare a limit that is a number; 0: no limit."""
    plain = str(default)
    counts, per, beyond = columns
    return Setting(
        _whole(0), default, counts, LIMITS, shown or plain, example or plain, limit=(counts, per, beyond)
    )


def rate(default: str, *columns: str, of: Callable[[Environment], str] | None = None) -> Setting[Rate]:
    """Declare a rate limit, such as 5/15s or 60/m; 0: no limit.

    Args:
        of: the default from other values; `default` is what it returns for theirs.
    """
    counts, per, beyond = columns
    value = Rate.parse(default) if of is None else lambda given: Rate.parse(of(given))
    return Setting(_rate, value, counts, LIMITS, default, default, limit=(counts, per, beyond))


def rate_per_second(default: float, *columns: str) -> Setting[float]:
    """Declare a limit per second, which allows bursts; 0: no limit."""
    counts, per, beyond = columns
    shown = _plain(default)
    return Setting(_decimal, default, counts, LIMITS, shown, shown, limit=(counts, per, beyond))


def open_files() -> int:
    """How many files this process may open; 0: any number."""
    try:
        import resource
    except ImportError:
        # On Windows, the event loop waits for at most 512 sockets.
        return 512
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 0 if files == resource.RLIM_INFINITY else files


def files_problem(connections: int) -> str:
    """What is wrong with the limit of open files for so many connections; empty if nothing is."""
    files = open_files()
    if not files or 0 < connections <= files - FILES_KEPT:
        return ""
    return (
        f"CONNECTIONS={connections}: this process may open {files} files, and needs {FILES_KEPT} for itself. "
        "Raise the limit (`ulimit -n`, LimitNOFILE) or lower CONNECTIONS."
    )


def _connections(_given: Environment) -> int:
    files = open_files()
    return files and max(files // 2, files - FILES_KEPT)


PRIVATE_NETWORKS = "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"


class Environment:
    """The settings, in the order in which hosts read about them. Later ones may depend on earlier ones.

    Args:
        variables: names and texts, as in `os.environ`.

    Raises `BadSettings`, which names everything that is wrong.
    """

    # Site
    DEBUG: Setting[bool] = setting(
        SITE,
        _boolean,
        False,
        "`1` shows errors with their code. Use it on your own computer only.",
    )
    SECRET_KEY: Setting[str] = setting(
        SITE,
        _text,
        lambda given: DEVELOPMENT_KEY if given.DEBUG else "",
        "Signs sessions. At least 32 random characters, kept secret: they give access to every account.",
        shown="`make run` writes one into `.env`",
        secret=True,
    )
    ALLOWED_HOSTS: Setting[list[str]] = setting(
        SITE,
        _hosts,
        ["127.0.0.1", "localhost", "[::1]"],
        "Host names of the site, separated by commas.",
        shown="this computer; its addresses too with `HOST=0.0.0.0`",
        example="parlour.example",
    )
    LAN_ADDRESS: Setting[str] = setting(
        SITE,
        _text,
        "",
        "Host of links and QR codes made on the computer itself.",
        shown="none; the address of this computer with `HOST=0.0.0.0`",
        example="192.168.1.20",
    )
    CROWDED_NETWORKS: Setting[tuple[IPv4Network | IPv6Network, ...]] = setting(
        SITE,
        networks,
        lambda given: networks(PRIVATE_NETWORKS if given.LAN_ADDRESS else ""),
        "Networks whose addresses stand for many people ([limits](#limits)).",
        shown="none; private networks with `HOST=0.0.0.0`",
        example="203.0.113.7/32,192.168.0.0/16",
    )
    TRUSTED_ORIGINS: Setting[list[str]] = setting(
        SITE,
        _origins,
        [],
        "More origins (`https://name`) whose pages may use the site.",
        example="https://parlour.example",
    )
    EMBED_ANCESTORS: Setting[list[str]] = setting(
        SITE,
        _list,
        ["*"],
        "Sites that may show boards in frames, separated by commas ([embedding](../guide/embedding.md)); "
        "`'none'` for none.",
        example="https://blog.example,https://club.example",
    )
    HTTPS: Setting[bool] = setting(
        SITE,
        _boolean,
        False,
        "`1`: secure cookies, redirect from http, HSTS.",
    )
    HSTS_PRELOAD: Setting[bool] = setting(
        SITE,
        _boolean,
        False,
        "`1`: HSTS for all subdomains, with the preload flag.",
    )
    BEHIND_PROXY: Setting[bool] = setting(
        SITE,
        _boolean,
        False,
        "`1`: trust the `X-Forwarded-` headers of a proxy that overwrites them.",
    )
    CHAT: Setting[bool] = setting(
        SITE,
        _boolean,
        True,
        "`0`: no chat anywhere ([in a classroom](../guide/hosting.md#in-a-classroom)).",
    )
    CONTACT_EMAIL: Setting[str] = setting(
        SITE,
        _text,
        "",
        "Contact address, shown at `/contact` and linked in the footer.",
        example="board@parlour.example",
    )
    CONTACT_URL: Setting[str] = setting(
        SITE,
        _text,
        "",
        "Contact page, shown there too.",
        example="https://club.example/contact",
    )
    PRIVACY_FILE: Setting[Path | None] = setting(
        SITE,
        _file,
        None,
        "Text file that replaces the built-in `/privacy` "
        "([hosting](../guide/hosting.md#contact-privacy-imprint)).",
        example="/etc/parlour/privacy.txt",
    )
    IMPRINT_FILE: Setting[Path | None] = setting(
        SITE,
        _file,
        None,
        "Text file served as `/imprint`.",
        example="/etc/parlour/imprint.txt",
    )
    TERMS_FILE: Setting[Path | None] = setting(
        SITE,
        _file,
        None,
        "Text file served as `/terms`, and linked where people sign up.",
        example="/etc/parlour/terms.txt",
    )
    # Storage and services
    DATABASE_URL: Setting[str] = setting(
        STORAGE,
        _database,
        "",
        "The database: `postgres://user:password@host:5432/name`",
        shown="SQLite in `VAR_DIR`",
        example="postgres://parlour:password@127.0.0.1:5432/parlour",
        secret=True,
    )
    DATABASE_POOL: Setting[int] = setting(
        STORAGE,
        _whole(1),
        8,
        "PostgreSQL connections per process. Twice as many pages and half as many forms are "
        "worked on at once, on SQLite too; others wait for their turn.",
    )
    STATEMENT_SECONDS: Setting[int] = setting(
        STORAGE,
        _whole(0),
        15,
        "Statement timeout of servers on PostgreSQL, in seconds; `0`: no limit, as in `manage.py`.",
    )
    REDIS_URL: Setting[list[str]] = setting(
        STORAGE,
        _redis,
        [],
        "Redis for the channel layer and for counting failed log-ins: `redis://`, `rediss://`, "
        "`unix://`. Several addresses, separated by commas, are shards of the channel layer.",
        example="redis://127.0.0.1:6379/0",
        secret=True,
    )
    EMAIL_URL: Setting[dict[str, Any]] = setting(
        STORAGE,
        _email,
        lambda _: _email("consolemail://"),
        "How e-mail is sent: `smtp+tls://user:password@host:587`. By default it is only printed. "
        "An `@` or `:` in the password is written `%40` or `%3A`.",
        shown="`consolemail://`",
        example="smtp+tls://user:password@mail.example:587",
        secret=True,
    )
    EMAIL_FROM: Setting[str] = setting(
        STORAGE,
        _text,
        "Parlour <parlour@localhost>",
        "Sender of e-mails.",
        example="Parlour <parlour@parlour.example>",
    )
    SOCIAL_LOGIN: Setting[list[str]] = setting(
        STORAGE,
        _list,
        [],
        "Log-in providers, such as `github,google`. Each needs `<NAME>_CLIENT_ID` and `<NAME>_SECRET`.",
        example="github,google",
    )
    WEBHOOK_ALLOWED_HOSTS: Setting[list[str]] = setting(
        STORAGE,
        _list,
        [],
        "Hosts that webhooks may reach by http and at private addresses. All others: https and "
        "public addresses only.",
        shown="none; with `make run`, this computer if nobody else reaches the site",
        example="scores.club.example,192.168.1.20",
    )
    VAR_DIR: Setting[Path] = setting(
        STORAGE,
        _directory,
        BASE_DIR / "var",
        "Directory of the SQLite database and the collected static files.",
        shown="`var`",
        example="/var/lib/parlour",
    )
    # Operation
    LOG_LEVEL: Setting[str] = setting(
        OPERATION,
        _choice("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
        "INFO",
        "`DEBUG`, `INFO`, `WARNING`, `ERROR`. `make run` has `WARNING` by default.",
    )
    LOG_FORMAT: Setting[str] = setting(
        OPERATION,
        _choice("text", "json"),
        "text",
        "`json`: one JSON object a line.",
    )
    METRICS_PORT: Setting[int] = setting(
        OPERATION,
        _whole(0, 65535),
        0,
        "Port for Prometheus, of a server or a worker ([monitoring](../guide/hosting.md#what-to-watch)).",
        shown="none",
        example="9100",
    )
    METRICS_HOST: Setting[str] = setting(
        OPERATION,
        _text,
        "127.0.0.1",
        "Address for Prometheus.",
    )
    BOT_PROCESSES: Setting[int] = setting(
        OPERATION,
        _whole(0),
        lambda _: max(1, min(4, (os.cpu_count() or 1) - 1)),
        "Processes of a server in which computer players think. `0` where `manage.py runbots` does it.",
        shown="cores − 1, at most 4",
        example="1",
    )
    # Play
    BOT_PACE: Setting[float] = setting(
        PLAY,
        _decimal,
        1.0,
        "How long a computer player takes for a move; `1` is 0.4 to 2 seconds, like a person.",
    )
    COMPUTER_OFFERED_AFTER: Setting[float] = setting(
        PLAY,
        _decimal,
        10.0,
        "Seconds in quick pairing after which a computer player is offered. The search goes on.",
    )
    TABLE_HOST_TIMEOUT: Setting[float] = setting(
        PLAY,
        _decimal,
        120.0,
        "Seconds after which a table is removed whose host has left the site.",
    )
    EVENING_HOURS: Setting[int] = setting(
        PLAY,
        _whole(1),
        12,
        "Hours for which the code of an evening lets people in.",
    )
    CLASSES: Setting[str] = setting(
        PLAY,
        _choice("open", "granted", "off"),
        "granted",
        "Who may make classes: `open`, every account; `granted`, accounts that an administrator has put into "
        "the group Teachers; `off`, nobody.",
    )
    ABSENCE_SECONDS: Setting[float] = setting(
        PLAY,
        _decimal,
        60.0,
        "Seconds the player to move may be away before the opponents may claim the win or have a "
        "bot play on. Twice that without a clock.",
    )
    IDLE_CLAIM_DAYS: Setting[int] = setting(
        PLAY,
        _whole(0),
        14,
        "Days without a move after which opponents may claim a match without a clock, or a saved "
        "one; `0`: never.",
    )
    IDLE_END_DAYS: Setting[int] = setting(
        PLAY,
        _whole(0),
        30,
        "Days without a move after which a match without a running clock ends without a result; `0`: never.",
    )
    IDLE_GUEST_END_DAYS: Setting[int] = setting(
        PLAY,
        _whole(0),
        3,
        "The same while a guest is to move.",
    )
    # Limits
    CONNECTIONS: Setting[int] = limit(
        _connections,
        "open sockets, and requests under way",
        "server",
        "503",
        shown="open files − 128",
        example="896",
    )
    CONNECTIONS_PER_ADDRESS: Setting[int] = limit(
        500,
        "open sockets; requests under way, bodies by their size",
        "address",
        "429; close 4008",
    )
    SOCKETS_PER_PERSON: Setting[int] = limit(50, "open sockets", "person", "`too-many-sockets`, close 4008")
    SOCKET_RATE: Setting[float] = rate_per_second(
        10.0,
        "messages a second, five times as many at once; `0` lifts the next five, too",
        "socket",
        "close 4008",
    )
    SOCKET_PERSON_LIMIT: Setting[Rate] = rate(
        "100/5s",
        "messages of all sockets",
        "person",
        "close 4008",
        of=lambda given: f"{10 * given.SOCKET_RATE:.0f}/5s",
    )
    SOCKET_ADDRESS_LIMIT: Setting[Rate] = rate(
        "2000/4s",
        "messages of all sockets",
        "address",
        "close 4008",
        of=lambda given: f"{200 * given.SOCKET_RATE:.0f}/4s",
    )
    COST_SOCKET_LIMIT: Setting[Rate] = rate(
        "2000/10s",
        "cost of messages: kilobytes sent, and 5 for each millisecond of work",
        "socket",
        "the next message waits",
    )
    COST_PERSON_LIMIT: Setting[Rate] = rate(
        "5000/10s", "the same, with pages and requests to `/api`", "person", "messages wait; 429"
    )
    COST_ADDRESS_LIMIT: Setting[Rate] = rate("40000/20s", "the same", "address", "messages wait; 429")
    API_RATE: Setting[float] = rate_per_second(
        10.0,
        "requests a second to `/api`, ten times as many at once",
        "token, or address without one",
        "429 `too-many-requests`",
    )
    API_STREAMS: Setting[int] = limit(
        50, "open streams of `/api`", "person, or address without a token", "429 `too-many-streams`"
    )
    KALAHA_LIMIT: Setting[Rate] = rate(
        "200/4s",
        "requests of the [Kalaha note](kalaha-note.md)",
        "address",
        "429",
        of=lambda given: f"{20 * given.SOCKET_RATE:.0f}/4s",
    )
    GUESTS_PER_HOUR: Setting[int] = limit(
        60, "new guests, two for each game of the Kalaha note", "address", "429"
    )
    NAME_LIMIT: Setting[Rate] = rate("3/30m", "new names", "guest", "429")
    SIGN_UPS_PER_MINUTE: Setting[int] = limit(60, "accounts made", "address", "429")
    LOG_INS_PER_MINUTE: Setting[int] = limit(120, "log-ins by password", "address", "429")
    PASSKEY_LIMIT: Setting[Rate] = rate("120/m", "log-ins by passkey", "address", "429")
    WRONG_PASSWORDS_PER_MINUTE: Setting[int] = limit(60, "wrong passwords and codes", "address", "429")
    WRONG_PASSWORD_LIMIT: Setting[Rate] = rate("5/5m", "wrong passwords and codes", "name and address", "429")
    PASSWORD_RESET_LIMIT: Setting[Rate] = rate(
        "60/m", "requests for a link that resets a password", "address", "429"
    )
    PASSWORD_LINK_LIMIT: Setting[Rate] = rate("60/m", "passwords chosen by such a link", "address", "429")
    PASSWORD_CHANGE_LIMIT: Setting[Rate] = rate("5/m", "changes of the password", "person", "429")
    EMAIL_CHANGE_LIMIT: Setting[Rate] = rate("10/m", "changes of e-mail addresses", "person", "429")
    EMAIL_LINK_LIMIT: Setting[Rate] = rate(
        "1/3m",
        "links that confirm an address or reset a password",
        "e-mail address",
        "nothing is sent; the link before is still good",
    )
    TABLES_PER_HOST: Setting[int] = limit(
        3, "tables that wait (`0`: none)", "person", "409 `too-many-tables`"
    )
    TOURNAMENTS_PER_PERSON: Setting[int] = limit(
        3, "tournaments organised that are not over (`0`: none)", "person", "409 `too-many-tournaments`"
    )
    TOURNAMENT_PLAYERS: Setting[int] = limit(1000, "players (`0`: none)", "tournament", "409 `full`")
    ENTRY_CODE_LIMIT: Setting[Rate] = rate(
        "10/10m", "entry codes of tournaments tried", "person", "429 `too-many-codes`"
    )
    ENTRY_CODE_ADDRESS_LIMIT: Setting[Rate] = rate("120/10m", "the same", "address", "429 `too-many-codes`")
    PUZZLE_RUN_LIMIT: Setting[Rate] = rate(
        "120/h", "streaks and storms of puzzles", "account, or address without one", "429"
    )
    EVENINGS_PER_HOST: Setting[int] = limit(
        2, "evenings that are not erased (`0`: none)", "person", "409 `too-many-evenings`"
    )
    EVENING_PEOPLE: Setting[int] = limit(200, "people (`0`: none)", "evening", "409 `full`")
    EVENING_TRIES: Setting[Rate] = rate("100/h", "wrong codes of evenings", "address", "429 `too-many-tries`")
    EVENING_SITE_TRIES: Setting[Rate] = rate(
        "300/h",
        "the same, apart from QR codes and places where somebody of the evening is",
        "server",
        "429 `too-many-tries`",
    )
    CLASSES_PER_TEACHER: Setting[int] = limit(
        20, "classes taught (`0`: none)", "person", "409 `too-many-classes`"
    )
    CLASS_PUPILS: Setting[int] = limit(60, "pupils (`0`: none)", "class", "409 `class-full`")
    CLASS_TRIES: Setting[Rate] = rate(
        "100/h", "wrong cards, PINs and codes of classes", "address", "429 `too-many-tries`"
    )
    PIN_TRIES: Setting[Rate] = rate("20/d", "wrong PINs", "name in a class", "429 `too-many-tries`")
    CLUBS_PER_PERSON: Setting[int] = limit(
        20, "clubs, requests to join included (`0`: none)", "person", "409 `too-many-clubs`"
    )
    CLUBS_PER_OWNER: Setting[int] = limit(3, "clubs owned (`0`: none)", "person", "409 `too-many-owned`")
    CLUB_MEMBERS: Setting[int] = limit(1000, "members (`0`: none)", "club", "409 `club-full`")
    CLUB_ANNOUNCEMENTS_PER_DAY: Setting[int] = limit(
        5, "announcements (`0`: none)", "club", "429 `too-many-announcements`"
    )
    CLUB_REMOVALS_PER_DAY: Setting[int] = limit(
        5, "members removed by organisers; the owner has no limit (`0`: none)", "club", "403 `owner-only`"
    )
    STUDIES_PER_PERSON: Setting[int] = limit(
        50, "studies owned (`0`: none)", "person", "409 `too-many-studies`"
    )
    CHALLENGE_LIMIT: Setting[Rate] = rate("20/10m", "challenges", "person", "429 `too-many-challenges`")
    CHALLENGE_PAIR_LIMIT: Setting[Rate] = rate(
        "5/25m", "challenges of one person by another", "person", "429 `too-many-challenges`"
    )
    COMPUTER_LIMIT: Setting[Rate] = rate(
        "60/6m", "matches against the computer", "person, and address", "429 `too-many-computers`"
    )
    BOARD_LIMIT: Setting[Rate] = rate("60/6m", "matches at one board", "address", "429")
    CHAT_LIMIT: Setting[Rate] = rate("5/15s", "lines", "person", "`too-fast`")
    CHAT_ADDRESS_LIMIT: Setting[Rate] = rate("20/10s", "lines", "address", "`too-fast`")
    COMMAND_LIMIT: Setting[Rate] = rate(
        "300/h",
        "changes of clubs, tournaments and evenings, and forms that create something",
        "person",
        "429 `too-fast`",
    )
    MESSAGE_LIMIT: Setting[Rate] = rate("10/60s", "messages", "person", "429 `too-fast`")
    CONVERSATIONS_PER_DAY: Setting[int] = limit(
        20, "people written to for the first time (`0`: none)", "person", "429 `too-many-conversations`"
    )
    REPORTS_PER_DAY: Setting[int] = limit(10, "reports (`0`: none)", "person", "429 `too-many`")
    APPEALS_PER_MONTH: Setting[int] = limit(
        3,
        "appeals against bans and mutes in 30 days, one of each open at a time (`0`: none)",
        "person",
        "429",
    )
    SEARCH_LIMIT: Setting[Rate] = rate("20/40s", "searches for people", "person", "429")
    DOWNLOAD_LIMIT: Setting[Rate] = rate(
        "10/5m", "downloads of all matches of a player", "address", "429 `too-many`"
    )
    FILE_LIMIT: Setting[Rate] = rate("6/30s", "match files checked", "person, and address", "429")
    ANALYSIS_LIMIT: Setting[Rate] = rate("10/5m", "analyses asked for", "person, and address", "429")
    ANALYSES_WAITING: Setting[int] = limit(
        20, "matches that wait to be analysed (`0`: none)", "site", "429 `too-many-analyses`"
    )
    PICTURE_LIMIT: Setting[Rate] = rate(
        "200/20s",
        "pictures of positions painted as PNG",
        "address",
        "429",
        of=lambda given: f"{20 * given.SOCKET_RATE:.0f}/20s",
    )
    TOKENS_PER_PERSON: Setting[int] = limit(20, "tokens (`0`: none)", "person", "409 `too-many-tokens`")
    WEBHOOKS_PER_PERSON: Setting[int] = limit(5, "webhooks (`0`: none)", "person", "409 `too-many`")
    WEBHOOK_TEST_LIMIT: Setting[Rate] = rate(
        "10/100s", "test messages and deliveries sent again", "person", "429"
    )
    DEVICES_PER_PERSON: Setting[int] = limit(
        10, "devices with notices (`0`: none)", "person", "409 `too-many`"
    )
    PEOPLE_PER_LIST: Setting[int] = limit(
        500, "people followed, blocked, muted, each (`0`: none)", "person", "400 `too-many`"
    )

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.values: dict[str, Any] = {}
        self._variables = variables
        problems = [*self._read(), *self._problems_together()]
        if problems:
            raise BadSettings("\n".join(problems))

    def provider(self, name: str) -> dict[str, Any]:
        """The settings of a provider for allauth, from its `_CLIENT_ID`, `_SECRET` and maybe `_URL`."""
        upper = name.upper()
        app = {"client_id": self._raw(f"{upper}_CLIENT_ID"), "secret": self._raw(f"{upper}_SECRET")}
        config: dict[str, Any] = {"APPS": [app]}
        if url := self._raw(f"{upper}_URL"):
            config[f"{upper}_URL"] = url
        return config

    def _raw(self, name: str) -> str:
        # As it is: django-environ takes a value that begins with `$` for the name of another variable.
        return self._variables.get(name, "")

    def _read(self) -> Iterator[str]:
        """Read every value. Yields a sentence for each that is wrong, and goes on with its default."""
        for name, declared in declarations().items():
            default = declared.default(self) if callable(declared.default) else declared.default
            self.values[name] = default
            if name in self._variables:
                text = self._raw(name)
                try:
                    self.values[name] = declared.read(text)
                except BadValue as error:
                    yield f"{name}: {error}." if declared.secret else f"{name}={text}: {error}."
            elif declared.read is _directory:
                self.values[name] = _directory(str(default))

    def _problems_together(self) -> Iterator[str]:
        """A sentence for each value that does not go with the others."""
        key = self.SECRET_KEY
        if not self.DEBUG and (len(key) < SHORTEST_KEY or len(set(key)) < 5 or key == DEVELOPMENT_KEY):
            yield (
                f"SECRET_KEY: must be a random text of {SHORTEST_KEY} characters "
                "(or set DEBUG=1 on your own computer)."
            )
        for name in self.SOCIAL_LOGIN:
            upper = name.upper()
            if not name.isidentifier() or find_spec(f"allauth.socialaccount.providers.{name}") is None:
                yield f"SOCIAL_LOGIN={name}: must be a provider that django-allauth knows."
            elif not (self._raw(f"{upper}_CLIENT_ID") and self._raw(f"{upper}_SECRET")):
                yield f"SOCIAL_LOGIN={name}: needs {upper}_CLIENT_ID and {upper}_SECRET too."


def declarations() -> dict[str, Setting[Any]]:
    """All settings by name, in their order."""
    return {name: each for name, each in vars(Environment).items() if isinstance(each, Setting)}


# Files of variables, and their names


def read_file(path: Path, variables: MutableMapping[str, str]) -> None:
    """Add the variables of a file to those of the environment, which come first, and warn of names."""
    environ.Env.read_env(path)
    warnings = [*take_old_names(variables), *unknown_names(path)]
    if TOLD not in variables:
        sys.stderr.writelines(f"Warning: {warning}\n" for warning in warnings)
    variables[TOLD] = "1"


def take_old_names(variables: MutableMapping[str, str]) -> list[str]:
    """Set current names to the values of old ones; a value under the current name wins. Returns warnings."""
    old = {name: current for name, current in OLD_NAMES.items() if name in variables}
    for name, current in old.items():
        variables.setdefault(current, variables[name])
    return [f"The setting {name} is called {current} now." for name, current in old.items()]


def unknown_names(path: Path) -> list[str]:
    """A warning for each name of a file that nothing reads but that is close to one of ours."""
    if not path.is_file():
        return []
    known: Sequence[str] = [*declarations(), *OF_CONTAINERS, *OLD_NAMES]
    names = re.findall(
        r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=", path.read_text(encoding="utf-8"), re.MULTILINE
    )
    return [
        f"{path} sets {name}, which is no setting. Did you mean {close[0]}?"
        for name in dict.fromkeys(names)
        if name not in known and (close := difflib.get_close_matches(name.upper(), known, 1, 0.8))
    ]
