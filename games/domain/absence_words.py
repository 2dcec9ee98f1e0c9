"""Sentences that tell players in advance what happens to abandoned matches.

All arguments are days from the settings; 0 means never.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def idle_rule(claim: int, end: int, guest_end: int) -> list[str]:
    """The rules for a match without a clock in which no one moves, one sentence each.

    Args:
        claim: days after which the opponents may claim it.
        end: days after which it ends without a result.
        guest_end: the same if a guest is to move.
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
    """The rules for a saved match that no one resumes, one sentence each; see `idle_rule`."""
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
                "If one player saved it and has not invited the others to resume, the others can also "
                "claim the win."
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
