"""The stored data of matches: matches, seats and plies."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.domain import computer_names
from games.domain.dice import new_secret
from games.domain.terms import Terms

# No vowels, which could form words, and no look-alikes, since ids are read aloud and typed on phones.
ID_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"
ID_LENGTH = 10
NAME_LENGTH = 24
"""Longest name of a hot-seat player, in characters."""


def short_id() -> str:
    """A random id for a match or a table. With 28^10 of them, ids cannot be guessed."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


class Match(models.Model):
    """One match.

    Written only by `games.play.matches`, its journal and the heartbeat.
    """

    class Status(models.TextChoices):
        PLAYING = "playing", _("playing")
        SAVED = "saved", _("saved")
        FINISHED = "finished", _("finished")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=short_id, editable=False)
    # No index: with a handful of games, each value matches too many rows.
    game = models.SlugField(_("game"), db_index=False)
    options = models.TextField(_("options"), help_text=_("JSON"))
    start = models.TextField(_("state before the first ply"), help_text=_("JSON"))
    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.PLAYING)
    outcome = models.TextField(_("outcome"), null=True, blank=True, help_text=_("JSON"))  # noqa: DJ001 - null until it ends
    secret = models.CharField(_("secret of the dice"), max_length=64, default=new_secret, editable=False)
    words = models.TextField(  # noqa: DJ001 - null until the first ply freezes them
        _("words of the seats"), null=True, blank=True, help_text=_("JSON, by seat")
    )
    clock = models.CharField(_("clock"), max_length=12, blank=True)
    rated = models.BooleanField(_("rated"), default=False)
    watchable = models.BooleanField(_("others may watch"), default=True)
    delay = models.PositiveIntegerField(_("watchers' delay in seconds"), default=0)
    chat = models.BooleanField(_("people may talk"), default=True)
    offers = models.TextField(  # noqa: DJ001 - null until the first offer
        _("what is on offer"), null=True, blank=True, editable=False, help_text=_("JSON")
    )
    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("who holds the board that all play at"),
        null=True,
        blank=True,
        # The host is the only user of a hot-seat match.
        on_delete=models.CASCADE,
        related_name="held",
        # A partial index below instead, since the column is nearly always null.
        db_index=False,
    )
    rematch_of = models.OneToOneField(
        "self",
        verbose_name=_("rematch of"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="rematch",
    )
    # Set by the code that begins a match, since the clocks start at the same time.
    created = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    ended = models.DateTimeField(_("ended"), null=True, blank=True)
    deadline = models.DateTimeField(
        _("when the time of the seat on turn is up"), null=True, blank=True, editable=False
    )
    paused = models.PositiveBigIntegerField(
        _("milliseconds since the last ply that nobody is charged"), default=0, editable=False
    )
    bot_due = models.DateTimeField(
        _("when a computer player is to look at it"), null=True, blank=True, editable=False
    )

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes = [
            models.Index(fields=["status", "-created"], name="match_by_status"),
            # Set only while a clock runs.
            models.Index(
                fields=["deadline"], name="match_by_deadline", condition=models.Q(deadline__isnull=False)
            ),
            # Set only while a computer player is to move or to answer.
            models.Index(
                fields=["bot_due"], name="match_by_bot_due", condition=models.Q(bot_due__isnull=False)
            ),
            models.Index(fields=["holder"], name="match_by_holder", condition=models.Q(holder__isnull=False)),
            models.Index(fields=["ended"], name="match_by_end"),
            models.Index(fields=["ended"], name="delayed_by_end", condition=models.Q(delay__gt=0)),
        ]
        constraints = [
            # A partial index for a user's matches in play: a user may have thousands of finished ones. It is
            # redundant as a constraint, but SQLite uses it for id lookups only if it is unique.
            models.UniqueConstraint(
                fields=["id"], name="match_in_play", condition=models.Q(status="playing")
            ),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        """The address of the page of the match."""
        return reverse("match", args=[self.id])

    @property
    def terms(self) -> Terms:
        """The terms of the match."""
        return Terms(self.clock, self.rated, self.watchable, self.delay, self.chat)


class Seating(models.Model):
    """A seat of a match and its player.

    Players of a hot-seat match have names and no accounts.
    """

    # No separate indexes: the unique constraints cover both foreign keys.
    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, db_index=False, related_name="seatings", verbose_name=_("match")
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        db_index=False,
        related_name="seatings",
        verbose_name=_("player"),
    )
    name = models.CharField(_("name of somebody without an account"), max_length=NAME_LENGTH, blank=True)
    words = models.CharField(_("words for the dice"), max_length=64, blank=True)
    wants_rematch = models.BooleanField(_("wants a rematch"), default=False)
    hides_crowd = models.BooleanField(_("hides who watches"), default=False)
    keeper = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("at whose device the player plays"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="kept_seatings",
        # A partial index below instead, since the column is nearly always null.
        db_index=False,
    )
    # Stored, as the levels of a game may change.
    level = models.PositiveSmallIntegerField(_("level of the computer player"), null=True, blank=True)

    class Meta:
        verbose_name = _("seating")
        verbose_name_plural = _("seatings")
        ordering = ["seat"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="one_player_per_seat"),
            # A covering index to find a user's matches, of which there may be thousands.
            models.UniqueConstraint(fields=["user", "match"], name="one_seat_per_player"),
        ]
        indexes = [
            models.Index(fields=["keeper"], name="seat_by_keeper", condition=models.Q(keeper__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat}"

    @classmethod
    def with_people(cls, path: str = "seatings") -> "models.Prefetch[str, Any, Any]":
        """Prefetch the seats of matches with their users."""
        # In one query: a second one for the users takes Django as long to build as to run.
        return models.Prefetch(path, cls.objects.select_related("user"))

    @classmethod
    def with_names(cls, path: str = "seatings") -> "models.Prefetch[str, Any, Any]":
        """Prefetch the seats of matches with what lists show of their users."""
        listed = get_user_model().listed("user")
        seatings = cls.objects.select_related("user").only("match", "seat", "user", "name", "level", *listed)
        return models.Prefetch(path, seatings)

    def get_name(self) -> str:
        """The name of the player in this match."""
        return self.name or self.get_username()

    def name_in_words(self) -> str:
        """The name that pages show: computer players have one in the active language."""
        name = self.get_name()
        return name if self.level is None else computer_names.in_words(name)

    def get_username(self) -> str:
        """The name by which the site knows the player; without an account the name in this match."""
        return self.name if self.user is None else self.user.get_username()


class Ply(models.Model):
    """One ply, written once and never changed. Written only by `games.store.journal`.

    The primary key (match, number) acts as compare-and-set between server processes: if two validate a ply
    for the same position, the database accepts one.
    """

    pk = models.CompositePrimaryKey("match_id", "number")
    # No index: the primary key begins with this column.
    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="plies", verbose_name=_("match"), db_index=False
    )
    number = models.PositiveIntegerField(_("number"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)  # null: chance
    action = models.CharField(_("action"), max_length=32)
    dice = models.TextField(_("dice"), null=True, help_text=_("JSON"))  # noqa: DJ001 - null: nothing thrown
    events = models.TextField(_("events"), help_text=_("JSON"))
    state = models.TextField(_("state after"), help_text=_("JSON"))
    command = models.CharField(_("command"), max_length=64, null=True)  # noqa: DJ001 - null: not sent by a client
    at = models.DateTimeField(_("time"))
    clocks = models.TextField(_("clocks after"), null=True, help_text=_("JSON"))  # noqa: DJ001 - null: untimed

    class Meta:
        verbose_name = _("ply")
        verbose_name_plural = _("plies")

    def __str__(self) -> str:
        return f"{self.match_id} {self.number}. {self.action}"


class ConditionalMoves(models.Model):
    """The conditional moves of a player. Written only by `games.store.conditional`.

    No other user ever sees them. The lines start after ply `after` and are stored as entered. Which of them
    are still possible is derived from the plies since, so a crash neither repeats nor loses a move.
    """

    match = models.ForeignKey(
        Match,
        on_delete=models.CASCADE,
        db_index=False,
        related_name="conditional_moves",
        verbose_name=_("match"),
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    after = models.PositiveIntegerField(_("number of the ply after which the lines begin"))
    lines = models.TextField(_("lines"), help_text=_("JSON"))
    checked = models.PositiveIntegerField(_("number of the last ply up to which nothing is to be played"))

    class Meta:
        verbose_name = _("conditional moves")
        verbose_name_plural = _("conditional moves")
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="conditional_moves_of_a_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} after {self.after}"


class AnalysisTask(models.Model):
    """The strongest computer player's evaluation of a position. Written only by `games.store.analysis_queue`.

    Without a `look` the evaluation is pending; `due` is when a worker may lease it, which is later while one
    has it. A hint uses the one of the current position, an analysis those of the whole match.
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="analysis_tasks", verbose_name=_("match")
    )
    ply = models.PositiveIntegerField(_("number of the ply before the position"))
    look = models.TextField(_("look"), null=True, blank=True, help_text=_("JSON"))  # noqa: DJ001 - null until it is there
    due = models.DateTimeField(_("when a worker may take it up"), null=True, blank=True)

    class Meta:
        db_table = "games_thought"
        verbose_name = _("analysis task")
        verbose_name_plural = _("analysis tasks")
        constraints = [models.UniqueConstraint(fields=["match", "ply"], name="one_thought_of_a_position")]
        indexes = [
            models.Index(fields=["due"], name="thought_by_due", condition=models.Q(due__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} after {self.ply}"


class PositionLook(models.Model):
    """The strongest computer player's evaluation of a position without a match.

    Written only by `games.store.position_looks`. `look` and `due` are those of `AnalysisTask`. Rows are kept
    for some days, so that one search serves all who look at the position.
    """

    digest = models.CharField(primary_key=True, max_length=64)
    game = models.SlugField(_("game"), db_index=False)
    seats = models.PositiveSmallIntegerField(_("number of seats"))
    state = models.TextField(_("state"))
    look = models.TextField(_("look"), null=True, blank=True)  # noqa: DJ001 - null until it is there
    due = models.DateTimeField(_("when a worker may take it up"), null=True, blank=True)
    at = models.DateTimeField(_("time"), db_index=True)

    class Meta:
        verbose_name = _("evaluation of a position")
        verbose_name_plural = _("evaluations of positions")
        indexes = [
            models.Index(fields=["due"], name="look_by_due", condition=models.Q(due__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.digest


class Heartbeat(models.Model):
    """A single row with the last heartbeat of the site.

    Written only by `games.store.heartbeat`.
    """

    at = models.DateTimeField(_("time"))
    gaps = models.PositiveIntegerField(_("times the site was away"), default=0)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return self.at.isoformat()
