"""The names and the rules of the formats, as players read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.rules.base import gettext_noop


class FormatWords(NamedTuple):
    """A format as players read of it: its name, what it is in one sentence, and its rules."""

    title: str
    sentence: str
    rules: tuple[str, ...]


WORDS: Mapping[str, FormatWords] = {
    "arena": FormatWords(
        gettext_noop("Arena"),
        gettext_noop("You are paired again as soon as you are free, until the time is up."),
        (
            gettext_noop("Only players who are present are paired. Neighbours in the standings meet."),
            gettext_noop("Nobody meets the same opponent twice in a row while another is free."),
            gettext_noop("Players who have blocked each other are not paired."),
            gettext_noop("A win gives 2 points, a draw 1."),
            gettext_noop("After two wins in a row points count double, until a match is not won."),
            gettext_noop("A win against an absent player gives 2 points and leaves the streak as it is."),
            gettext_noop("When the time is up no new matches begin. Those in progress count."),
        ),
    ),
    "swiss": FormatWords(
        gettext_noop("Swiss"),
        gettext_noop("In every round you meet a new opponent with as many points as you."),
        (
            gettext_noop("Nobody meets the same opponent twice. Every pairing says why it was made."),
            gettext_noop("Pairing follows the Dutch system of FIDE. Who moves first is balanced."),
            gettext_noop(
                "If the number is odd, the lowest player without a bye gets one: 1 point. Nobody gets two."
            ),
            gettext_noop("You can ask for a bye in advance, for half a point, but not in the last round."),
            gettext_noop(
                "If you enter late, the last round you missed gives half a point. Earlier ones give none."
            ),
            gettext_noop("If everybody left has met everybody else, the tournament ends early."),
        ),
    ),
    "round_robin": FormatWords(
        gettext_noop("Round robin"),
        gettext_noop("Everybody meets everybody once."),
        (
            gettext_noop("Nobody enters after the start."),
            gettext_noop("With an odd number one player is free in every round, without points."),
            gettext_noop(
                "A player who withdraws after half of their matches keeps all results. The rest are forfeits."
            ),
            gettext_noop("A player who withdraws before that is struck out: none of their results counts."),
        ),
    ),
    "knockout": FormatWords(
        gettext_noop("Knock-out"),
        gettext_noop("The winner goes on, the loser is out."),
        (
            gettext_noop(
                "Seeds 1 and 2 can meet in the final only. If places are left, the top seeds skip round 1."
            ),
            gettext_noop("After a draw the two play again at once, with a faster clock and seats changed."),
            gettext_noop("After another draw the lot decides."),
            gettext_noop("If a player is absent, the opponent goes on. If both are absent, neither does."),
            gettext_noop("Players who went out in the same round share a place."),
        ),
    ),
    "tables": FormatWords(
        gettext_noop("Rounds of tables"),
        gettext_noop("For three and more at a table: every place counts."),
        (
            gettext_noop("You get the share of the opponents you finished ahead of, a tie for half."),
            gettext_noop("Players with nearly the same points sit together, those who have not met first."),
            gettext_noop("Who must sit out gets 1 point the first time, and half a point after that."),
        ),
    ),
}
"""By the word that is stored with a tournament."""

SHARED_RULES = (
    gettext_noop("Nothing changes after the start: format, game, clock and rounds stay as announced."),
    gettext_noop("The tournament ends when its last match has ended, never by a timer alone."),
    gettext_noop("The standings follow from the matches. Players whom nothing separates share a place."),
    gettext_noop("A player who has played nothing has no place."),
    gettext_noop("A player who does not come in time loses the match. If nobody comes, nobody gets a point."),
    gettext_noop("With days per move, nobody has to be online: a player whose time has run out loses."),
    gettext_noop("You can withdraw at any time. Past rounds stay. Rounds you miss bring no points."),
    gettext_noop("Blocks keep players apart in an arena only. Rounds are paired the same way for everyone."),
    gettext_noop("The organiser can remove a player or decide a table, and has to say why."),
)
"""What holds in every format."""
