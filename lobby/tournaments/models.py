"""Tournaments, their players, and who plays whom."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import ID_LENGTH, NAME_LENGTH, Match, short_id
from lobby.clubs.models import CLUB_NAME_LENGTH, Club

TITLE_LENGTH = 60
CODE_LENGTH = 20
WHY_LENGTH = 200
ABOUT_LENGTH = 500


class Tournament(models.Model):
    """A tournament. Written only by `tournaments`, `organising` and `director` of `lobby.tournaments`.

    Who leads is not stored before the end: standings follow from the matches and the decided pairings. Then
    `FinalSheet` has them.

    `due` is when a director is to look at the tournament. A process that takes it moves `due` forward as its
    lease; null: nothing is to be done.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open for entries")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("over")
        CANCELLED = "cancelled", _("cancelled")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=short_id, editable=False)
    title = models.CharField(_("title"), max_length=TITLE_LENGTH)
    about = models.CharField(_("description"), max_length=ABOUT_LENGTH, blank=True)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="tournaments",
        verbose_name=_("organiser"),
    )
    # What its matches are like.
    game = models.SlugField(_("game"), db_index=False)
    options = models.JSONField(_("options"))
    clock = models.CharField(_("clock"), max_length=12, blank=True)
    rated = models.BooleanField(_("rated"), default=False)
    # How players are paired (`lobby.tournaments.formats`).
    format = models.SlugField(_("format"), db_index=False)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    seats = models.PositiveSmallIntegerField(_("seats of a match"), default=2)
    minutes = models.PositiveSmallIntegerField(_("minutes of an arena"), default=0)
    third_place = models.BooleanField(_("match for the third place"), default=True)
    team_size = models.PositiveSmallIntegerField(_("players of each club who count"), default=0, db_default=0)
    half_byes = models.PositiveSmallIntegerField(_("most half-point byes"), default=1)
    computer = models.PositiveSmallIntegerField(_("level of the computer player in the odd seat"), default=0)
    pause = models.PositiveSmallIntegerField(_("minutes between two rounds"), default=0)
    # Of a simul. Its host is the organiser, or the computer player of the level `computer`.
    host_seat = models.CharField(
        _("seat of the host"), max_length=11, default="alternating", db_default="alternating"
    )
    extra_minutes = models.PositiveSmallIntegerField(_("more minutes for the host"), default=0, db_default=0)
    host_admits = models.BooleanField(_("the host chooses who plays"), default=False, db_default=False)
    # Who may enter.
    club = models.ForeignKey(
        Club,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tournaments",
        verbose_name=_("club whose members can enter"),
    )
    code = models.CharField(_("entry code"), max_length=CODE_LENGTH, blank=True)
    lowest_rating = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    highest_rating = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    late = models.BooleanField(_("late entry"), default=True)
    bots = models.BooleanField(_("computer players can enter"), default=False)
    guests = models.BooleanField(_("guests can enter"), default=False)
    chat = models.BooleanField(_("people can chat during matches"), default=True)
    vacations = models.BooleanField(_("vacations count with days per move"), default=True, db_default=True)
    # Null: when the organiser starts it.
    starts = models.DateTimeField(_("start"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.OPEN)
    paused = models.BooleanField(_("paused"), default=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    began = models.DateTimeField(_("began"), null=True, blank=True)
    ended = models.DateTimeField(_("ended"), null=True, blank=True)
    next_round = models.DateTimeField(_("when the next round may be paired"), null=True, blank=True)
    due = models.DateTimeField(_("when a director is to look at it"), null=True, blank=True)
    # So that pages and programs see whether anything is new.
    version = models.PositiveIntegerField(_("number of its last change"), default=0)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes = [
            models.Index(fields=["state", "-created"], name="tournament_by_state"),
            models.Index(fields=["due"], name="tournament_by_due", condition=models.Q(due__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.id

    @property
    def title_in_words(self) -> str:
        """The title, in the active language if nobody gave one: of a round of a class, or of an evening."""
        if self.title:
            return self.title
        if hasattr(self, "class_round"):
            of_class = {
                "class": self.class_round.school_class.title,
                "number": self.class_round.number,
            }
            return gettext("%(class)s · Round %(number)d") % of_class
        return gettext("An evening together")


class Team(models.Model):
    """A club in a tournament of clubs. Written only by `invitations`, `lineups`, `teams`.

    The club that organises it takes part from the beginning; others are invited, and accept or decline.
    `rank` and `points` are stored when it ends, so that the page of a club can list them.
    """

    class State(models.TextChoices):
        INVITED = "invited", _("invited")
        ACCEPTED = "accepted", _("takes part")
        DECLINED = "declined", _("declined")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, db_index=False, related_name="teams")
    # Null once the club is dissolved; then the name is its last one.
    club = models.ForeignKey(
        Club, null=True, on_delete=models.SET_NULL, related_name="teams", verbose_name=_("club")
    )
    name = models.CharField(_("name"), max_length=CLUB_NAME_LENGTH)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.INVITED)
    created = models.DateTimeField(_("invited"), auto_now_add=True)
    # In a team match. Until both clubs have handed theirs in, nobody sees the lineup of the other one.
    handed_in = models.DateTimeField(_("lineup handed in"), null=True)
    rank = models.PositiveSmallIntegerField(_("place"), null=True)
    points = models.FloatField(_("points"), null=True)

    class Meta:
        verbose_name = _("club in a tournament")
        verbose_name_plural = _("clubs in tournaments")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "club"], name="one_team_per_club"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.club_id}"

    def get_absolute_url(self) -> str:
        """The address of the club; "" once it is dissolved."""
        return "" if self.club is None else self.club.get_absolute_url()

    def get_name(self) -> str:
        """The name of the club now, or its last one."""
        return self.name if self.club is None else self.club.name


class Entrant(models.Model):
    """A player of a tournament. Written only by `entries`, `lineups`, `tournaments` of `lobby.tournaments`.

    A seed is given at the start, the strongest first, and to late players on entry.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, db_index=False, related_name="entrants"
    )
    # Protected, because pairings of others refer to it (`lobby.accounts.deletion`).
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entries", verbose_name=_("player")
    )
    keeper = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        # Nobody asks for it by user, and the column is nearly always null.
        db_index=False,
        related_name="kept_entries",
        verbose_name=_("at whose device the player plays"),
    )
    team = models.ForeignKey(
        Team,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        # Nobody asks for it beside the tournament.
        db_index=False,
        related_name="entrants",
        verbose_name=_("club for which the player plays"),
    )
    board = models.PositiveSmallIntegerField(_("place in the lineup of the club"), null=True)
    # The database has the default too, for servers of the version before.
    name = models.CharField(
        _("name at an evening"), max_length=NAME_LENGTH, blank=True, default="", db_default=""
    )
    rating = models.FloatField(_("rating on entry"))
    seed = models.PositiveSmallIntegerField(_("seed"), null=True)
    joined = models.PositiveSmallIntegerField(_("first round"), default=1)
    byes = models.JSONField(_("rounds with a bye that was asked for"), default=list)
    withdrawn = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    # Until they say that they are back nobody is paired with them.
    away = models.DateTimeField(_("away since a match that was missed"), null=True, blank=True)
    missed = models.PositiveSmallIntegerField(_("matches missed in a row"), default=0)
    # Who plays everybody else in a simul; known once it has begun.
    host = models.BooleanField(_("host of a simul"), default=False, db_default=False)
    admitted = models.BooleanField(_("chosen by the host of a simul"), default=True, db_default=True)
    # By the organiser: then there is no way back.
    removed = models.BooleanField(_("removed"), default=False)
    created = models.DateTimeField(_("entered"), auto_now_add=True)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="one_entry_per_player"),
            models.UniqueConstraint(fields=["tournament", "seed"], name="one_player_per_seed"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.user_id}"

    def get_name(self) -> str:
        """The name of the player in this tournament."""
        return self.name or self.user.get_username()

    def name_in_words(self) -> str:
        """The name that pages show: computer players have one in the active language."""
        return self.name or self.user.name_in_words()


class Pairing(models.Model):
    """The players of a match, or one player with a bye. Written only by `lobby.tournaments.pairings`.

    The match is made after the pairing, and there is one at most. `decided` is set when the points do not
    come from the match: a bye, a forfeit, or a decision of the organiser.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, db_index=False, related_name="pairings"
    )
    round = models.PositiveSmallIntegerField(_("round"))
    table = models.PositiveSmallIntegerField(_("table"))
    replay = models.PositiveSmallIntegerField(_("replay after a draw"), default=0)
    kind = models.CharField(_("kind"), max_length=8)
    reason = models.CharField(_("why they meet"), max_length=40, blank=True)
    match = models.OneToOneField(
        Match, null=True, blank=True, on_delete=models.PROTECT, related_name="pairing"
    )
    created = models.DateTimeField(_("paired"))
    decided = models.DateTimeField(_("decided"), null=True, blank=True)
    why = models.CharField(_("reason of the decision"), max_length=WHY_LENGTH, blank=True)
    told = models.BooleanField(_("its players were told of the match"), default=False)
    noted = models.BooleanField(_("it was noted who came to the match"), default=False)

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round", "table", "replay"], name="one_pairing_per_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.round}/{self.table}"


class PairingSeat(models.Model):
    """The seat of a player in a pairing. Written only by `lobby.tournaments.pairings`.

    `round` and `replay` are those of the pairing, so that nobody is paired twice in a round. Only the host of
    a simul is, once at each board: `board` is its number there, and 0 for everybody else. `points` stay null
    unless the pairing is decided.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, db_index=False, related_name="seats")
    seat = models.PositiveSmallIntegerField(_("seat"))
    entrant = models.ForeignKey(
        Entrant, on_delete=models.PROTECT, db_index=False, related_name="pairing_seats"
    )
    round = models.PositiveSmallIntegerField(_("round"))
    replay = models.PositiveSmallIntegerField(_("replay after a draw"), default=0)
    board = models.PositiveSmallIntegerField(_("board of the host of a simul"), default=0, db_default=0)
    points = models.FloatField(_("points"), null=True)

    class Meta:
        verbose_name = _("seat of a pairing")
        verbose_name_plural = _("seats of pairings")
        constraints = [
            models.UniqueConstraint(fields=["pairing", "seat"], name="one_entrant_per_seat"),
            models.UniqueConstraint(
                fields=["entrant", "round", "replay", "board"], name="one_pairing_per_round"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_id}/{self.seat}"


class FinalSheet(models.Model):
    """The standings and results of a tournament that is over. Written only by `lobby.tournaments.sheet`.

    They name players by `Entrant`, so that a new name, or none, is shown there too.
    """

    tournament = models.OneToOneField(
        Tournament, primary_key=True, on_delete=models.CASCADE, related_name="final_sheet"
    )
    content = models.TextField(_("standings and results, as JSON"))

    class Meta:
        verbose_name = _("final standings")
        verbose_name_plural = _("final standings")

    def __str__(self) -> str:
        return self.tournament_id
