"""Texts and numbers of an analysis page: table rows, blunders, luck and skill.

Moves are elements that name the move and the ply before it. The browser writes them as the match page does
(static/finished/analysis-board.js): the numbers of pits are a setting of the reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.bots.base import MoveEvaluation
from games.domain.analysis import Analysis, Decision, Moment, Summary
from games.domain.move_words import in_words
from games.domain.record import Record, move_numbers
from games.registry import Game
from games.rules.base import Seat

MINUS = "−"
MOST_OPTIONS = 6
"""Most alternatives listed in a row of the table."""


class Option(NamedTuple):
    """A move and its evaluation; `played` marks the chosen one."""

    text: SafeString
    worth: str
    played: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A decision in the table. Texts are empty if there is nothing to say or nothing is known yet.

    `number` is that of the move in the move list, `after` the ply of the position it was chosen in. `played`
    and `better` are notation; `better` is empty if nothing was. `known` says whether it is evaluated,
    `choice` whether there was more than one move. `others` is the number of moves not in `options`.
    """

    ply: int
    after: int
    number: int
    seat: Seat
    name: str
    played: str
    better: str
    text: str
    faces: str
    known: bool
    choice: bool
    best: str
    worth: str
    lost: str
    luck: str
    mistake: bool
    options: list[Option]
    others: int


class Turn(NamedTuple):
    """A decisive moment as text: the move, the chances before and after, and the better move."""

    ply: int
    number: int
    played: str
    swing: str
    better: str


@dataclass(frozen=True, slots=True)
class Balance:
    """The totals of a seat, as text."""

    seat: Seat
    name: str
    average: str
    mistakes: str
    skill: str
    luck: str
    band: str


def rows(record: Record, analysis: Analysis) -> list[Row]:
    """Every decision of a match."""
    numbers = move_numbers(record.plies)
    return [_row(record, decision, numbers[decision.ply]) for decision in analysis.decisions]


def mistakes(record: Record, analysis: Analysis) -> list[tuple[int, str, str]]:
    """The blunders: ply number, a sentence with the better move, and the player."""
    numbers, names = move_numbers(record.plies), record.names_in_words
    return [
        (decision.ply, _mistake(record, decision, numbers[decision.ply]), names[decision.seat])
        for decision in analysis.blunders
    ]


def moments(record: Record, analysis: Analysis) -> list[Turn]:
    """The decisive moments of a match."""
    numbers = move_numbers(record.plies)
    return [_turn(record, moment, numbers[moment.decision.ply]) for moment in analysis.moments]


def balances(record: Record, analysis: Analysis) -> list[Balance]:
    """What each seat lost by mistakes and gained by luck."""
    return [_balance(record, summary) for summary in analysis.summaries]


def curve(record: Record, analysis: Analysis) -> str:
    """Text alternative of the chart: the chances at both ends of the first seat, or of each of several."""
    first, last = analysis.curve[0], analysis.curve[-1]
    numbers = {0: 0, **move_numbers(record.plies)}
    names = record.names_in_words
    shown = names if len(names) > 2 else names[:1]
    sentence = gettext("%(name)s: %(first)s to win at move %(from)d, %(last)s at move %(to)d.")
    return " ".join(
        sentence
        % {
            "name": name,
            "first": percent(first.shares[seat]),
            "from": numbers[first.ply],
            "last": percent(last.shares[seat]),
            "to": numbers[last.ply],
        }
        for seat, name in enumerate(shown)
    )


def percent(share: float) -> str:
    """A share in whole per cent."""
    return gettext("%(number)d %%") % {"number": round(100 * share)}


def signed(share: float) -> str:
    """A share in per cent with its sign, as a gain or loss."""
    number = round(100 * share)
    words = gettext("%(number)d %%") % {"number": abs(number)}
    return f"{'+' if number > 0 else MINUS if number < 0 else ''}{words}"


def worth(game: Game, prospect: MoveEvaluation, *, proved: bool) -> str:
    """The result of a move for its player: how the match ends after it, or the expected result."""
    if not proved or prospect.share not in (0.0, 0.5, 1.0):
        return percent(prospect.share)
    if prospect.share == 0.5:
        return gettext("draws")
    by = abs(prospect.score or 0)
    if prospect.share == 1.0:
        return gettext("wins by %(points)s") % {"points": points(game, by)} if by else gettext("wins")
    return gettext("loses by %(points)s") % {"points": points(game, by)} if by else gettext("loses")


def points(game: Game, number: int) -> str:
    """A number of points with the game's name for them."""
    if game.unit is None:
        return str(number)
    return ngettext(*game.unit, number) % number


def average(summary: Summary) -> str:
    """The average loss of a seat's decisions, as the end of a sentence."""
    if not summary.decisions:
        return gettext("had no choices")
    return ngettext(
        "gave away %(share)s %% of the chance to win, in %(number)d decision",
        "gave away %(share)s %% of the chance to win on average, in %(number)d decisions",
        summary.decisions,
    ) % {"share": number_format(100 * summary.average, 1), "number": summary.decisions}


def _row(record: Record, decision: Decision, number: int) -> Row:
    look, played = decision.look, decision.played
    options = () if look is None else look.moves
    proved = look is not None and look.proved
    lost = _lost(record.game, decision)
    return Row(
        ply=decision.ply,
        after=decision.after,
        number=number,
        seat=decision.seat,
        name=record.names_in_words[decision.seat],
        played=decision.text,
        better=decision.best.move if decision.best is not None and lost else "",
        text=_move(decision, decision.text),
        faces=" ".join(map(str, decision.faces)),
        known=played is not None,
        choice=decision.chosen,
        best=_move(decision, decision.best.move) if decision.best is not None and lost else "",
        worth="" if played is None else worth(record.game, played, proved=proved),
        lost=lost,
        luck="" if decision.luck is None else signed(decision.luck),
        mistake=decision.blunder,
        options=[
            Option(_move(decision, each.move), worth(record.game, each, proved=proved), each == played)
            for each in options[:MOST_OPTIONS]
        ],
        others=max(0, len(options) - MOST_OPTIONS),
    )


def _lost(game: Game, decision: Decision) -> str:
    """What a decision lost, in points if the game counts them; empty if nothing."""
    if decision.points:
        return points(game, decision.points)
    return percent(decision.loss) if decision.loss and round(100 * decision.loss) else ""


def _mistake(record: Record, decision: Decision, number: int) -> str:
    return format_html("{}: {}", number, _better(record.game, decision))


def _turn(record: Record, moment: Moment, number: int) -> Turn:
    decision = moment.decision
    return Turn(
        ply=decision.ply,
        number=number,
        played=_played(record.names_in_words[decision.seat], decision),
        swing=gettext("%(name)s’s chance to win went from %(before)s to %(after)s.")
        % {
            "name": record.names_in_words[moment.seat],
            "before": percent(moment.before),
            "after": percent(moment.after),
        },
        better=_better(record.game, decision),
    )


def _played(name: str, decision: Decision) -> SafeString:
    """What was played, and rolled after it, as a sentence. static/finished/analysis-board.js has the same."""
    faces = " ".join(map(str, decision.faces))
    if decision.text == "roll" and faces:
        sentence = gettext("%(name)s rolled: %(faces)s.")
    elif faces:
        sentence = gettext("%(name)s played %(move)s and rolled %(faces)s.")
    else:
        sentence = {
            "stop": gettext("%(name)s stopped."),
            "swap": gettext("%(name)s swapped sides."),
        }.get(decision.text, gettext("%(name)s played %(move)s."))
    return _sentence(sentence, {"name": name, "move": _move(decision, decision.text), "faces": faces})


def _better(game: Game, decision: Decision) -> str:
    lost = _lost(game, decision)
    if lost and decision.best is not None:
        sentence = {
            "roll": gettext("Rolling was %(amount)s better."),
            "stop": gettext("Stopping was %(amount)s better."),
            "swap": gettext("Swapping sides was %(amount)s better."),
        }.get(decision.best.move, gettext("%(move)s was %(amount)s better."))
        return _sentence(sentence, {"move": _move(decision, decision.best.move), "amount": lost})
    return gettext("There was nothing better.") if decision.chosen else ""


def _move(decision: Decision, move: str) -> SafeString:
    """A move of a decision in words, marked for the browser."""
    return format_html(
        '<span data-move="{}" data-after="{}">{}</span>', move, decision.ply - 1, in_words(move)
    )


def _sentence(words: str, params: Mapping[str, str]) -> SafeString:
    """A translated sentence whose parameters may be elements; all others are escaped."""
    escaped = {name: conditional_escape(value) for name, value in params.items()}
    return mark_safe(conditional_escape(words) % escaped)  # noqa: S308 - every part is escaped


def _balance(record: Record, summary: Summary) -> Balance:
    number = summary.blunders
    counted = ngettext("%(number)d mistake", "%(number)d mistakes", number) % {"number": number}
    return Balance(
        seat=summary.seat,
        name=record.names_in_words[summary.seat],
        average=average(summary),
        mistakes=counted if summary.decisions else "",
        skill=signed(-summary.lost) if summary.decisions else "",
        luck=signed(summary.luck) if summary.throws else "",
        band=_band(summary),
    )


def _band(summary: Summary) -> str:
    """The usual range of luck; empty if the game's player has no estimate of the spread."""
    if not summary.throws or not summary.band:
        return ""
    return ngettext(
        "By luck alone, 68 of 100 matches with %(number)d roll lie within ±%(share)d %%.",
        "By luck alone, 68 of 100 matches with %(number)d such rolls lie within ±%(share)d %%.",
        summary.throws,
    ) % {"number": summary.throws, "share": round(100 * summary.band)}
