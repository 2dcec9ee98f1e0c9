"""Sentences of a puzzle in the active language: the task, and the verdict on a move."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.puzzles import collection
from games.puzzles.collection import Scene, Shown
from games.rules.base import gettext_noop

THEMES = {
    collection.CAPTURE: gettext_noop("Capture"),
    collection.EXTRA_TURN: gettext_noop("Extra turn"),
    collection.DOUBLE_MILL: gettext_noop("Double mill"),
    collection.BLOCKADE: gettext_noop("Blockade"),
    collection.RACE: gettext_noop("Race"),
    collection.DEFENCE: gettext_noop("Defence"),
    collection.STOP_OR_ROLL: gettext_noop("Stop or roll"),
    collection.PAIRING: gettext_noop("Pairing"),
}
PERCENT = 100
"""Hundredths of a percent."""


def asked(shown: Shown) -> str:
    """The task."""
    if shown.game.dice:
        return gettext("Find the move with the best chance to win.")
    if shown.game.unit is not None:
        return gettext("Find the move that wins by the most.")
    if shown.puzzle.best <= 0:
        return gettext("Find the only move that does not lose.")
    if not shown.puzzle.turns:
        return gettext("Find the winning move.")
    moves = _moves(shown)
    return ngettext("Win in %(n)d move.", "Win in %(n)d moves.", moves) % {"n": moves}


def to_move(scene: Scene) -> str:
    """Whose turn it is: always the solver's."""
    if scene.game.sides:
        return gettext("Your turn. You play %(side)s.") % {
            "side": gettext(scene.game.sides[scene.state.turn])
        }
    if scene.game.dice:
        return gettext("Your turn.")
    return gettext("Your turn. You play the near side.")


def names(scene: Scene) -> list[str]:
    """The names of the seats on the solver's board."""
    me, present = scene.state.turn, getattr(scene.state, "present", None)
    return [
        gettext("You")
        if seat == me
        else gettext("Opponent")
        if present is None or present[seat]
        else gettext("Player %(number)d") % {"number": seat + 1}
        for seat in range(scene.seats)
    ]


def verdict(shown: Shown, move: str) -> str:
    """The value of a move in words; for a move that is not the best, also what it costs."""
    worth = shown.puzzle.worth[move]
    if move == shown.puzzle.answer:
        return f"{_leads_to(shown, worth)} {_else(shown)}"
    return f"{_leads_to(shown, worth)} {_another(shown)}"


def _leads_to(shown: Shown, worth: int) -> str:
    """The result of a move with best play, in words."""
    if shown.game.dice:
        return gettext("That wins with a chance of %(percent)s.") % _chance(worth)
    if shown.game.unit is None:
        return _by_force(shown, worth)
    if worth == 0:
        return gettext("That draws.")
    points = _points(shown, abs(worth))
    return (
        gettext("That wins by %(points)s.") if worth > 0 else gettext("That loses by %(points)s.")
    ) % points


def _by_force(shown: Shown, worth: int) -> str:
    if worth < 0:
        return gettext("That loses.")
    if worth > 0:
        return gettext("That wins.")
    if shown.puzzle.best <= 0:
        return gettext("That does not lose.")
    if not shown.puzzle.turns:
        return gettext("That does not win.")
    moves = _moves(shown)
    return ngettext("That does not win in %(n)d move.", "That does not win in %(n)d moves.", moves) % {
        "n": moves
    }


def _another(shown: Shown) -> str:
    """A sentence that a better move exists, without naming it."""
    if shown.game.dice:
        return gettext("Another move wins with a chance of %(percent)s.") % _chance(shown.puzzle.best)
    if shown.game.unit is not None:
        return gettext("Another move wins by %(points)s.") % _points(shown, shown.puzzle.best)
    if shown.puzzle.best > 0:
        return gettext("Another move wins.")
    return gettext("Another move does not lose.")


def _else(shown: Shown) -> str:
    """The result of the second-best move, in words."""
    best, second = shown.puzzle.best, shown.puzzle.second
    if shown.game.dice:
        return gettext("The next best move: %(percent)s.") % _chance(second)
    if best <= 0:
        return gettext("Every other move loses.")
    if shown.puzzle.turns:
        return gettext("No other move wins as soon.")
    if second <= 0:
        return gettext("No other move wins.")
    return gettext("The next best move wins by %(points)s.") % _points(shown, second)


def _moves(shown: Shown) -> int:
    """The moves of the solver within the turns that are looked ahead."""
    return (shown.puzzle.turns + 1) // 2


def _chance(worth: int) -> dict[str, str]:
    return {"percent": gettext("%(number)d %%") % {"number": round(worth / PERCENT)}}


def _points(shown: Shown, count: int) -> dict[str, str]:
    assert shown.game.unit is not None
    return {"points": ngettext(*shown.game.unit, count) % count}
