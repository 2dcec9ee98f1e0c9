"""The introduction and the course of a game: lessons on the board, without a match. Nothing is stored."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.domain import codec
from games.pages.json_response import board_ply
from games.registry import GAMES, Game
from games.rules.base import Introduction, Lesson, Roll, Rules, Step

INTRODUCTION, COURSE = "introduction", "course"
"""The parts of a game that are made of lessons, as `Game` has them."""


class Played(NamedTuple):
    """A lesson on the board.

    Attributes:
        lesson: the sentences of the lesson.
        before: the state in which the learner is to move, and the events that led to it.
        legal: every legal move, in the notation of the game.
        lines: the steps of each correct move and its continuation, by move.
    """

    lesson: Lesson
    before: Step
    legal: tuple[str, ...]
    lines: dict[str, tuple[Step, ...]]


@require_safe
def page(request: HttpRequest, slug: str, part: str = INTRODUCTION, done: int = 0) -> HttpResponse:
    """The board with the first task of the introduction or the course; the page contains all later ones.

    Args:
        done: how many lessons the reader has done, as far as the site knows.
    """
    game = GAMES.get(slug)
    introduction: Introduction | None = getattr(game, part, None)
    if game is None or introduction is None:
        raise Http404
    context = {
        "game": game,
        "is_course": part == COURSE,
        "done": done,
        "title": gettext(game.full_title),
        "short": gettext(game.title),
        "lessons": len(introduction.lessons),
        "aim": gettext(introduction.aim),
        "task": gettext(introduction.lessons[0].task),
        "seats": game.rules.SEATS[0],
        "preset": game.usual_preset(rated=False),
        "position": _told(game, part),
    }
    return render(request, "puzzles/introduction.html", context)


@cache
def played(slug: str, part: str = INTRODUCTION) -> tuple[Played, ...]:
    """The lessons of a game that has such a part, each played to its end. Cached."""
    game = GAMES[slug]
    rules, before, lessons = game.rules, Step(None, ()), list[Played]()
    for lesson in getattr(game, part).lessons:
        if lesson.position is not None:
            before = Step(lesson.position, ())
        legal = tuple(map(str, rules.legal_moves(before.state)))
        lines = {move: _line(rules, before.state, move, lesson) for move in lesson.moves or legal}
        lessons.append(Played(lesson, before, legal, lines))
        before = next(iter(lines.values()))[-1]
    return tuple(lessons)


def _line(rules: Rules, state: Any, move: str, lesson: Lesson) -> tuple[Step, ...]:
    steps = list[Step]()
    for each in (move, *lesson.then):
        step = rules.play(state, rules.parse(each) if isinstance(each, str) else Roll(each))
        state = step.state
        steps.append(step)
    return tuple(steps)


def _told(game: Game, part: str) -> dict[str, Any]:
    """The initial data of the board: all lessons in the active language."""
    introduction = getattr(game, part)
    others = introduction.names or (gettext("Opponent"),)
    return codec.plain(
        {
            "seat": 0,
            "names": [gettext("You"), *others],
            "aim": gettext(introduction.aim),
            "lessons": [_lesson(game.rules, each) for each in played(game.slug, part)],
        }
    )


def _lesson(rules: Rules, shown: Played) -> dict[str, Any]:
    lesson = shown.lesson
    return {
        "task": gettext(lesson.task),
        "told": gettext(lesson.told),
        "otherwise": gettext(lesson.otherwise) if lesson.otherwise else "",
        "isNew": lesson.position is not None,
        "state": shown.before.state,
        "before": [codec.encode_event(event) for event in shown.before.events],
        "legal": shown.legal,
        "lines": {
            move: [board_ply(nth, step, rules.outcome(step.state)) for nth, step in enumerate(steps, 1)]
            for move, steps in shown.lines.items()
        },
    }
