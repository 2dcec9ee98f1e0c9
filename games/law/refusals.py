"""Why the service refuses a command; nothing has changed then."""

from __future__ import annotations

from games.rules.base import gettext_noop


class Refused(Exception):
    """A command that changed nothing; `code` for programs, `sentence % params` for people."""

    code = "refused"
    sentence = gettext_noop("That is not possible.")

    def __init__(self, **params: object) -> None:
        super().__init__(self.sentence % params)
        self.params = params


class NotSeated(Refused):
    code = "not-seated"
    sentence = gettext_noop("You are watching this match; only its players can do that.")


class HasLeft(Refused):
    code = "has-left"
    sentence = gettext_noop("You have left this match.")


class Stale(Refused):
    code = "stale"
    sentence = gettext_noop("The position has changed since. Here is the current one.")


class NotYourTurn(Refused):
    code = "not-your-turn"
    sentence = gettext_noop("It is not your turn.")


class GameOver(Refused):
    code = "game-over"
    sentence = gettext_noop("This match is over.")


class NotOver(Refused):
    code = "not-over"
    sentence = gettext_noop("This match is not over yet.")


class AlreadyBegun(Refused):
    code = "already-begun"
    sentence = gettext_noop("The first ply has been played; the dice are settled.")


class OutOfTime(Refused):
    code = "out-of-time"
    sentence = gettext_noop("Your time was up before this move came.")


class TryAgain(Refused):
    """The store failed: whether the command was kept will be known when it is sent again."""

    code = "unavailable"
    sentence = gettext_noop("The server cannot reach its store right now. Please try again.")


class Halted(Refused):
    code = "halted"
    sentence = gettext_noop("The match stands still. Go on with it first.")


class NotHalted(Refused):
    code = "not-halted"
    sentence = gettext_noop("The match is not standing still.")


class TooLate(Refused):
    code = "too-late"
    sentence = gettext_noop("Everybody has moved; the match counts now.")


class NoDraws(Refused):
    code = "no-draws"
    sentence = gettext_noop("This game cannot end in a draw.")


class RatedMatch(Refused):
    code = "rated"
    sentence = gettext_noop("In a rated match no move is taken back.")


class RatedClosed(Refused):
    code = "conduct"
    sentence = gettext_noop("You left games lately, so rated ones are closed to you for a while.")


class NoClock(Refused):
    code = "no-clock"
    sentence = gettext_noop("Without a running clock there is nothing to pause.")


class ForTwo(Refused):
    code = "for-two"
    sentence = gettext_noop("Between two players this is settled by a draw or by resigning.")


class ForMany(Refused):
    code = "for-many"
    sentence = gettext_noop("At a table for more than two the others play on.")


class YourOwnTurn(Refused):
    code = "your-own-turn"
    sentence = gettext_noop("It is your own turn.")


class StillHere(Refused):
    code = "still-here"
    sentence = gettext_noop("The player on turn is here, or has not been gone for long.")


class Caretaken(Refused):
    code = "caretaken"
    sentence = gettext_noop("A bot plays for you. Take your chair back first.")


class NotCaretaken(Refused):
    code = "not-caretaken"
    sentence = gettext_noop("No bot plays for you.")


class NoRatedHints(Refused):
    code = "rated"
    sentence = gettext_noop("In a rated match nobody is given hints.")


class NoHint(Refused):
    code = "no-hint"
    sentence = gettext_noop("Nobody had the time to think about it. Please ask again in a while.")
