"""What players are told beforehand of matches that nobody goes on with.

All days are those of the settings, 0: never.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def idle_rule(claim: int, end: int, guest_end: int) -> list[str]:
    """What becomes of a match without a clock in which nobody moves, sentence by sentence.

    Args:
        claim: days after which the others may claim it.
        end: days after which it ends without a result.
        guest_end: the same where a guest is to move.
    """
    said = [
        (
            claim,
            ngettext(
                "Without a clock, the others can claim the match after %(n)d day without a move.",
                "Without a clock, the others can claim the match after %(n)d days without a move.",
                claim,
            ),
        ),
        (
            end,
            ngettext(
                "A match without a clock ends without a result after %(n)d day without a move.",
                "A match without a clock ends without a result after %(n)d days without a move.",
                end,
            ),
        ),
        (
            guest_end,
            ngettext(
                "If a guest is to move, it ends after %(n)d day.",
                "If a guest is to move, it ends after %(n)d days.",
                guest_end,
            ),
        ),
    ]
    return [sentence % {"n": days} for days, sentence in said if days]


def saved_rule(claim: int, end: int) -> list[str]:
    """What becomes of a saved match that nobody goes on with, sentence by sentence; see `idle_rule`."""
    sentences = []
    if claim:
        sentences += [
            ngettext(
                "Either player can end a saved casual match without a result after %(n)d day.",
                "Either player can end a saved casual match without a result after %(n)d days.",
                claim,
            )
            % {"n": claim},
            _(
                "If one player saved it alone and has not invited the others to go on, "
                "they can also claim the win."
            ),
        ]
    if end:
        ended = ngettext(
            "After %(n)d day a saved match ends without a result.",
            "After %(n)d days a saved match ends without a result.",
            end,
        )
        sentences.append(ended % {"n": end})
    return sentences
