"""Why a pairing was made, for the players who look at it."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.base import gettext_noop

REASONS: Mapping[str, str] = {
    "nearest": gettext_noop("Both were free and are close in the standings."),
    "again": gettext_noop("These two met again because nobody else was free."),
    "computer": gettext_noop("The number of players was odd, so the computer took the free seat."),
    "score_group": gettext_noop("Both had the same points."),
    "floater": gettext_noop("Their points differ: no new opponent with the same points was left."),
    "bye": gettext_noop(
        "The number of players was odd. The bye goes to a player with few points who has had none."
    ),
    "second_bye": gettext_noop("Everyone has had a bye, so this one gives half a point."),
    "asked_bye": gettext_noop("This player asked for a bye."),
    "late_bye": gettext_noop("This player joined after this round."),
    "schedule": gettext_noop("In this format everyone plays everyone once."),
    "withdrawn": gettext_noop("A player has withdrawn."),
    "away": gettext_noop("A player missed the match before and has not come back."),
    "seeding": gettext_noop("The seeding decides who plays whom."),
    "top_seed": gettext_noop("The top seeds skip the first round."),
    "winners": gettext_noop("Both won in the previous round."),
    "walkover": gettext_noop("There was no opponent: nobody advanced on the other side."),
    "third_place": gettext_noop("Both lost a semi-final: this match is for third place."),
    "replay": gettext_noop("The first match was a draw, so the faster match decides."),
    "tables": gettext_noop(
        "Players with nearly the same points play together, if possible those who have not met."
    ),
}
"""By the reason of a pairing: a sentence."""
