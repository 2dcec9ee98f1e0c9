"""Sentences of a puzzle in the active language: the task, and the verdict on a move."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.puzzles.daily import Position


def asked(shown: Position) -> str:
    """The task."""
    if shown.game.unit is not None:
        return gettext("Find the move that wins by the most.")
    if _best(shown) > 0:
        return gettext("Find the winning move.")
    return gettext("Find the only move that does not lose.")


def to_move(shown: Position) -> str:
    """Whose turn it is: always the solver's."""
    if not shown.game.sides:
        return gettext("Your turn. You play the near side.")
    return gettext("Your turn. You play %(side)s.") % {"side": gettext(shown.game.sides[shown.state.turn])}


def names(shown: Position) -> list[str]:
    """The names of the seats on the solver's board."""
    me = shown.state.turn
    return [gettext("You") if seat == me else gettext("Opponent") for seat in (0, 1)]


def verdict(shown: Position, move: str) -> str:
    """The value of a move in words; for a move that is not the best, also what it costs."""
    worth, best = shown.puzzle.worth[move], _best(shown)
    if move == shown.puzzle.answer:
        return f"{_leads_to(shown, worth)} {_else(shown)}"
    return f"{_leads_to(shown, worth)} {_another(shown, best)}"


def _best(shown: Position) -> int:
    return shown.puzzle.worth[shown.puzzle.answer]


def _leads_to(shown: Position, worth: int) -> str:
    """The result of a move with best play, in words."""
    if shown.game.unit is None:
        return _by_force(worth, _best(shown))
    if worth == 0:
        return gettext("That draws.")
    points = _points(shown, abs(worth))
    return (
        gettext("That wins by %(points)s.") if worth > 0 else gettext("That loses by %(points)s.")
    ) % points


def _by_force(worth: int, best: int) -> str:
    if worth < 0:
        return gettext("That loses.")
    if worth < best:
        return gettext("That does not win.")
    return gettext("That wins.") if worth else gettext("That does not lose.")


def _another(shown: Position, best: int) -> str:
    """A sentence that a better move exists, without naming it."""
    if shown.game.unit is not None:
        return gettext("Another move wins by %(points)s.") % _points(shown, best)
    if best > 0:
        return gettext("Another move wins.")
    return gettext("Another move does not lose.")


def _else(shown: Position) -> str:
    """The result of the second-best move, in words."""
    second = max(worth for move, worth in shown.puzzle.worth.items() if move != shown.puzzle.answer)
    if _best(shown) <= 0:
        return gettext("Every other move loses.")
    if second <= 0:
        return gettext("No other move wins.")
    return gettext("The next best move wins by %(points)s.") % _points(shown, second)


def _points(shown: Position, count: int) -> dict[str, str]:
    assert shown.game.unit is not None
    return {"points": ngettext(*shown.game.unit, count) % count}
