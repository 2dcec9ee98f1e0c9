"""What is stored of a match: who sits where, and every ply that was ever played."""

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.domain.dice import new_secret
from games.domain.terms import Terms

# No vowels and no look-alikes: addresses are read aloud, typed on phones, and should spell nothing.
ID_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"
ID_LENGTH = 10
NAME_LENGTH = 24
"""Letters of a name that is given to somebody without an account."""


def short_id() -> str:
    """A random address for a match or a table: 28^10 of them, too many to guess one."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


class Match(models.Model):
    """One match, from its first state to its outcome.

    Only `games.play.matches`, its journal and the heartbeat write it.
    """

    class Status(models.TextChoices):
        PLAYING = "playing", _("playing")
        SAVED = "saved", _("saved")
        FINISHED = "finished", _("finished")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=short_id, editable=False)
    # An index of a handful of games leads to all that ever was.
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
    offers = models.TextField(  # noqa: DJ001 - null until somebody offers something
        _("what is on offer"), null=True, blank=True, editable=False, help_text=_("JSON")
    )
    holder = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("who holds the board that all play at"),
        null=True,
        blank=True,
        # Nobody else has an account at that board.
        on_delete=models.CASCADE,
        related_name="held",
        # Below: where nearly all have none, an index of those is worse than looking through all.
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
    # Whoever begins a match says when, for its clocks start at the same moment.
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
            # Only matches whose clock runs have one.
            models.Index(
                fields=["deadline"], name="match_by_deadline", condition=models.Q(deadline__isnull=False)
            ),
            # Only matches in which a computer player is to move or to answer have one.
            models.Index(
                fields=["bot_due"], name="match_by_bot_due", condition=models.Q(bot_due__isnull=False)
            ),
            models.Index(fields=["holder"], name="match_by_holder", condition=models.Q(holder__isnull=False)),
            models.Index(fields=["ended"], name="match_by_end"),
            models.Index(fields=["ended"], name="delayed_by_end", condition=models.Q(delay__gt=0)),
        ]
        constraints = [
            # Nothing that the key does not hold: of the thousands of matches that somebody has played this
            # finds at once the few that go on, and SQLite takes it for the key only if it is unique, too.
            models.UniqueConstraint(
                fields=["id"], name="match_in_play", condition=models.Q(status="playing")
            ),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.id])

    @property
    def terms(self) -> Terms:
        """What the players agreed on."""
        return Terms(self.clock, self.rated, self.watchable, self.delay, self.chat)


class Seating(models.Model):
    """Who sits at which seat of a match, and what they brought.

    At a board that somebody holds for all, those who sit there have names and no accounts.
    """

    # Both are found by what makes a seat, and a player, the only one.
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
    # Kept with the match: the game may have other levels one day.
    level = models.PositiveSmallIntegerField(_("level of the computer player"), null=True, blank=True)

    class Meta:
        verbose_name = _("seating")
        verbose_name_plural = _("seatings")
        ordering = ["seat"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="one_player_per_seat"),
            # All that is looked at where somebody's matches are looked for, of whom some have thousands.
            models.UniqueConstraint(fields=["user", "match"], name="one_seat_per_player"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat}"

    @classmethod
    def with_people(cls, path: str = "seatings") -> "models.Prefetch[str, Any, Any]":
        """The seats of matches and who sits there, to be read along with the matches."""
        # By one question: Django has one about many people put together for as long as it takes to read them.
        return models.Prefetch(path, cls.objects.select_related("user"))

    def get_name(self) -> str:
        """What whoever sits there is called."""
        return self.name if self.user is None else self.user.get_username()


class Ply(models.Model):
    """One ply, written once and never changed. Only `games.store.journal` writes it.

    The key (match, number) is the compare-and-set that makes several server processes safe: of two
    that judged the same position, the database lets one write.
    """

    pk = models.CompositePrimaryKey("match_id", "number")
    # The key begins with it, so that it needs no index of its own.
    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="plies", verbose_name=_("match"), db_index=False
    )
    number = models.PositiveIntegerField(_("number"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)  # null: chance
    action = models.CharField(_("action"), max_length=32)
    dice = models.TextField(_("dice"), null=True, help_text=_("JSON"))  # noqa: DJ001 - null: nothing thrown
    events = models.TextField(_("events"), help_text=_("JSON"))
    state = models.TextField(_("state after"), help_text=_("JSON"))
    command = models.CharField(_("command"), max_length=64, null=True)  # noqa: DJ001 - null: nobody sent it
    at = models.DateTimeField(_("time"))
    clocks = models.TextField(_("clocks after"), null=True, help_text=_("JSON"))  # noqa: DJ001 - null: untimed

    class Meta:
        verbose_name = _("ply")
        verbose_name_plural = _("plies")

    def __str__(self) -> str:
        return f"{self.match_id} {self.number}. {self.action}"


class ConditionalMoves(models.Model):
    """What a player answers to moves that the opponent may make. Only `games.store.conditional` writes it.

    Nobody but that player is ever told of it. The lines begin in the position after ply `after` and stay as
    they were entered: what of them still holds follows from the plies since, so that nothing is played twice
    and nothing is lost wherever a process dies.
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


class Thought(models.Model):
    """What the best computer player makes of a position. Only `games.store.analysis_queue` writes it.

    It is wanted as long as it has no look; `due` is when a worker may take it up, which is later while one
    has it. A hint is the thought of the position on the board, an analysis those of a whole match.
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="thoughts", verbose_name=_("match")
    )
    ply = models.PositiveIntegerField(_("number of the ply before the position"))
    look = models.TextField(_("look"), null=True, blank=True, help_text=_("JSON"))  # noqa: DJ001 - null until it is there
    due = models.DateTimeField(_("when a worker may take it up"), null=True, blank=True)

    class Meta:
        verbose_name = _("thought")
        verbose_name_plural = _("thoughts")
        constraints = [models.UniqueConstraint(fields=["match", "ply"], name="one_thought_of_a_position")]
        indexes = [
            models.Index(fields=["due"], name="thought_by_due", condition=models.Q(due__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} after {self.ply}"


class Heartbeat(models.Model):
    """One row: when a process of this site last said that it is alive.

    Only `games.store.heartbeat` writes it.
    """

    at = models.DateTimeField(_("time"))
    gaps = models.PositiveIntegerField(_("times the site was away"), default=0)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return self.at.isoformat()
