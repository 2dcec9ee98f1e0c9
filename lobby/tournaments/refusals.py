"""Errors about tournaments."""

from __future__ import annotations

from django.conf import settings

from games.domain.refusals import Refused
from games.rules.base import gettext_noop, ngettext_noop


class TournamentError(Refused):
    """A refused action in a tournament; nothing was changed."""


class UnknownTournament(TournamentError):
    code, status = "unknown-tournament", 404
    sentence = gettext_noop("This tournament does not exist.")


class UnknownFormat(TournamentError):
    code, status = "unknown-format", 422
    sentence = gettext_noop("Choose a tournament format.")


class BadTitleLength(TournamentError):
    code, status = "bad-title", 422
    sentence = gettext_noop("Give the tournament a name of up to %(most)d characters.")


class BadTitle(TournamentError):
    """A title that the validators of names refuse; the sentence is theirs."""

    code, status = "bad-title", 422
    sentence = gettext_noop("%(why)s")


class BadAbout(TournamentError):
    code, status = "bad-about", 422
    sentence = gettext_noop("Describe the tournament in up to %(most)d characters, without links.")


class BadMinutes(TournamentError):
    code, status = "bad-minutes", 422
    sentence = gettext_noop("An arena lasts %(least)d to %(most)d minutes.")


class SlowArena(TournamentError):
    code, status = "slow-arena", 422
    sentence = gettext_noop("An arena needs a clock in minutes. For days per move, choose another format.")


class BadPause(TournamentError):
    code, status = "bad-pause", 422
    sentence = gettext_noop("A pause between rounds lasts at most %(most)d minutes.")


class BadStart(TournamentError):
    code, status = "bad-start", 422
    sentence = gettext_noop("The start must be in the future, at most a year from now.")


class ClubNeeded(TournamentError):
    code, status = "club-needed", 422
    sentence = gettext_noop("Choose the club that organises it and invites other clubs.")


class BadTeamSize(TournamentError):
    code, status = "bad-team-size", 422
    sentence = gettext_noop("In each club, 1 to %(most)d players can count.")


class FormatFixed(TournamentError):
    """Other clubs were invited to this format by this club."""

    code, status = "format-fixed", 409
    sentence = gettext_noop("The format and the organising club of a tournament of clubs cannot be changed.")


class FormatSeats(TournamentError):
    code, status = "format-seats", 422
    sentence = gettext_noop("This format does not work with this number of players at a table.")


class OrganiserGuest(TournamentError):
    code, status = "guest", 403
    sentence = gettext_noop("Sign up to organise a tournament.")


class TooManyTournaments(TournamentError):
    code, status = "too-many-tournaments", 409
    sentence, many = ngettext_noop(
        "You already organise %(most)d tournament. Finish or cancel it first.",
        "You already organise %(most)d tournaments. Finish or cancel one of them first.",
    )

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class SimulCasual(TournamentError):
    code, status = "simul-casual", 422
    sentence = gettext_noop("A simul is never rated.")


class SimulClock(TournamentError):
    """Without a clock the players would wait for the host for ever."""

    code, status = "simul-clock", 422
    sentence = gettext_noop("A simul needs a clock, unless the computer is the host.")


class BadHostSeat(TournamentError):
    code, status = "bad-host-seat", 422
    sentence = gettext_noop("The host moves first, second, or alternates.")


class BadExtra(TournamentError):
    code, status = "bad-extra", 422
    sentence = gettext_noop("The host can have up to %(most)d minutes more.")


class HostEnters(TournamentError):
    code, status = "host", 409
    sentence = gettext_noop("You are the host, and play against everybody who enters.")


class NoHost(TournamentError):
    code, status = "no-host", 409
    sentence = gettext_noop("Players are chosen only in a simul.")


class NotOrganiser(TournamentError):
    code, status = "not-organiser", 403
    sentence = gettext_noop("Only the organiser can do that.")


class Started(TournamentError):
    """What was announced holds: nobody changes the rules after the start."""

    code, status = "started", 409
    sentence = gettext_noop("The tournament has already begun and can no longer be changed.")


class NotRunning(TournamentError):
    code, status = "not-running", 409
    sentence = gettext_noop("The tournament is not running.")


class TournamentOver(TournamentError):
    code, status = "tournament-over", 409
    sentence = gettext_noop("The tournament is over.")


class NoLateEntry(TournamentError):
    code, status = "no-late-entry", 409
    sentence = gettext_noop("The tournament has already begun. You can no longer enter.")


class WrongCode(TournamentError):
    code, status = "wrong-code", 403
    sentence = gettext_noop("Wrong entry code. Ask the organiser for the right one.")


class TooManyCodes(TournamentError):
    code, status = "too-many-codes", 429
    sentence = gettext_noop("Too many wrong entry codes. Please wait a minute and try again.")
    headers = settings.ENTRY_CODE_LIMIT.retry_after


class MembersOnly(TournamentError):
    code, status = "members-only", 403
    sentence = gettext_noop("Only members of the club can enter this tournament.")


class ClubsOnly(TournamentError):
    code, status = "clubs-only", 403
    sentence = gettext_noop("Only members of the clubs that take part can enter this tournament.")


class ChooseClub(TournamentError):
    """The user is in several clubs that take part."""

    code, status = "choose-club", 409
    sentence = gettext_noop("Choose the club that you play for.")


class NotOfClubs(TournamentError):
    code, status = "not-of-clubs", 409
    sentence = gettext_noop("Clubs do not play against each other in this tournament.")


class AlreadyInvited(TournamentError):
    code, status = "already-invited", 409
    sentence = gettext_noop("%(club)s is already invited.")


class NotInvited(TournamentError):
    code, status = "not-invited", 404
    sentence = gettext_noop("This club is not invited to this tournament.")


class OwnClub(TournamentError):
    code, status = "own-club", 409
    sentence = gettext_noop("The club that organises the tournament always takes part.")


class NotMatch(TournamentError):
    code, status = "not-match", 409
    sentence = gettext_noop("Only team matches have lineups.")


class LineupsIn(TournamentError):
    """Both clubs know the lineup of the other one now."""

    code, status = "lineups-in", 409
    sentence = gettext_noop("Both lineups are in. They can no longer be changed.")


class BadLineup(TournamentError):
    code, status = "bad-lineup", 422
    sentence = gettext_noop("Choose players who have entered for the club, each for one board only.")


class TooManyTeams(TournamentError):
    code, status = "too-many-teams", 409
    sentence, many = ngettext_noop(
        "At most %(most)d club can take part.", "At most %(most)d clubs can take part."
    )

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class EntrantGuest(TournamentError):
    code, status = "guest", 403
    sentence = gettext_noop("Guests cannot enter this tournament. Sign up to play.")


class EntrantBot(TournamentError):
    code, status = "bot", 403
    sentence = gettext_noop("Computer players cannot enter this tournament.")


class Blocked(TournamentError):
    """Does not say that there is a block, or whose."""

    code, status = "blocked", 403
    sentence = gettext_noop("You cannot enter this tournament.")


class Removed(TournamentError):
    code, status = "removed", 403
    sentence = gettext_noop("The organiser has removed you from this tournament.")


class OutOfRange(TournamentError):
    code, status = "out-of-range", 403
    sentence = gettext_noop("Your rating, %(rating)d, is outside the limits of this tournament.")


class TournamentFull(TournamentError):
    code, status = "full", 409
    sentence = gettext_noop("The tournament is full.")


class NotEntered(TournamentError):
    code, status = "not-entered", 409
    sentence = gettext_noop("You are not in this tournament.")


class UnknownEntrant(TournamentError):
    code, status = "unknown-entrant", 404
    sentence = gettext_noop("%(name)s is not in this tournament.")


class NoByes(TournamentError):
    code, status = "no-byes", 409
    sentence, many = ngettext_noop(
        "You can sit out at most %(most)d round for half a point.",
        "You can sit out at most %(most)d rounds for half a point.",
    )

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class ByeTooLate(TournamentError):
    code, status = "bye-too-late", 409
    sentence = gettext_noop("This round is already paired, there is no such round, or it is the last one.")


class UnknownTable(TournamentError):
    code, status = "unknown-table", 404
    sentence = gettext_noop("There is no such table in this round.")


class RoundOver(TournamentError):
    code, status = "round-over", 409
    sentence = gettext_noop("The next round is already paired, so this result stays.")


class BadPoints(TournamentError):
    code, status = "bad-points", 422
    sentence = gettext_noop("Give each player at the table 0 to 1 points, at most %(most)g in total.")


class NoReason(TournamentError):
    code, status = "no-reason", 422
    sentence = gettext_noop("Say why.")


class NoReport(TournamentError):
    code, status = "no-report", 404
    sentence = gettext_noop("Only Swiss and round robin tournaments that have begun have results as TRF.")
