"""The formats as players read them: names, rules, and why a pairing was made."""

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
            gettext_noop("Nobody plays the same opponent twice in a row while another is free."),
            gettext_noop("Players who have blocked each other are not paired."),
            gettext_noop("A win gives 2 points, a draw 1."),
            gettext_noop("After two wins in a row, points count double until you fail to win."),
            gettext_noop("A win against an absent player gives 2 points and does not change the streak."),
            gettext_noop("When the time is up, no new matches begin. Those in progress still count."),
        ),
    ),
    "swiss": FormatWords(
        gettext_noop("Swiss"),
        gettext_noop("In every round you play a new opponent with about as many points as you."),
        (
            gettext_noop("Nobody plays the same opponent twice. Every pairing says why it was made."),
            gettext_noop(
                "Pairing follows the Dutch system of FIDE. Everyone moves first about equally often."
            ),
            gettext_noop(
                "If the number of players is odd, a player with as few points as possible who has had no bye"
                " gets one, for 1 point. Nobody gets two."
            ),
            gettext_noop("You can ask for a bye in advance, for half a point, but not in the last round."),
            gettext_noop(
                "If you enter late, the last round you missed gives half a point. Earlier ones give none."
            ),
            gettext_noop("If all remaining players have met, the tournament ends early."),
        ),
    ),
    "round_robin": FormatWords(
        gettext_noop("Round robin"),
        gettext_noop("Everyone plays everyone once."),
        (
            gettext_noop("Nobody can enter after the start."),
            gettext_noop("If the number of players is odd, one player sits out each round, without points."),
            gettext_noop(
                "A player who withdraws after half of their matches keeps all results. The rest are forfeits."
            ),
            gettext_noop("A player who withdraws before that is removed: none of their results count."),
        ),
    ),
    "knockout": FormatWords(
        gettext_noop("Knock-out"),
        gettext_noop("The winner advances, the loser is out."),
        (
            gettext_noop(
                "Seeds 1 and 2 can meet only in the final."
                " If the bracket is not full, the top seeds skip round 1."
            ),
            gettext_noop("After a draw, the two swap seats and play again at once, with a faster clock."),
            gettext_noop("After another draw, the winner is chosen at random."),
            gettext_noop("If a player is absent, the opponent advances. If both are absent, neither does."),
            gettext_noop("Players knocked out in the same round share a place."),
        ),
    ),
    "tables": FormatWords(
        gettext_noop("Rounds of tables"),
        gettext_noop("For three or more players at a table. Every place counts."),
        (
            gettext_noop("Your points are the share of opponents you finished ahead of. A tie counts half."),
            gettext_noop(
                "Players with nearly the same points play together, if possible those who have not met."
            ),
            gettext_noop(
                "A player who must sit out gets 1 point the first time, and half a point after that."
            ),
        ),
    ),
    "team_battle": FormatWords(
        gettext_noop("Team battle"),
        gettext_noop("An arena of clubs: you play for your club, and the best players of each club count."),
        (
            gettext_noop("Leaders of the organising club invite other clubs. Each accepts or declines."),
            gettext_noop("If you are in several of the clubs, you choose the one you play for."),
            gettext_noop("Players of the same club are never paired. Otherwise the rules of an arena hold."),
            gettext_noop("The points of a club are those of its best players, as many as announced."),
            gettext_noop(
                "If two clubs are equal, their best players decide, then the second best, and so on."
            ),
        ),
    ),
    "team_match": FormatWords(
        gettext_noop("Team match"),
        gettext_noop("Two clubs play on several boards, twice: in the second round the sides change."),
        (
            gettext_noop("The organising club invites the other one."),
            gettext_noop(
                "A leader of each club gives the players boards. Lineups are shown once both are in."
            ),
            gettext_noop("After that they stay. Without a lineup a club plays in the order of ratings."),
            gettext_noop("Players without a board are reserves: they take boards of players who are absent."),
            gettext_noop("A club loses each board for which it has no player."),
            gettext_noop(
                "The score of the match is the sum of all boards."
                " If the scores are equal, the match is a draw."
            ),
        ),
    ),
    "simul": FormatWords(
        gettext_noop("Simul"),
        gettext_noop("One player, the host, plays all others at once."),
        (
            gettext_noop("The host is the organiser, or the computer. Up to 30 players can enter."),
            gettext_noop("The host can choose who plays. Nobody can enter after the start."),
            gettext_noop("The host moves first at all boards, at none, or at every other one."),
            gettext_noop("The host can have more time than the players."),
            gettext_noop(
                "There is no hurry with the first move: it uses no time on the clock, but must come within"
                " that time."
            ),
            gettext_noop(
                "While the host is at other boards, nobody can claim a win by absence: only the clock counts."
            ),
            gettext_noop("A simul is never rated."),
        ),
    ),
}
"""By the word that is stored with a tournament."""

SHARED_RULES = (
    gettext_noop("Nothing changes after the start: format, game, clock and rounds stay as announced."),
    gettext_noop("The tournament ends when its last match has ended, never by a timer alone."),
    gettext_noop("The standings are calculated from the matches. Players who are still tied share a place."),
    gettext_noop("A player who has not played has no place."),
    gettext_noop(
        "A player who does not show up in time loses the match. If nobody shows up, nobody gets a point."
    ),
    gettext_noop(
        "A player who misses a match is not paired until they are back. After 2 missed matches in a row they"
        " are withdrawn, and can still come back. In a knock-out they are out."
    ),
    gettext_noop("With days per move, nobody has to be online: a player whose time has run out loses."),
    gettext_noop("You can withdraw at any time. You keep your results. Rounds you miss give no points."),
    gettext_noop(
        "Blocking keeps players apart only in an arena. Rounds are paired the same way for everyone."
    ),
    gettext_noop("The organiser can remove a player or decide a table, and must say why."),
)
"""What holds in every format."""

REASONS: Mapping[str, str] = {
    "nearest": gettext_noop("Both were free and are close in the standings."),
    "again": gettext_noop("These two met again because nobody else was free."),
    "computer": gettext_noop("The number of players was odd, so the computer took the free seat."),
    "least_met": gettext_noop("Of all who were there, these two had met the least often."),
    "score_group": gettext_noop("Both had the same points."),
    "floater": gettext_noop("Their points differ: no new opponent with the same points was left."),
    "bye": gettext_noop(
        "The number of players was odd. The bye goes to a player with few points who has had none."
    ),
    "second_bye": gettext_noop("Everyone has had a bye, so this one gives half a point."),
    "asked_bye": gettext_noop("This player asked for a bye."),
    "late_bye": gettext_noop("This player joined after this round."),
    "boards": gettext_noop("The lineups of the two clubs decide who plays whom."),
    "empty_board": gettext_noop("The other club has no player for this board."),
    "absent": gettext_noop("A player was absent, and the club had no reserve."),
    "schedule": gettext_noop("In this format everyone plays everyone once."),
    "withdrawn": gettext_noop("A player has withdrawn."),
    "away": gettext_noop("A player missed the match before and has not come back."),
    "seeding": gettext_noop("The seeding decides who plays whom."),
    "top_seed": gettext_noop("The top seeds skip the first round."),
    "winners": gettext_noop("Both won in the previous round."),
    "walkover": gettext_noop("There was no opponent: nobody advanced on the other side."),
    "third_place": gettext_noop("Both lost a semi-final: this match is for third place."),
    "replay": gettext_noop("The first match was a draw, so the faster match decides."),
    "host": gettext_noop("The host plays everybody."),
    "tables": gettext_noop(
        "Players with nearly the same points play together, if possible those who have not met."
    ),
}
"""By the reason of a pairing: a sentence for the players who look at it."""
