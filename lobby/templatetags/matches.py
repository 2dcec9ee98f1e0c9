"""Template tags about matches."""

from django import template

from games.models import Match
from lobby.tournaments import tournaments
from lobby.tournaments.models import Tournament

register = template.Library()


@register.simple_tag
def tournament_of(match: Match) -> Tournament | None:
    """The tournament that a match belongs to."""
    return tournaments.of_match(match.pk)
