"""Homework in words, and where it is done."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.pages import puzzle
from games.registry import GAMES
from lobby.homework import homework
from lobby.homework.models import Homework

Kind = Homework.Kind


def title(piece: Homework) -> str:
    """What is to be done, in the active language."""
    named = {"game": gettext(GAMES[piece.game].title), "level": piece.level}
    match piece.kind:
        case Kind.PUZZLES:
            count = len(homework.puzzles_of(piece))
            words = ngettext("%(game)s: %(count)d puzzle", "%(game)s: %(count)d puzzles", count)
            return words % {**named, "count": count}
        case Kind.COURSE:
            return gettext("%(game)s: How to play well") % named
        case Kind.STUDY:
            return str(piece.study)
        case _:
            words = ngettext(
                "%(game)s: %(count)d match against the computer at level %(level)d",
                "%(game)s: %(count)d matches against the computer at level %(level)d",
                piece.matches,
            )
            return words % {**named, "count": piece.matches}


def link(piece: Homework) -> str:
    """The path of the page on which it is done."""
    match piece.kind:
        case Kind.PUZZLES:
            keys = homework.puzzles_of(piece)
            return puzzle.set_address(piece.game, keys) if keys else reverse("puzzles")
        case Kind.COURSE:
            return reverse("course" if GAMES[piece.game].course else "rules", args=[piece.game])
        case Kind.STUDY:
            return reverse("study", args=[piece.study_id])
        case _:
            return f"{reverse('play-computer-at', args=[piece.game])}?level={piece.level}"
