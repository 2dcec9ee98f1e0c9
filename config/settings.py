"""Django's settings, with the values that `config.environment` reads."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import environ

from config import environment
from games.net.limits import Rate

BASE_DIR: Path = Path(__file__).resolve().parent.parent

environment.read_file(BASE_DIR / ".env", os.environ)
given = environment.Environment(os.environ)

# Runtime files: the SQLite database and the collected static files.
VAR_DIR = given.VAR_DIR
DEBUG = given.DEBUG
SECRET_KEY = given.SECRET_KEY
ALLOWED_HOSTS = given.ALLOWED_HOSTS
# The address of this computer on its network. Links shared from 127.0.0.1 use it.
LAN_ADDRESS = given.LAN_ADDRESS
# Scheme, host and port of pages that may open sockets and send forms. Pages of a server that is reached
# directly always have its own origin; behind a proxy name the public one here.
CSRF_TRUSTED_ORIGINS = given.TRUSTED_ORIGINS

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
    "config.middleware.accepted_codings.AcceptedCodings",
    "config.middleware.browser_headers.BrowserHeaders",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.assets.compression.CompressedPages",
    "config.middleware.shared_pages.SharedPages",
    "csp.middleware.CSPMiddleware",
    "config.api_middleware.ApiMiddleware",
    "config.middleware.request_costs.RequestCosts",
    "config.request_validation.RequestValidation",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "lobby.people.language.LanguageOfReader",
    "config.middleware.outdated_pages.OutdatedPages",
    "django.contrib.messages.middleware.MessageMiddleware",
    "lobby.auth.afterwards.WorkAfterAnswers",
    "allauth.account.middleware.AccountMiddleware",
    "lobby.auth.gates.BannedGuests",
    "lobby.auth.gates.AccountPages",
    "lobby.auth.gates.AdminPages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.error_views.RefusalPages",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "config.i18n.templates.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "lobby.people.context.preferences",
                "config.install.shell.app",
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
DATABASE_POOL = given.DATABASE_POOL
# Requests that this process works on at the same time; others wait for their turn. Pages are short, and many
# wait for something else than the processor.
PAGES_AT_ONCE = 2 * DATABASE_POOL
FORMS_AT_ONCE = max(1, DATABASE_POOL // 2)
# Seconds that PostgreSQL may work on a statement, including locks; 0: no limit.
STATEMENT_SECONDS = given.STATEMENT_SECONDS
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


DATABASES = {"default": database(given.DATABASE_URL or f"sqlite:///{VAR_DIR / 'parlour.sqlite3'}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Several addresses are shards of the channel layer.
REDIS_URLS = given.REDIS_URL
REDIS_URL = ",".join(REDIS_URLS)


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
SIGN_UPS_PER_MINUTE = given.SIGN_UPS_PER_MINUTE
LOG_INS_PER_MINUTE = given.LOG_INS_PER_MINUTE
WRONG_PASSWORDS_PER_MINUTE = given.WRONG_PASSWORDS_PER_MINUTE
WRONG_PASSWORD_LIMIT = given.WRONG_PASSWORD_LIMIT
PASSKEY_LIMIT = given.PASSKEY_LIMIT
PASSWORD_RESET_LIMIT = given.PASSWORD_RESET_LIMIT
PASSWORD_LINK_LIMIT = given.PASSWORD_LINK_LIMIT
PASSWORD_CHANGE_LIMIT = given.PASSWORD_CHANGE_LIMIT
EMAIL_CHANGE_LIMIT = given.EMAIL_CHANGE_LIMIT
EMAIL_LINK_LIMIT = given.EMAIL_LINK_LIMIT


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
# Rate limits use REMOTE_ADDR, which `config.trusted_headers` sets.
ALLAUTH_TRUSTED_PROXY_COUNT = 0
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# Identity providers that the host has configured.
SOCIAL_LOGIN = given.SOCIAL_LOGIN
SOCIALACCOUNT_ADAPTER = "lobby.auth.adapters.SocialAdapter"
SOCIALACCOUNT_FORMS = {"signup": "lobby.auth.forms.SocialSignUpForm"}
# Every user chooses a name here.
SOCIALACCOUNT_AUTO_SIGNUP = False


SOCIALACCOUNT_PROVIDERS = {name: given.provider(name) for name in SOCIAL_LOGIN}
INSTALLED_APPS += [f"allauth.socialaccount.providers.{name}" for name in SOCIAL_LOGIN]

# EMAIL_BACKEND, EMAIL_HOST and so on.
globals().update(given.EMAIL_URL)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = given.EMAIL_FROM

SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 365  # a guest's seat should outlive a holiday
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True

# Over plain http (a club's own network) secure cookies would sign nobody in.
HTTPS = given.HTTPS
# Where users reach the host.
CONTACT_EMAIL = given.CONTACT_EMAIL
CONTACT_URL = given.CONTACT_URL

PRIVACY_FILE = given.PRIVACY_FILE
IMPRINT_FILE = given.IMPRINT_FILE
TERMS_FILE = given.TERMS_FILE
# Whether users can chat; a school may not want that.
CHAT = given.CHAT
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
# HSTS for a whole domain lasts for years, also in browsers' preload lists: the owner has to decide.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS and given.HSTS_PRELOAD
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Whether `config.trusted_headers` believes the headers of a proxy.
BEHIND_PROXY = given.BEHIND_PROXY
X_FRAME_OPTIONS = "DENY"

# Sites that may show boards in frames (/embed/); no other page may be framed.
EMBED_ANCESTORS = given.EMBED_ANCESTORS

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
LOG_FORMAT = given.LOG_FORMAT
# The port for Prometheus; 0: no metrics.
METRICS_PORT = given.METRICS_PORT
METRICS_HOST = given.METRICS_HOST

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
        "faults": {"()": "config.observability.log_filters.ShortFaults"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["client_errors", "faults"],
        }
    },
    "root": {"handlers": ["console"], "level": given.LOG_LEVEL},
    "loggers": {"django.server": {"level": "WARNING"}},
}

# Rate limits allow bursts up to the full count, and count by process (docs/reference/settings.md).

# Sustained messages a second of one socket, with bursts of five times as many; 0 disables all limits of this
# kind. A user and an address have several sockets: a classroom or a club shares an address.
SOCKET_RATE = given.SOCKET_RATE
SOCKET_PERSON_LIMIT = given.SOCKET_PERSON_LIMIT
SOCKET_ADDRESS_LIMIT = given.SOCKET_ADDRESS_LIMIT
# What messages and requests cost, in kilobytes sent; a millisecond of processor time counts as 5. So a socket
# has 4 % of a processor, a person 10 % and an address 40 %, and bursts of 10 and 20 seconds of that.
COST_SOCKET_LIMIT = given.COST_SOCKET_LIMIT
COST_PERSON_LIMIT = given.COST_PERSON_LIMIT
COST_ADDRESS_LIMIT = given.COST_ADDRESS_LIMIT
# Sockets and requests of the process, so that files are left for its store; those of one address; and sockets
# of one user; 0: no limit.
CONNECTIONS = given.CONNECTIONS
# Networks whose addresses stand for many people: limits per address do not count there.
CROWDED_NETWORKS = given.CROWDED_NETWORKS
CONNECTIONS_PER_ADDRESS = given.CONNECTIONS_PER_ADDRESS
SOCKETS_PER_PERSON = given.SOCKETS_PER_PERSON
# Sustained API requests a second of one token, or of one address without a token, with bursts of ten times as
# many; and open streams of one user. 0: no limit.
API_RATE = given.API_RATE
API_STREAMS = given.API_STREAMS
KALAHA_LIMIT = given.KALAHA_LIMIT
# Seconds that the player on turn may be away before the opponents can claim.
ABSENCE_SECONDS = given.ABSENCE_SECONDS
# Days without a move after which the waiting players may claim a match without a clock, or a saved one, and
# after which it is ended without a result; the last is for matches that wait for a guest. 0: never.
IDLE_CLAIM_DAYS = given.IDLE_CLAIM_DAYS
IDLE_END_DAYS = given.IDLE_END_DAYS
IDLE_GUEST_END_DAYS = given.IDLE_GUEST_END_DAYS

# Processes of a server for computer players. 0 if `manage.py runbots` runs them all; otherwise one core is
# left for serving.
BOT_PROCESSES = given.BOT_PROCESSES

# Thinking time of computer players; 1 is like a person (0.4 to 2 seconds).
BOT_PACE = given.BOT_PACE

# Seconds in quick pairing after which a computer player is offered, while the search goes on.
COMPUTER_OFFERED_AFTER = given.COMPUTER_OFFERED_AFTER

# New guests an hour from one address, with no limit on bursts (a school has one address); 0: no limit.
GUESTS_PER_HOUR = given.GUESTS_PER_HOUR
NAME_LIMIT = given.NAME_LIMIT
# Limits on actions.
TABLES_PER_HOST = given.TABLES_PER_HOST
# Unfinished tournaments that one account organises, and players of one tournament.
TOURNAMENTS_PER_PERSON = given.TOURNAMENTS_PER_PERSON
TOURNAMENT_PLAYERS = given.TOURNAMENT_PLAYERS
ENTRY_CODE_LIMIT = given.ENTRY_CODE_LIMIT
PUZZLE_RUN_LIMIT = given.PUZZLE_RUN_LIMIT
ENTRY_CODE_ADDRESS_LIMIT = given.ENTRY_CODE_ADDRESS_LIMIT
# Evenings that one person hosts, people of one evening, and hours for which its code lets people in.
EVENINGS_PER_HOST = given.EVENINGS_PER_HOST
EVENING_PEOPLE = given.EVENING_PEOPLE
EVENING_HOURS = given.EVENING_HOURS
# Wrong codes of evenings, of one address and of all together (docs/explanation/security.md).
EVENING_TRIES = given.EVENING_TRIES
EVENING_SITE_TRIES = given.EVENING_SITE_TRIES
# Who may make classes, classes that one account teaches, and pupils of one class.
CLASSES = given.CLASSES
CLASSES_PER_TEACHER = given.CLASSES_PER_TEACHER
CLASS_PUPILS = given.CLASS_PUPILS
# Wrong cards, PINs and codes of one address, and wrong PINs of one name (docs/explanation/security.md).
CLASS_TRIES = given.CLASS_TRIES
PIN_TRIES = given.PIN_TRIES
# Clubs of one account as a member, and as the owner; members of one club; its announcements, and the members
# that its organisers remove, in a day.
CLUBS_PER_PERSON = given.CLUBS_PER_PERSON
CLUBS_PER_OWNER = given.CLUBS_PER_OWNER
STUDIES_PER_PERSON = given.STUDIES_PER_PERSON
CLUB_MEMBERS = given.CLUB_MEMBERS
CLUB_ANNOUNCEMENTS_PER_DAY = given.CLUB_ANNOUNCEMENTS_PER_DAY
CLUB_REMOVALS_PER_DAY = given.CLUB_REMOVALS_PER_DAY
CHALLENGE_LIMIT = given.CHALLENGE_LIMIT
CHALLENGE_PAIR_LIMIT = given.CHALLENGE_PAIR_LIMIT
COMPUTER_LIMIT = given.COMPUTER_LIMIT
BOARD_LIMIT = given.BOARD_LIMIT
CHAT_LIMIT = given.CHAT_LIMIT
CHAT_ADDRESS_LIMIT = given.CHAT_ADDRESS_LIMIT
COMMAND_LIMIT = given.COMMAND_LIMIT
MESSAGE_LIMIT = given.MESSAGE_LIMIT
# People to whom an account writes for the first time.
CONVERSATIONS_PER_DAY = given.CONVERSATIONS_PER_DAY
REPORTS_PER_DAY = given.REPORTS_PER_DAY
APPEALS_PER_MONTH = given.APPEALS_PER_MONTH
SEARCH_LIMIT = given.SEARCH_LIMIT
DOWNLOAD_LIMIT = given.DOWNLOAD_LIMIT
FILE_LIMIT = given.FILE_LIMIT
ANALYSIS_LIMIT = given.ANALYSIS_LIMIT
ANALYSES_WAITING = given.ANALYSES_WAITING
PICTURE_LIMIT = given.PICTURE_LIMIT
# Limits on stored objects.
TOKENS_PER_PERSON = given.TOKENS_PER_PERSON
WEBHOOKS_PER_PERSON = given.WEBHOOKS_PER_PERSON
WEBHOOK_TEST_LIMIT = given.WEBHOOK_TEST_LIMIT
DEVICES_PER_PERSON = given.DEVICES_PER_PERSON
PEOPLE_PER_LIST = given.PEOPLE_PER_LIST
# Seconds that a table waits in the lobby for a host who is offline.
TABLE_HOST_TIMEOUT = given.TABLE_HOST_TIMEOUT
# Hosts that webhooks may also reach by http and at private addresses; all others need https and a public
# address.
WEBHOOK_ALLOWED_HOSTS = given.WEBHOOK_ALLOWED_HOSTS
