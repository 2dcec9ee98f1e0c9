"""Typed errors of refused requests. A refused request has changed nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from games.rules.base import BadPosition, IllegalMove, gettext_noop


class Refused(Exception):
    """A request was refused; nothing has changed.

    Concrete subclasses define the whole response; others only group them.

    Attributes:
        code: error code for programs.
        status: HTTP status.
        sentence: message for users, in English, with placeholders for `params`.
        many: the plural of `sentence`, chosen by the parameter `most`, if it counts anything.
        headers: extra HTTP response headers.
    """

    code: str
    status: int
    sentence: str
    many: str = ""
    headers: Mapping[str, str] = {}

    def __init__(self, **params: object) -> None:
        super().__init__((self.sentence if params.get("most") == 1 else self.many or self.sentence) % params)
        self.params = params

    @property
    def words(self) -> str:
        """The message in the active language."""
        # Imported here, so that pure modules can raise refusals without loading Django.
        from django.utils.translation import gettext, ngettext

        if self.many:
            return ngettext(self.sentence, self.many, cast(int, self.params["most"])) % self.params
        return gettext(self.sentence) % self.params


def words_of(error: Refused | IllegalMove | BadPosition) -> str:
    """The message in the active language, also of the errors of the rules, which know no Django."""
    if isinstance(error, Refused):
        return error.words
    # Imported here as above.
    from django.utils.translation import gettext

    return gettext(error.sentence) % error.params


class UnknownMatch(Refused):
    """There is no match with this id."""

    code, status = "unknown-match", 404
    sentence = gettext_noop("This match does not exist.")

    def __init__(self, match_id: str) -> None:
        super().__init__()
        self.match_id = match_id


class NotSeated(Refused):
    code, status = "not-seated", 403
    sentence = gettext_noop("You are watching. Only the players can do that.")


class HasLeft(Refused):
    code, status = "has-left", 409
    sentence = gettext_noop("You have left this match.")


class Stale(Refused):
    code, status = "stale", 409
    sentence = gettext_noop("The position has changed. This is the current one.")


class NotYourTurn(Refused):
    code, status = "not-your-turn", 409
    sentence = gettext_noop("It is not your turn.")


class GameOver(Refused):
    code, status = "game-over", 409
    sentence = gettext_noop("This match is over.")


class NotOver(Refused):
    code, status = "not-over", 409
    sentence = gettext_noop("This match is not over yet.")


class PlayerGone(Refused):
    """A player who would have to agree is deleted or banned."""

    code, status = "player-gone", 409
    sentence = gettext_noop("No rematch: one of the players has left the site.")


class AlreadyBegun(Refused):
    code, status = "already-begun", 409
    sentence = gettext_noop("The match has begun, so the dice seed can no longer change.")


class OutOfTime(Refused):
    code, status = "out-of-time", 409
    sentence = gettext_noop("Your time ran out before this move arrived.")


class SavingUnavailable(Refused):
    """The store failed. Sending the command again shows whether it was stored."""

    code, status = "unavailable", 503
    sentence = gettext_noop("The server cannot save anything right now. Please try again.")
    headers = {"Retry-After": "1"}


class DiskFullUnavailable(SavingUnavailable):
    """The store failed because its disk is full."""

    sentence = gettext_noop("This site’s disk is full")


class Halted(Refused):
    code, status = "halted", 409
    sentence = gettext_noop("The match is paused or saved. Resume it first.")


class NotHalted(Refused):
    code, status = "not-halted", 409
    sentence = gettext_noop("The match is not paused or saved.")


class NotSaved(Refused):
    code, status = "not-saved", 409
    sentence = gettext_noop("This match was saved too recently. You cannot end it without a result yet.")


class TooLate(Refused):
    code, status = "too-late", 409
    sentence = gettext_noop("Everyone has moved, so the match can no longer be aborted.")


class NoDraws(Refused):
    code, status = "no-draws", 409
    sentence = gettext_noop("This game cannot end in a draw.")


class RatedTakeback(Refused):
    code, status = "rated", 409
    sentence = gettext_noop("No takebacks in rated matches.")


class RematchConduct(Refused):
    code, status = "conduct", 403
    sentence = gettext_noop("You have left games recently, so you cannot play rated games for a while.")


class NoClock(Refused):
    code, status = "no-clock", 409
    sentence = gettext_noop("Only a match with a running clock can be paused.")


class AskedAlready(Refused):
    """The same offer was declined or withdrawn, and the position has hardly changed since."""

    code, status = "asked-already", 409
    sentence = gettext_noop("You have already asked. You can ask again in two moves.")


class AskedAlreadyRecently(AskedAlready):
    """The same offer was made less than a minute ago."""

    sentence = gettext_noop("You have already asked. You can ask again in a minute.")


class ForTwo(Refused):
    code, status = "for-two", 409
    sentence = gettext_noop("With two players, offer a draw or resign instead.")


class ForMany(Refused):
    code, status = "for-many", 409
    sentence = gettext_noop("With more than two players, the others play on.")


class YourOwnTurn(Refused):
    code, status = "your-own-turn", 409
    sentence = gettext_noop("It is your own turn.")


class StillHere(Refused):
    code, status = "still-here", 409
    sentence = gettext_noop("The player to move is still here, or left only a short time ago.")


class Caretaken(Refused):
    code, status = "caretaken", 409
    sentence = gettext_noop("A bot is playing for you. Take your seat back first.")


class NotCaretaken(Refused):
    code, status = "not-caretaken", 409
    sentence = gettext_noop("No bot is playing for you.")


class OneBoard(Refused):
    code, status = "one-board", 409
    sentence = gettext_noop("Everyone plays on this board. You can come back to it at any time.")


class RatedHint(Refused):
    code, status = "rated", 409
    sentence = gettext_noop("No hints in rated matches.")


class TimedHint(Refused):
    code, status = "timed", 409
    sentence = gettext_noop("No hints in matches between people with a clock.")


class NoHint(Refused):
    code, status = "no-hint", 409
    sentence = gettext_noop("The computer is busy. Please try again later.")
