"""The pages of matches and games. All that moves on a match page comes over the socket."""

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games import codec, dice, history, options
from games.history import Stored, Unfinished, UnknownMatch
from games.models import Match
from games.registry import GAMES


@require_safe
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match, for its players and for anyone who has the address."""
    stored = _stored(match_id)
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


@require_safe
def dice_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """How the dice of a match can be checked; once it is over the browser does it."""
    stored = _stored(match_id)
    match, game = stored.match, GAMES[stored.match.game]
    if not game.dice:
        raise Http404
    over = match.status == Match.Status.FINISHED
    context = {
        "match_id": match.pk,
        "game": game,
        "begun": stored.last is not None,
        "over": over,
        "seats": list(zip(stored.names, stored.words, strict=True)),
        **dice.published(match.secret, stored.words, over),
    }
    return render(request, "dice.html", context)


@require_safe
def dice_file(request: HttpRequest, match_id: str) -> HttpResponse:
    """The sealed file of a finished match as a download; 409 while the match is being played."""
    try:
        sealed = history.sealed_dice(match_id)
    except UnknownMatch as error:
        raise Http404 from error
    except Unfinished:
        detail = gettext("This match is not over yet. The secret of its dice is revealed when it ends.")
        return _json({"code": "not-over", "detail": detail}, status=409)
    name = f"parlour-dice-{match_id}.json"
    return _json(sealed, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@require_safe
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game in plain words, with its options as the table form offers them."""
    game = GAMES.get(slug)
    if game is None:
        raise Http404
    rules = game.rules
    fewest, most = rules.SEATS[0], rules.SEATS[-1]
    names = [gettext("Player %(number)d") % {"number": number} for number in range(1, fewest + 1)]
    context = {
        "game": game,
        "title": gettext(game.title),
        "fewest": fewest,
        "most": most,
        "options": options.explained(rules.Options),
        "start": codec.encode(rules.setup(rules.Options(), fewest)).decode(),
        "names": codec.encode(names).decode(),
    }
    return render(request, [f"rules/{slug}.html", "rules.html"], context)


def _stored(match_id: str) -> Stored:
    try:
        return history.load(match_id)
    except UnknownMatch as error:
        raise Http404 from error


def _json(content: object, **arguments: object) -> HttpResponse:
    return HttpResponse(orjson.dumps(content), content_type="application/json", **arguments)
