"""The pages of the leaderboards."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.domain.options import preset_in_words
from games.net.shared_pages import for_a_second
from games.registry import GAMES
from lobby.people.words import pools_of
from lobby.ratings import leaderboards as service
from lobby.ratings.models import Pool
from lobby.ratings.unsettled import unsettled_results


@require_safe
@for_a_second
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Choose a game."""
    return render(request, "people/leaderboards.html", {"games": GAMES.values()})


@require_safe
@for_a_second
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """The leaderboard of a game by preset (`?rules=`) and pool (`?pool=`); by default the first ones."""
    game = GAMES.get(slug)
    if game is None:
        raise Http404
    context = {"games": GAMES.values(), "game": game, "title": gettext(game.title)}
    if not game.pure_luck:
        presets, pools = list(game.rules.PRESETS), pools_of(game)
        family = request.GET.get("rules", presets[0])
        pool = request.GET.get("pool", pools[0])
        if family not in presets or pool not in pools:
            raise Http404
        context |= {
            "family": family,
            "pool": pool,
            "families": [(preset, preset_in_words(game, preset)) for preset in presets],
            "pools": [(each.value, str(each.label).capitalize()) for each in pools],
            "unsettled": request.user.is_authenticated
            and bool(unsettled_results(request.user.pk, request.user.pk, timezone.now())),
            "board": service.Leaderboard(game, family, Pool(pool), request.user),
        }
    return render(request, "people/leaderboard.html", context)
