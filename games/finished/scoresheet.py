"""The score sheet of a finished match as text: header, result, and all turns in the game's notation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from django.utils.translation import gettext

from games.domain import clock_words, codec, match_actions, options
from games.domain.match_actions import Act
from games.domain.move_words import in_words
from games.domain.position import of_start
from games.domain.record import Entry, Record
from games.net.languages import listed
from games.registry import Game
from games.rules.base import ENDED, BadPosition, Leave, Outcome, Seat, gettext_noop

WIDTH = 78

_LEAVES = {
    "resigned": gettext_noop("%(name)s resigned."),
    "time": gettext_noop("%(name)s ran out of time."),
    "abandoned": gettext_noop("%(name)s left the match."),
}
_ACTS = {
    match_actions.ABORTED: gettext_noop("Aborted by %(name)s, or because they never moved."),
    match_actions.EXPIRED: gettext_noop("Ended without a result: no moves for too long."),
    match_actions.STOPPED: gettext_noop("Ended without a result by the organiser."),
    match_actions.AGREED: gettext_noop("Draw by agreement, offered by %(name)s."),
    match_actions.ABANDONED: gettext_noop("Draw: %(name)s left the match."),
    match_actions.PAUSED: gettext_noop("Paused, as %(name)s proposed."),
    match_actions.SAVED: gettext_noop("Saved for later, as %(name)s proposed."),
    match_actions.RESUMED: gettext_noop("Resumed, as %(name)s proposed."),
    match_actions.CARETAKER: gettext_noop("A bot took over for %(name)s."),
    match_actions.RECLAIMED: gettext_noop("%(name)s took over from the bot."),
    ENDED: gettext_noop("Ended early by agreement, as %(name)s proposed."),
}
_TAKEN_BACK = gettext_noop("%(name)s took back “%(move)s” of turn %(turn)d and everything after it.")

_REASONS = {
    "resigned": gettext_noop("by resignation"),
    "time": gettext_noop("on time"),
    "abandoned": gettext_noop("by abandonment"),
    match_actions.ABORTED: gettext_noop("no result"),
    match_actions.EXPIRED: gettext_noop("no moves for too long"),
    match_actions.STOPPED: gettext_noop("ended by the organiser"),
    match_actions.AGREED: gettext_noop("by agreement"),
    ENDED: gettext_noop("ended early by agreement"),
}
"""Reasons of an end common to all games; others are in `Game.endings`."""


@dataclass(slots=True)
class _Turn:
    """Consecutive plies of one seat with the dice rolls between them, or a sentence about an event."""

    seat: Seat | None = None
    plies: list[Entry] = field(default_factory=list)
    sentence: str = ""


def score(record: Record) -> str:
    """The whole score sheet; ends with a newline."""
    return "\n".join([*_header(record), "", *_body(record)]) + "\n"


def notation(entry: Entry) -> str:
    """The notation of a move as typed, or the faces of a dice roll in brackets."""
    return in_words(entry.text) if entry.dice is None else f"[{' '.join(map(str, entry.dice))}]"


# The header


def _header(record: Record) -> list[str]:
    names = record.names_in_words
    lines = [
        (gettext("Game"), gettext(record.game.title)),
        (gettext("Rules"), _rule_set(record)),
        *(("", sentence) for sentence in options.in_words(record.start.options)),
        *_position(record),
        (gettext("Match"), f"{record.id}, {gettext('rated') if record.terms.rated else gettext('casual')}"),
        (gettext("Date"), f"{record.begun:%Y-%m-%d %H:%M} – {record.ended:%Y-%m-%d %H:%M} UTC"),
        *((gettext("Seat %(seat)d") % {"seat": seat}, name) for seat, name in enumerate(names, 1)),
        (gettext("Clock"), clock_words.in_words(record.terms.clock)),
        (gettext("Result"), result(record.game, record.outcome, names)),
        *_elsewhere(record),
    ]
    width = max(len(label) for label, _ in lines) + 2
    return [f"{label + ':' if label else '':<{width}}{words}" for label, words in lines]


def _position(record: Record) -> Iterator[tuple[str, str]]:
    """Where the match began, if not at the start of the game."""
    began = of_start(record.game, record.start, len(record.names))
    if began is not None:
        yield gettext("Position"), str(began)


def _elsewhere(record: Record) -> Iterator[tuple[str, str]]:
    """The match as other programs write it, by program."""
    moves = [logged.text for _, logged in record.line() if codec.departure(logged.text) is None]
    for notation in record.game.notations.values():
        if notation.write_line is not None:
            # Some boards are Parlour's alone.
            with suppress(BadPosition):
                yield notation.program, notation.write_line(record.start, moves)


def _rule_set(record: Record) -> str:
    return options.preset_in_words(record.game, options.preset_of(record.game, record.start.options))


def result(game: Game, outcome: Outcome, names: Sequence[str]) -> str:
    """The result in one line: winners, margin if the game counts points, and the reason."""
    if outcome.reason == match_actions.ABORTED:
        words = gettext("Aborted")
    elif outcome.reason in (match_actions.EXPIRED, match_actions.STOPPED):
        words = gettext("Ended without a result")
    elif not outcome.winners:
        words = gettext("Nobody won")
    elif len(outcome.winners) == len(names):
        words = gettext("Draw")
    else:
        winners = (names[seat] for seat in outcome.winners)
        words = gettext("Won by %(names)s") % {"names": listed(winners)}
    scores = ", ".join(f"{name}: {score}" for name, score in zip(names, outcome.scores, strict=False))
    reasons = {**_REASONS, **game.endings}
    reason = gettext(reasons.get(outcome.reason, outcome.reason))
    return f"{words} ({reason})" + (f". {scores}" if scores else "")


# The turns


def _body(record: Record) -> Iterator[str]:
    turns = list(_turns(record))
    names = record.names_in_words
    width = max(map(len, names), default=0)
    digits = len(str(len(turns)))
    for number, turn in enumerate(turns, 1):
        words = " ".join(map(notation, turn.plies)) or turn.sentence
        name = "" if turn.seat is None else names[turn.seat]
        head = f"{number:>{digits}}. " + (f"{name:<{width}}  " if not turn.sentence else "")
        yield from textwrap.wrap(
            words,
            max(WIDTH, len(head) + 20),
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_long_words=False,
            break_on_hyphens=False,
        )


def _turns(record: Record) -> Iterator[_Turn]:
    """The plies grouped into turns as in the move list."""
    turn = _Turn()
    turn_of: dict[int, int] = {}
    count = 0
    for entry in record.plies:
        sentence = _sentence(record, entry, turn_of)
        new = sentence or turn.sentence or not (entry.seat is None or entry.seat == turn.seat)
        if new or not turn.plies:
            if turn.plies or turn.sentence:
                yield turn
            turn = _Turn(entry.seat, sentence=sentence)
            count += 1
        turn_of[entry.number] = count
        if not sentence:
            turn.plies.append(entry)
    if turn.plies or turn.sentence:
        yield turn


def _sentence(record: Record, entry: Entry, turn_of: dict[int, int]) -> str:
    """The sentence for a departure or match action; empty for moves and dice rolls."""
    leave = codec.departure(entry.text)
    if leave is not None:
        return _leaving(record, leave)
    act = match_actions.parse(entry.text)
    if act is None:
        return ""
    name = record.names_in_words[act.seat]
    return (
        _taking_back(record, act, turn_of)
        if act.ply is not None
        else gettext(_ACTS[act.kind]) % {"name": name}
    )


def _leaving(record: Record, leave: Leave) -> str:
    return gettext(_LEAVES[leave.reason]) % {"name": record.names_in_words[leave.seat]}


def _taking_back(record: Record, act: Act, turn_of: dict[int, int]) -> str:
    assert act.ply is not None
    # Ply numbers start at 1, so this index is the first ply taken back.
    first = record.plies[act.ply]
    return gettext(_TAKEN_BACK) % {
        "name": record.names_in_words[act.seat],
        "move": notation(first),
        "turn": turn_of[first.number],
    }
