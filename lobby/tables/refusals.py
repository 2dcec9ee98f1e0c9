"""Errors about tables."""

from __future__ import annotations

from django.conf import settings

from games.domain import clock
from games.domain.refusals import Refused
from games.rules.base import BadOptions, gettext_noop, ngettext_noop


class TableError(Refused):
    """A refused action at a table; nothing was changed."""


class UnknownGame(TableError):
    code, status = "unknown-game", 422
    sentence = gettext_noop("This game does not exist here.")


class BadFirst(TableError):
    code, status = "bad-first", 422
    sentence = gettext_noop("Choose who moves first.")


class RatedFirst(TableError):
    """The first move of a rated match cannot be chosen."""

    code, status = "rated-first", 422
    sentence = gettext_noop("In rated matches the first move is random.")


class TooManyComputers(TableError):
    code, status = "too-many-computers", 429
    sentence = gettext_noop("Too many new matches against the computer. Please wait a minute.")
    headers = settings.COMPUTER_LIMIT.retry_after


class TooManyBoards(TableError):
    code, status = "too-many-boards", 429
    sentence = gettext_noop("Too many new matches from your network. Please wait a minute.")
    headers = settings.BOARD_LIMIT.retry_after


class TooManyChallenges(TableError):
    code, status = "too-many-challenges", 429
    sentence = gettext_noop("Too many challenges. Please wait a few minutes.")
    headers = settings.CHALLENGE_PAIR_LIMIT.retry_after


class BadSeats(TableError):
    code, status = "bad-seats", 422
    sentence = gettext_noop("Choose a computer player for every other seat.")


class BadNames(TableError):
    code, status = "bad-names", 422
    sentence = gettext_noop("Give each player a different name, up to %(most)d letters.")


class ReservedName(TableError):
    code, status = "reserved-name", 422
    sentence = gettext_noop("The name %(name)s is reserved. Please choose another.")


class BadOption(TableError):
    """The options do not fit the game; `option` is the name of the wrong one, if known."""

    code, status = "bad-option", 422
    sentence = gettext_noop("This game has no such option.")

    def __init__(self, option: str | None, /, **params: object) -> None:
        super().__init__(**params)
        self.option = option


class PresetBadOption(BadOption):
    code, status = "bad-option", 422
    sentence = gettext_noop("This game has no such preset.")

    def __init__(self) -> None:
        super().__init__("preset")


class RulesBadOption(BadOption):
    """A game refused its options or the number of players; code and sentence are the game's."""

    def __init__(self, error: BadOptions) -> None:
        self.code, self.status, self.sentence = error.code, error.status, error.sentence
        option = error.params.get("option")
        super().__init__(option if isinstance(option, str) else None, **error.params)


class BadClock(TableError):
    code, status = "bad-clock", 422
    sentence = gettext_noop(
        "Set the clock to %(least)d to %(most)d minutes, with an increment or a delay of up to %(seconds)d "
        "seconds."
    )

    def __init__(self) -> None:
        super().__init__(least=clock.LEAST_MINUTES, most=clock.MOST_MINUTES, seconds=clock.MOST_SECONDS)


class BadDelay(TableError):
    code, status = "bad-delay", 422
    sentence = gettext_noop("This delay for spectators is too long.")


class DelayUnwatched(TableError):
    code, status = "delay-unwatched", 422
    sentence = gettext_noop("Nobody can watch this match, so it cannot have a delay.")


class RangeCasual(TableError):
    code, status = "range-casual", 422
    sentence = gettext_noop("Only rated matches can have rating limits.")


class BadRange(TableError):
    code, status = "bad-range", 422
    sentence = gettext_noop("The lowest rating must not be above the highest.")


class ComputersCasual(TableError):
    code, status = "computers-casual", 422
    sentence = gettext_noop("Matches with computer players are always casual.")


class BadLevel(TableError):
    code, status = "bad-level", 422
    sentence = gettext_noop("The computer has no such level in this game.")


class TooManyTables(TableError):
    code, status = "too-many-tables", 409
    sentence, many = ngettext_noop(
        "You already have %(most)d open table. Cancel it first.",
        "You already have %(most)d open tables. Cancel one of them first.",
    )

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class Gone(TableError):
    code, status = "gone", 404
    sentence = gettext_noop("This table is closed.")


class Begun(TableError):
    code, status = "begun", 409
    sentence = gettext_noop("The match has already begun.")


class BegunForYou(TableError):
    code, status = "begun", 409
    sentence = gettext_noop("The match has already begun. You can resign on the board.")


class Seated(TableError):
    code, status = "seated", 409
    sentence = gettext_noop("You have already joined this table.")


class NotSeated(TableError):
    code, status = "not-seated", 409
    sentence = gettext_noop("You are not at this table.")


class NotHost(TableError):
    code, status = "not-host", 403
    sentence = gettext_noop("Only the host can do that.")


class Full(TableError):
    code, status = "full", 409
    sentence = gettext_noop("The table has just filled up. You can watch the match.")


class TableFull(TableError):
    code, status = "full", 409
    sentence = gettext_noop("No free seats.")


class TooFew(TableError):
    code, status = "too-few", 409
    sentence = gettext_noop("There are not enough players yet.")


class InvitedOnly(TableError):
    code, status = "invited-only", 403
    sentence = gettext_noop("This table is by invitation only.")


class Blocked(TableError):
    """Does not say that there is a block, or whose."""

    code, status = "blocked", 403
    sentence = gettext_noop("You cannot join this table.")


class OutOfRange(TableError):
    code, status = "out-of-range", 403
    sentence = gettext_noop("Your rating, %(rating)d, is outside this table’s limits.")


class ForOnePerson(TableError):
    code, status = "for-one-person", 409
    sentence = gettext_noop("This table is reserved for the challenged player.")


class EnoughInvitations(TableError):
    code, status = "enough-invitations", 409
    sentence = gettext_noop("Every free seat already has an invitation.")


class NoInvitation(TableError):
    """The invitation is not valid, or not any more."""


class UnknownInvitation(NoInvitation):
    code, status = "unknown-invitation", 404
    sentence = gettext_noop("This invitation no longer exists.")


class UsedInvitation(NoInvitation):
    code, status = "used-invitation", 410
    sentence = gettext_noop("This invitation has already been used.")


class ExpiredInvitation(NoInvitation):
    code, status = "expired-invitation", 410
    sentence = gettext_noop("This invitation has expired.")


class Yourself(TableError):
    code, status = "yourself", 403
    sentence = gettext_noop("You cannot challenge yourself.")


class Computer(TableError):
    code, status = "computer", 403
    sentence = gettext_noop("%(name)s is a computer player. Start a game against it from the lobby.")


class NoChallenges(TableError):
    """The same sentence for every reason, so that it does not reveal a block."""

    code, status = "no-challenges", 403
    sentence = gettext_noop("%(name)s is not accepting challenges from you.")


class ChallengedAlready(TableError):
    code, status = "challenged-already", 409
    sentence = gettext_noop("%(name)s has not answered your last challenge yet.")


class ChallengeRange(TableError):
    code, status = "challenge-range", 422
    sentence = gettext_noop("A challenge cannot have rating limits.")


class NotChallenged(TableError):
    code, status = "not-challenged", 403
    sentence = gettext_noop("This challenge is not for you.")


class HasPlayed(TableError):
    code, status = "has-played", 409
    sentence = gettext_noop("Only an account that has never played can become a computer player.")


class AtTable(TableError):
    code, status = "at-table", 409
    sentence = gettext_noop("You are at a table. Leave it first.")
