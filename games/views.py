"""The match page. All that moves on it comes over the socket."""

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games import codec, history, options
from games.registry import GAMES


def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match, for its players and for anyone who has the address."""
    try:
        stored = history.load(match_id)
    except history.UnknownMatch as error:
        raise Http404 from error
    game = GAMES[stored.match.game]
    chosen = codec.decode(game.rules.Options, orjson.loads(stored.match.options))
    return render(
        request,
        "match.html",
        {
            "match": stored.match,
            "game": game,
            "seats": [{"seat": seat, "name": name} for seat, name in enumerate(stored.names)],
            "preset": options.preset_of(game, chosen),
            "options_in_words": options.in_words(chosen),
            "socket": f"/ws/match/{stored.match.pk}",
        },
    )
