"""Settings: one file, driven by the environment. `.env.example` lists every variable."""

import os
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from config.renamed_settings import read_old_names
from games.net.limits import Rate

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / ".env")
read_old_names(os.environ)

# Runtime files: the SQLite database and the collected static files.
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))

DEBUG = env.bool("DEBUG", default=False)

LIMITS: dict[str, str] = {}
"""Every limit that a host can set, with its default; docs/guide/hosting.md has the table."""


def limit(name: str, default: int) -> int:
    """A limit that is a number; 0: no limit."""
    LIMITS[name] = str(default)
    return int(env.int(name, default=default))


FILES_KEPT = 128
"""Open files that are left for the store and the log."""


def connections_by_default() -> int:
    """How many connections the limit of open files allows; 0 if there is none."""
    try:
        import resource
    except ImportError:
        # On Windows, the event loop waits for at most 512 sockets.
        return 512 - FILES_KEPT
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 0 if files == resource.RLIM_INFINITY else max(64, files - FILES_KEPT)


def networks(texts: list[str]) -> tuple[IPv4Network | IPv6Network, ...]:
    """Networks such as 192.0.2.0/24 or 2001:db8::/32."""
    try:
        return tuple(map(ip_network, texts))
    except ValueError as error:
        raise ImproperlyConfigured(f"CROWDED_NETWORKS: {error}. Write 192.0.2.0/24, for example.") from None


def rate(name: str, default: str) -> Rate:
    """A rate limit such as 5/15s or 60/m; 0: no limit."""
    LIMITS[name] = default
    text = env.str(name, default=default)
    try:
        return Rate.parse(text)
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} is {text}: say how many in which time, such as 20/10m, or 0 for no limit."
        ) from None


DEVELOPMENT_KEY = "development-only-key-that-a-public-server-refuses"
SECRET_KEY = env.str("SECRET_KEY", default=DEVELOPMENT_KEY if DEBUG else "")
SHORTEST_KEY = 32
if not DEBUG and (
    len(SECRET_KEY) < SHORTEST_KEY or len(set(SECRET_KEY)) < 5 or SECRET_KEY == DEVELOPMENT_KEY
):
    raise ImproperlyConfigured(
        f"Set SECRET_KEY to a random text of {SHORTEST_KEY} characters (or DEBUG=1 on your own machine)."
    )

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
# The address of this computer on its network. Links shared from 127.0.0.1 use it.
LAN_ADDRESS = env.str("LAN_ADDRESS", default="")
# Scheme, host and port of pages that may open sockets and send forms. Pages of a server that is reached
# directly always have its own origin; behind a proxy name the public one here.
CSRF_TRUSTED_ORIGINS = env.list("TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    # Before staticfiles, whose `runserver` serves no sockets.
    "config",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "games",
    "lobby",
]

MIDDLEWARE = [
    "config.health.HealthProbes",
    "config.middleware.browser_headers.BrowserHeaders",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.request_queue.RequestQueue",
    "config.assets.compression.CompressedPages",
    "csp.middleware.CSPMiddleware",
    "config.api_middleware.ApiMiddleware",
    "config.middleware.request_costs.RequestCosts",
    "config.request_validation.RequestValidation",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "lobby.people.language.LanguageOfReader",
    "django.contrib.messages.middleware.MessageMiddleware",
    "lobby.auth.afterwards.WorkAfterAnswers",
    "allauth.account.middleware.AccountMiddleware",
    "lobby.auth.gates.BannedGuests",
    "lobby.auth.gates.AccountPages",
    "lobby.auth.gates.AdminPages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "lobby.people.context.preferences",
                "config.install.context.app",
            ],
            "libraries": {"modules": "config.i18n.tags"},
        },
    },
]


def keep_to_ourselves(name: str) -> None:
    """Make an SQLite database readable by its owner only. Its log gets the permissions of the file."""
    path = Path(name)
    if name == ":memory:" or not path.parent.is_dir():
        return
    with suppress(PermissionError):
        path.touch(mode=0o600)
        path.chmod(0o600)


# Seconds until a silent database connection is given up, and until the next attempt.
DATABASE_SECONDS = 3
# PostgreSQL connections of this process.
DATABASE_POOL = env.int("DATABASE_POOL", default=8)
# Requests that this process works on at the same time; others wait for their turn. Pages are short, and many
# wait for something else than the processor.
PAGES_AT_ONCE = 2 * DATABASE_POOL
FORMS_AT_ONCE = max(1, DATABASE_POOL // 2)
# Seconds that PostgreSQL may work on a statement, including locks; 0: no limit.
STATEMENT_SECONDS = env.int("STATEMENT_SECONDS", default=15)
DEADLINES = {
    "connect_timeout": DATABASE_SECONDS,
    # Without keepalives a network that drops all packets is noticed after hours.
    "keepalives": 1,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "tcp_user_timeout": DATABASE_SECONDS * 1000,
    # And on the database's side, which keeps the locks of a lost client meanwhile.
    "options": " ".join(
        f"-c {name}={value}"
        for name, value in {
            "tcp_keepalives_idle": 2,
            "tcp_keepalives_interval": 1,
            "tcp_keepalives_count": 2,
            "tcp_user_timeout": DATABASE_SECONDS * 1000,
            "idle_in_transaction_session_timeout": STATEMENT_SECONDS * 1000,
            "statement_timeout": STATEMENT_SECONDS * 1000,
            # Deferred constraints are checked at commit, outside of statement_timeout.
            "lock_timeout": STATEMENT_SECONDS * 1000,
        }.items()
    ),
}


def database(url: str) -> dict[str, Any]:
    """Django's settings for a database address, with the safe and fast options of each engine."""
    config: dict[str, Any] = environ.Env.db_url_config(url)
    if config["ENGINE"].endswith("sqlite3"):
        keep_to_ourselves(config["NAME"])
        config["ENGINE"] = "config.sqlite"
        # - IMMEDIATE takes the write lock first, so that writers queue instead of failing half-way.
        # - FULL syncs the log on every commit, so that an acknowledged move survives a power cut.
        # - mmap: every request has a connection of its own, whose page cache is empty.
        # - Checkpoints run beside the writers (`games.store.checkpoints`), and in a commit only once the log
        # has 20,000 pages.
        # - A log that is copied is cut to 16 MB, so that it does not keep the room of a small disk.
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=20000;"
                "PRAGMA mmap_size=1073741824; PRAGMA journal_size_limit=16777216;"
            ),
        }
        config["CONN_MAX_AGE"] = None
        config["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    else:
        config["OPTIONS"] = {
            # Give up a failed connection soon and open a new one for the next request: the pool itself would
            # pause for longer and longer, also after the database is back.
            "pool": {
                "min_size": 1,
                "max_size": DATABASE_POOL,
                "timeout": DATABASE_SECONDS,
                "reconnect_timeout": DATABASE_SECONDS,
            },
            **DEADLINES,
        }
    return config


VAR_DIR.mkdir(exist_ok=True)
DATABASES = {"default": database(env.str("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'parlour.sqlite3'}"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
# Several addresses, separated by commas, are shards of the channel layer.
REDIS_URLS = [url.strip() for url in REDIS_URL.split(",") if url.strip()]


def redis_database(url: str) -> str:
    """The database number of a Redis address. Pub/sub ignores it, so it is part of the prefix."""
    parts = urlsplit(url)
    named = parse_qs(parts.query).get("db", [""])[0] if parts.scheme == "unix" else parts.path.strip("/")
    return named or "0"


CHANNEL_LAYERS: dict[str, dict[str, Any]] = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
# Counters across processes, such as password attempts, are in Redis if there is one.
CACHES: dict[str, dict[str, Any]] = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
# What many users share: local caches in each process, so that no request waits for Redis.
CACHES["local"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "local"}
CACHES["template_fragments"] = {
    "BACKEND": f"django.core.cache.backends.{'dummy.DummyCache' if DEBUG else 'locmem.LocMemCache'}",
    "LOCATION": "template_fragments",
    "OPTIONS": {"MAX_ENTRIES": 2000},
}
if REDIS_URLS:
    CHANNEL_LAYERS["default"] = {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": REDIS_URLS, "prefix": f"parlour{redis_database(REDIS_URLS[0])}"},
    }
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URLS[0],
        "OPTIONS": {
            "serializer": "config.cache_serializer.JsonSerializer",
            # Seconds. A silent Redis delays a request no longer.
            "socket_connect_timeout": 2,
            "socket_timeout": 2,
        },
    }

AUTH_USER_MODEL = "lobby.User"
AUTHENTICATION_BACKENDS = [
    "lobby.auth.backends.PasswordBackend",
    "lobby.auth.backends.AccountBackend",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
LOGOUT_REDIRECT_URL = "lobby"
ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "lobby.auth.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "lobby.auth.forms.SignUpForm",
    "login": "lobby.auth.forms.LoginForm",
    "reset_password_from_key": "lobby.auth.forms.NewPasswordForm",
    "change_password": "lobby.auth.forms.ChangePasswordForm",
    "set_password": "lobby.auth.forms.SetPasswordForm",
    "add_email": "lobby.auth.forms.AddEmailForm",
    "reset_password": "lobby.auth.forms.ResetPasswordForm",
    "reauthenticate": "lobby.auth.forms.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_EMAIL_VERIFICATION = "optional"
# An address belongs to the user who confirms it. Until then any user may enter it, and learns nothing about
# others.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Otherwise a password reset for a stranger's address would make us write to that stranger.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# A class signs up, logs in and mistypes behind one address within a minute. The limit on wrong passwords for
# one name from one address stops guessing.
SIGN_UPS_PER_MINUTE = limit("SIGN_UPS_PER_MINUTE", 60)
LOG_INS_PER_MINUTE = limit("LOG_INS_PER_MINUTE", 120)
WRONG_PASSWORDS_PER_MINUTE = limit("WRONG_PASSWORDS_PER_MINUTE", 60)
WRONG_PASSWORD_LIMIT = rate("WRONG_PASSWORD_LIMIT", "5/5m")
PASSKEY_LIMIT = rate("PASSKEY_LIMIT", "120/m")
PASSWORD_RESET_LIMIT = rate("PASSWORD_RESET_LIMIT", "60/m")
PASSWORD_LINK_LIMIT = rate("PASSWORD_LINK_LIMIT", "60/m")
PASSWORD_CHANGE_LIMIT = rate("PASSWORD_CHANGE_LIMIT", "5/m")
EMAIL_CHANGE_LIMIT = rate("EMAIL_CHANGE_LIMIT", "10/m")
EMAIL_LINK_LIMIT = rate("EMAIL_LINK_LIMIT", "1/3m")


def allauth_rates(**rates: Rate) -> str:
    """Limits in allauth's form, by what it counts: `ip`, `user` or `key` (a name or an address)."""
    return ",".join(f"{each.count}/{each.seconds}s/{per}" for per, each in rates.items() if each.count)


ACCOUNT_RATE_LIMITS = {
    "signup": allauth_rates(ip=Rate(SIGN_UPS_PER_MINUTE, 60)),
    "login": allauth_rates(ip=Rate(LOG_INS_PER_MINUTE, 60)),
    "login_failed": allauth_rates(ip=Rate(WRONG_PASSWORDS_PER_MINUTE, 60), key=WRONG_PASSWORD_LIMIT),
    # `lobby.auth.forms` counts the messages to one e-mail address, after the response.
    "reset_password": allauth_rates(ip=PASSWORD_RESET_LIMIT),
    "reset_password_from_key": allauth_rates(ip=PASSWORD_LINK_LIMIT),
    "change_password": allauth_rates(user=PASSWORD_CHANGE_LIMIT),
    "manage_email": allauth_rates(user=EMAIL_CHANGE_LIMIT),
    "confirm_email": allauth_rates(key=EMAIL_LINK_LIMIT),
}
MFA_RATE_LIMITS = {"webauthn_login": allauth_rates(ip=PASSKEY_LIMIT)}
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# A stolen session is not a stolen account: sensitive changes ask for the password again.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Guests are signed in, and must still reach the sign-up pages.
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "lobby.auth.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Parlour"
# Clocks differ by some seconds, and people type slowly.
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "authenticate": "lobby.auth.forms.AuthenticateForm",
    "reauthenticate": "lobby.auth.forms.CodeAgainForm",
    "activate_totp": "lobby.auth.forms.ActivateTOTPForm",
    "add_webauthn": "lobby.auth.forms.AddPasskeyForm",
    "edit_webauthn": "lobby.auth.forms.EditPasskeyForm",
    "login_webauthn": "lobby.auth.forms.LogInByPasskeyForm",
    "authenticate_webauthn": "lobby.auth.forms.PasskeyAfterPasswordForm",
    "reauthenticate_webauthn": "lobby.auth.forms.PasskeyAgainForm",
}
USERSESSIONS_ADAPTER = "lobby.auth.adapters.SessionsAdapter"
# Rate limits use REMOTE_ADDR, which the server sets from a trusted proxy's headers.
ALLAUTH_TRUSTED_PROXY_COUNT = 0
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# Identity providers that the host has configured.
SOCIAL_LOGIN = env.list("SOCIAL_LOGIN", default=[])
SOCIALACCOUNT_ADAPTER = "lobby.auth.adapters.SocialAdapter"
SOCIALACCOUNT_FORMS = {"signup": "lobby.auth.forms.SocialSignUpForm"}
# Every user chooses a name here.
SOCIALACCOUNT_AUTO_SIGNUP = False


def provider(name: str) -> dict[str, Any]:
    """allauth's settings of a provider, from `<NAME>_CLIENT_ID`, `<NAME>_SECRET` and maybe `<NAME>_URL`."""
    if find_spec(f"allauth.socialaccount.providers.{name}") is None:
        raise ImproperlyConfigured(f"SOCIAL_LOGIN names {name}, which allauth does not know.")
    upper = name.upper()
    client_id, secret = env.str(f"{upper}_CLIENT_ID", default=""), env.str(f"{upper}_SECRET", default="")
    if not client_id or not secret:
        raise ImproperlyConfigured(
            f"SOCIAL_LOGIN names {name}: set {upper}_CLIENT_ID and {upper}_SECRET too."
        )
    config: dict[str, Any] = {"APPS": [{"client_id": client_id, "secret": secret}]}
    if url := env.str(f"{upper}_URL", default=""):
        config[f"{upper}_URL"] = url
    return config


SOCIALACCOUNT_PROVIDERS = {name: provider(name) for name in SOCIAL_LOGIN}
INSTALLED_APPS += [f"allauth.socialaccount.providers.{name}" for name in SOCIAL_LOGIN]

# EMAIL_BACKEND, EMAIL_HOST and so on.
globals().update(env.email_url("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("EMAIL_FROM", default="Parlour <parlour@localhost>")

SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365  # a guest's seat should outlive a holiday
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True

# Over plain http (a club's own network) secure cookies would sign nobody in.
HTTPS = env.bool("HTTPS", default=False)
# Where users reach the host.
CONTACT_EMAIL = env.str("CONTACT_EMAIL", default="")
CONTACT_URL = env.str("CONTACT_URL", default="")


def page_file(path: str) -> Path | None:
    """A text file of the host that is shown as a page."""
    if not path:
        return None
    if not Path(path).is_file():
        raise ImproperlyConfigured(f"There is no file {path}, which is to be a page of the site.")
    return Path(path)


PRIVACY_FILE = page_file(env.str("PRIVACY_FILE", default=""))
IMPRINT_FILE = page_file(env.str("IMPRINT_FILE", default=""))
TERMS_FILE = page_file(env.str("TERMS_FILE", default=""))
# Whether users can chat; a school may not want that.
CHAT = env.bool("CHAT", default=True)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
# HSTS for a whole domain lasts for years, also in browsers' preload lists: the owner has to decide.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS and env.bool("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"

# Sites that may show boards in frames (/embed/); no other page may be framed.
EMBED_ANCESTORS = env.list("EMBED_ANCESTORS", default=["*"])

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

LANGUAGE_CODE = "en"
# Each by its own name, so that its speakers can read it.
LANGUAGES = [("en", "English"), ("ru", "Русский"), ("et", "Eesti")]
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
LANGUAGE_COOKIE_SECURE = HTTPS
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "config.i18n.formats"

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.assets.storage.BundledStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
# An unhashed copy would hide an import that was not rewritten, and take as long to compress.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# `text` for people, or `json` for log collectors.
LOG_FORMAT = env.str("LOG_FORMAT", default="text")
if LOG_FORMAT not in ("text", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT is {LOG_FORMAT}: say text or json.")
# The port for Prometheus; 0: no metrics.
METRICS_PORT = env.int("METRICS_PORT", default=0)
METRICS_HOST = env.str("METRICS_HOST", default="127.0.0.1")

LOGGING = {
    "version": 1,
    # Otherwise tracebacks of consumers, whose loggers exist already, disappear.
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "class": "config.observability.log.TextLines",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "config.observability.log.JsonLines"},
    },
    "filters": {
        "client_errors": {"()": "config.observability.log_filters.ShortClientErrors"},
        "disk_errors": {"()": "config.observability.log_filters.ShortDiskErrors"},
        "database_errors": {"()": "config.observability.log_filters.ShortDatabaseErrors"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["client_errors", "disk_errors", "database_errors"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {"django.server": {"level": "WARNING"}},
}

# Rate limits allow bursts up to the full count, and count by process; docs/guide/hosting.md has them all.

# Sustained messages a second of one socket, with bursts of five times as many; 0 disables all limits of this
# kind. A user and an address have several sockets: a classroom or a club shares an address.
SOCKET_RATE = env.float("SOCKET_RATE", default=10.0)
LIMITS["SOCKET_RATE"] = "10"
SOCKET_PERSON_LIMIT = rate("SOCKET_PERSON_LIMIT", f"{10 * SOCKET_RATE:.0f}/5s")
SOCKET_ADDRESS_LIMIT = rate("SOCKET_ADDRESS_LIMIT", f"{200 * SOCKET_RATE:.0f}/4s")
# What messages and requests cost, in kilobytes sent; a millisecond of processor time counts as 5. So a socket
# has 4 % of a processor, a person 10 % and an address 40 %, and bursts of 10 and 20 seconds of that.
COST_SOCKET_LIMIT = rate("COST_SOCKET_LIMIT", "2000/10s")
COST_PERSON_LIMIT = rate("COST_PERSON_LIMIT", "5000/10s")
COST_ADDRESS_LIMIT = rate("COST_ADDRESS_LIMIT", "40000/20s")
# Open connections of the process, so that files are left for its store; connections of one address (behind a
# proxy: sockets, as the proxy counts connections), and sockets of one user; 0: no limit.
CONNECTIONS = limit("CONNECTIONS", connections_by_default())
# Networks whose addresses stand for many people: limits per address do not count there.
PRIVATE_NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
CROWDED_NETWORKS = networks(env.list("CROWDED_NETWORKS", default=PRIVATE_NETWORKS if LAN_ADDRESS else []))
CONNECTIONS_PER_ADDRESS = limit("CONNECTIONS_PER_ADDRESS", 500)
SOCKETS_PER_PERSON = limit("SOCKETS_PER_PERSON", 50)
# Sustained API requests a second of one token, or of one address without a token, with bursts of ten times as
# many; and open streams of one user. 0: no limit.
API_RATE = env.float("API_RATE", default=10.0)
LIMITS["API_RATE"] = "10"
API_STREAMS = limit("API_STREAMS", 50)
KALAHA_LIMIT = rate("KALAHA_LIMIT", f"{20 * SOCKET_RATE:.0f}/4s")
# Seconds that the player on turn may be away before the opponents can claim.
ABSENCE_SECONDS = env.float("ABSENCE_SECONDS", default=60.0)
# Days without a move after which the waiting players may claim a match without a clock, or a saved one, and
# after which it is ended without a result; the last is for matches that wait for a guest. 0: never.
IDLE_CLAIM_DAYS = env.int("IDLE_CLAIM_DAYS", default=14)
IDLE_END_DAYS = env.int("IDLE_END_DAYS", default=30)
IDLE_GUEST_END_DAYS = env.int("IDLE_GUEST_END_DAYS", default=3)

# Processes of a server for computer players. 0 if `manage.py runbots` runs them all; otherwise one core is
# left for serving.
BOT_PROCESSES = env.int("BOT_PROCESSES", default=max(1, min(4, (os.cpu_count() or 1) - 1)))

# Thinking time of computer players; 1 is like a person (0.4 to 2 seconds).
BOT_PACE = env.float("BOT_PACE", default=1.0)

# Seconds in quick pairing after which a computer player is offered, while the search goes on.
COMPUTER_OFFERED_AFTER = env.float("COMPUTER_OFFERED_AFTER", default=10.0)

# New guests an hour from one address, with no limit on bursts (a school has one address); 0: no limit.
GUESTS_PER_HOUR = limit("GUESTS_PER_HOUR", 60)
NAME_LIMIT = rate("NAME_LIMIT", "3/30m")
# Limits on actions.
TABLES_PER_HOST = limit("TABLES_PER_HOST", 3)
# Unfinished tournaments that one account organises, and players of one tournament.
TOURNAMENTS_PER_PERSON = limit("TOURNAMENTS_PER_PERSON", 3)
TOURNAMENT_PLAYERS = limit("TOURNAMENT_PLAYERS", 1000)
ENTRY_CODE_LIMIT = rate("ENTRY_CODE_LIMIT", "10/10m")
ENTRY_CODE_ADDRESS_LIMIT = rate("ENTRY_CODE_ADDRESS_LIMIT", "120/10m")
# Evenings that one person hosts, people of one evening, and hours for which its code lets people in.
EVENINGS_PER_HOST = limit("EVENINGS_PER_HOST", 2)
EVENING_PEOPLE = limit("EVENING_PEOPLE", 200)
EVENING_HOURS = env.int("EVENING_HOURS", default=12)
# Wrong codes of evenings, of one address and of all together (docs/explanation/security.md).
EVENING_TRIES = rate("EVENING_TRIES", "100/h")
EVENING_SITE_TRIES = rate("EVENING_SITE_TRIES", "300/h")
# Clubs of one account as a member, and as the owner; members of one club; its announcements, and the members
# that its organisers remove, in a day.
CLUBS_PER_PERSON = limit("CLUBS_PER_PERSON", 20)
CLUBS_PER_OWNER = limit("CLUBS_PER_OWNER", 3)
CLUB_MEMBERS = limit("CLUB_MEMBERS", 1000)
CLUB_ANNOUNCEMENTS_PER_DAY = limit("CLUB_ANNOUNCEMENTS_PER_DAY", 5)
CLUB_REMOVALS_PER_DAY = limit("CLUB_REMOVALS_PER_DAY", 5)
CHALLENGE_LIMIT = rate("CHALLENGE_LIMIT", "20/10m")
CHALLENGE_PAIR_LIMIT = rate("CHALLENGE_PAIR_LIMIT", "5/25m")
COMPUTER_LIMIT = rate("COMPUTER_LIMIT", "60/6m")
BOARD_LIMIT = rate("BOARD_LIMIT", "60/6m")
CHAT_LIMIT = rate("CHAT_LIMIT", "5/15s")
CHAT_ADDRESS_LIMIT = rate("CHAT_ADDRESS_LIMIT", "20/10s")
COMMAND_LIMIT = rate("COMMAND_LIMIT", "300/h")
MESSAGE_LIMIT = rate("MESSAGE_LIMIT", "10/60s")
# People to whom an account writes for the first time.
CONVERSATIONS_PER_DAY = limit("CONVERSATIONS_PER_DAY", 20)
REPORTS_PER_DAY = limit("REPORTS_PER_DAY", 10)
APPEALS_PER_MONTH = limit("APPEALS_PER_MONTH", 3)
SEARCH_LIMIT = rate("SEARCH_LIMIT", "20/40s")
DOWNLOAD_LIMIT = rate("DOWNLOAD_LIMIT", "10/5m")
FILE_LIMIT = rate("FILE_LIMIT", "6/30s")
ANALYSIS_LIMIT = rate("ANALYSIS_LIMIT", "10/5m")
ANALYSES_WAITING = limit("ANALYSES_WAITING", 20)
PICTURE_LIMIT = rate("PICTURE_LIMIT", f"{20 * SOCKET_RATE:.0f}/20s")
# Limits on stored objects.
TOKENS_PER_PERSON = limit("TOKENS_PER_PERSON", 20)
WEBHOOKS_PER_PERSON = limit("WEBHOOKS_PER_PERSON", 5)
WEBHOOK_TEST_LIMIT = rate("WEBHOOK_TEST_LIMIT", "10/100s")
DEVICES_PER_PERSON = limit("DEVICES_PER_PERSON", 10)
PEOPLE_PER_LIST = limit("PEOPLE_PER_LIST", 500)
# Seconds that a table waits in the lobby for a host who is offline.
TABLE_HOST_TIMEOUT = env.float("TABLE_HOST_TIMEOUT", default=120.0)
# Hosts that webhooks may also reach by http and at private addresses; all others need https and a public
# address.
WEBHOOK_ALLOWED_HOSTS = env.list("WEBHOOK_ALLOWED_HOSTS", default=[])
