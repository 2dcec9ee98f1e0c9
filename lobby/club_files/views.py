"""The page of what a club has brought along from another site."""

from __future__ import annotations

from typing import Any

import orjson
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.domain.refusals import Refused
from games.registry import GAMES
from lobby.club_files import archives
from lobby.club_files.files import MeetingPart, TournamentPart
from lobby.clubs import lookup
from lobby.clubs.lookup import Role
from lobby.http.idempotency import command_of
from lobby.http.user_request import UserRequest
from lobby.tournaments.formats.words import WORDS
from lobby.tournaments.tables import ClubResult, meeting, points_in_words

MOST_SHOWN = 100
"""Rows of each list on the page; the file of the club has all."""


@require_safe
def archive(request: HttpRequest, club: str) -> HttpResponse:
    """Names, announcements, tournaments, ladder and studies of a club at its former site."""
    found = lookup.at(club)
    file = archives.beginning(found, MOST_SHOWN)
    mine = lookup.membership(found, request.user.pk)
    context = {
        "club": found,
        "file": file,
        "members": [each for each in file.members if each.name],
        "tournaments": [_tournament(each) for each in file.tournaments],
        "meetings": [_meeting(each) for each in file.meetings],
        "is_owner": mine is not None and mine.role == Role.OWNER,
    }
    return render(request, "club_files/archive.html", context)


def _tournament(part: TournamentPart) -> dict[str, Any]:
    """A tournament in words. Other sites may have other games and formats."""
    return {
        "title": part.title,
        "game": _(GAMES[part.game].title) if part.game in GAMES else part.game,
        "format": _(WORDS[part.format].title) if part.format in WORDS else part.format,
        "ended": part.ended,
        "lines": [(each.rank, each.name, points_in_words(each.points)) for each in part.players],
    }


def _meeting(part: MeetingPart) -> dict[str, Any]:
    """A team battle or team match in words."""
    clubs = [ClubResult(each.name, each.rank, each.points) for each in part.clubs]
    mine = clubs.pop(part.own)
    against, score = meeting(part.format, mine, clubs)
    return {"title": part.title, "ended": part.ended, "against": against, "score": score}


@require_safe
def study_file(request: HttpRequest, club: str, number: int) -> HttpResponse:
    """A study of the archive as a file, which the analysis board opens."""
    study = archives.study(lookup.at(club), number)
    if study is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="parlour-study-{number}.json"'}
    return HttpResponse(orjson.dumps(study), content_type="application/json", headers=headers)


@require_POST
@login_required
def delete(request: UserRequest, club: str) -> HttpResponse:
    """Delete the archive, as the owner of the club."""
    found = lookup.at(club)
    try:
        archives.delete(request.user, found.pk, command_of(request))
    except Refused as error:
        messages.error(request, error.words)
    return redirect(found)
