"""The pages of the analysis board and of studies."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, suppress
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST, require_safe

from games.api import streams
from games.computers.searches import Found
from games.domain import codec, position, texts
from games.domain.position import Position, at_start, recognised
from games.domain.refusals import NoHint, Refused, words_of
from games.finished.download_queue import turns
from games.net.limits import network_of
from games.pages.files import record_for
from games.pages.json_response import json_response, refusal_response
from games.registry import GAMES, Game
from games.rules.base import BadPosition, IllegalMove, check_field
from games.share import addresses
from lobby.commands import CommandError
from lobby.http.idempotency import Act, command_of
from lobby.http.user_request import UserRequest
from lobby.people.models import User
from lobby.studies import chapters, evaluating, files, lookup, of_matches, studies
from lobby.studies.files import Chapter
from lobby.studies.lookup import OWNER, RANKS, Role
from lobby.studies.models import Study
from lobby.studies.refusals import (
    BadStudy,
    NobodyMoves,
    StudyError,
    StudyHeld,
    UnknownChapter,
    UnknownStudy,
)
from lobby.studies.tree import Tree
from lobby.tables.forms.one_board import usual_name


@require_safe
@ensure_csrf_cookie
def analysis(request: HttpRequest, slug: str) -> HttpResponse:
    """The analysis board, kept by the browser: of the start, of a position `?p=`, or of a match `?match=`."""
    game = GAMES.get(slug)
    if game is None:
        raise Http404
    chapter, names, problem, status = Chapter("", at_start(game), Tree()), None, "", int(HTTPStatus.OK)
    try:
        if "match" in request.GET:
            chapter, names = _of_match(request, game)
        elif "p" in request.GET:
            chapter = Chapter("", _position(game, request.GET["p"]), Tree())
    except (BadPosition, Refused) as error:
        problem = words_of(error)
        status = error.status
    context = {
        "game": game,
        "title": gettext(game.full_title),
        "problem": problem,
        "keeps_studies": request.user.is_authenticated and not request.user.is_guest,
        "board": {
            "chapter": live_chapter(chapter),
            "names": names or names_at(chapter.start),
            "kept": not problem and not request.GET.keys() & {"match", "p"},
        },
    }
    return render(request, "studies/analysis.html", context, status=status)


@require_POST
def plies(request: HttpRequest) -> HttpResponse:
    """The nodes of a chapter that a page has, numbered anew, and their positions, as JSON. Nothing is stored.

    Responds 422 if a move is illegal, or the body is no chapter (docs/reference/study-file.md).
    """
    try:
        chapter = files.chapter_of(request.read(files.MOST_BYTES + 1))
    except BadStudy as error:
        illegal = error.__cause__
        return refusal_response(illegal if isinstance(illegal, IllegalMove) else error)
    nodes = chapter.tree.kept()
    told = {"nodes": [files.live_fields(node) for node in nodes], "plies": files.plies(chapter.start, nodes)}
    return json_response(told)


@require_GET
async def evaluation(request: HttpRequest) -> HttpResponseBase:
    """The best level's evaluations of the position `?p=`, in which a player is to move, as lines of JSON.

    Each line looks deeper; the last one has `final`. One search serves all who look at the position. Its time
    is charged to who waits for it. Responds 422 for a bad position, 409 if nobody is to move or no worker has
    answered, 503 for too many requests at once.
    """
    try:
        there = position.parse(request.GET.get("p", ""))
        if not there.game.rules.legal_moves(there.state):
            raise NobodyMoves
        found = evaluating.evaluations(network_of(request), there)
        first = await anext(found)
    except BadPosition as error:
        return refusal_response(error)
    except Refused as error:
        return refusal_response(error, headers=dict(error.headers))
    return streams.response(_lines(there, first, found))


async def _lines(there: Position, first: Found, found: AsyncGenerator[Found]) -> AsyncGenerator[bytes]:
    async with aclosing(found):
        yield _line(there, first)
        # The page keeps what it has if no worker answers any more.
        with suppress(NoHint):
            async for each in found:
                yield _line(there, each)


def _line(there: Position, found: Found) -> bytes:
    turns = _turns(there, found.look.line)
    return codec.encode({**asdict(found.look), "turns": turns, "final": found.is_final})


def _turns(there: Position, line: Iterable[str]) -> list[int]:
    """Which seat makes each move of a line."""
    rules, state, turns = there.game.rules, there.state, list[int]()
    for move in line:
        turns.append(state.turn)
        state = rules.play(state, rules.parse(move)).state
    return turns


def names_at(start: Position) -> list[str]:
    """What the seats are called where nobody sits."""
    return [usual_name(start.game, seat) for seat in range(start.seats)]


def live_chapter(chapter: Chapter) -> dict[str, Any]:
    """A chapter as the page has it."""
    nodes = [files.live_fields(node) for node in chapter.tree.kept()]
    return codec.plain({"title": chapter.title, "position": str(chapter.start), "nodes": nodes})


def _position(game: Game, text: str) -> Position:
    found = recognised(game, text)
    check_field(found.game is game, "game")
    return found


def _of_match(request: HttpRequest, game: Game) -> tuple[Chapter, list[str]]:
    """Raises `WITHHELD`, `TooBusy` or `Http404`."""
    with turns.take(network_of(request)):
        record = record_for(request, request.GET["match"])
    if record.game is not game:
        raise Http404
    return of_matches.chapter_of(record), list(record.names)


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """The studies of the reader, and the newest public ones."""
    mine = lookup.of(request.user.pk) if request.user.is_authenticated else Study.objects.none()
    return _overview(request, mine)


def _overview(
    request: HttpRequest, mine: QuerySet[Study], problem: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {
        "mine": [_row(each) for each in mine],
        "public": [_row(each) for each in lookup.public()],
        "games": [(slug, gettext(game.title)) for slug, game in GAMES.items()],
        "problem": problem,
    }
    return render(request, "studies/studies.html", context, status=status)


def _row(study: Study) -> dict[str, Any]:
    return {"study": study, "game": gettext(GAMES[study.game].title) if study.game in GAMES else study.game}


@require_POST
@login_required
def new(request: UserRequest) -> HttpResponse:
    """Keep a study: of a file, of a chapter that the analysis board sends, or of the start of a game."""
    try:
        made = studies.create(request.user, _sent(request), command_of(request))
    except (StudyError, CommandError) as error:
        return _overview(request, lookup.of(request.user.pk), error.words, error.status)
    return redirect(made)


def _sent(request: HttpRequest) -> str:
    """The study that a form has, as the text of a file. Raises StudyError "bad-study"."""
    upload = request.FILES.get("file")
    if upload is not None:
        # One byte above the limit shows that the file is too large.
        text: str = upload.read(files.MOST_BYTES + 1).decode(errors="replace")
        return text
    if "text" in request.POST:
        return request.POST["text"]
    game = GAMES.get(request.POST.get("game", ""))
    if game is None:
        raise BadStudy("game")
    return _text(gettext(game.title), [files.chapter_fields("", at_start(game), Tree())])


def _text(title: str, chapters: list[dict[str, Any]]) -> str:
    return codec.encode(files.file(title, chapters)).decode()


@require_safe
@never_cache
def study(request: HttpRequest, study_id: str) -> HttpResponse:
    """A study, at its first chapter or at `?chapter=`."""
    found, role = _seen(request, study_id)
    known = list(found.chapters.all())
    wanted = texts.number(request.GET.get("chapter", ""))
    shown = next((each for each in known if each.pk == wanted), known[0])
    start, game = chapters.start_of(shown), GAMES[found.game]
    context = {
        "study": found,
        "role": role,
        "is_owner": role == OWNER,
        "writes": RANKS[role] >= RANKS[Role.WRITE],
        "comments": RANKS[role] >= RANKS[Role.COMMENT],
        "is_member": role and request.user.pk != found.owner_id and _is_member(found, request.user.pk),
        "members": found.members.select_related("user").order_by("user__username"),
        "roles": Role.choices,
        "visibilities": Study.Visibility.choices,
        "chapters": known,
        "chapter": shown,
        "most": {"title": files.LONGEST_TITLE},
        "game": game,
        "title": gettext(game.full_title),
        "short": gettext(game.title),
        "link": addresses.for_others(request, found.get_absolute_url()),
        "socket": f"/ws/page/study/{found.pk}",
        "board": {
            "chapter": shown.pk,
            "number": shown.number,
            "position": str(start),
            "names": names_at(start),
            "role": role,
        },
    }
    return render(request, "studies/study.html", context)


def _is_member(study: Study, user_id: int | None) -> bool:
    return user_id is not None and study.members.filter(user=user_id).exists()


@require_safe
@never_cache
def chapter_file(request: HttpRequest, study_id: str, chapter_id: int) -> HttpResponse:
    """The nodes of a chapter and their positions as JSON, with the number of its last operation."""
    found, _role = _seen(request, study_id)
    try:
        shown = lookup.chapter(found, chapter_id)
    except UnknownChapter as error:
        return refusal_response(error)
    nodes = chapters.tree_of(shown).kept()
    told = {
        "number": shown.number,
        "nodes": [files.live_fields(node) for node in nodes],
        "plies": files.plies(chapters.start_of(shown), nodes),
    }
    return json_response(told)


@require_safe
@never_cache
def study_file(request: HttpRequest, study_id: str) -> HttpResponse:
    """A study as a file (docs/reference/study-file.md)."""
    found, _role = _seen(request, study_id)
    headers = {"Content-Disposition": f'attachment; filename="parlour-study-{found.pk}.json"'}
    return HttpResponse(_file(found), content_type="application/json", headers=headers)


def _file(study: Study) -> str:
    return _text(study.title, [chapters.fields(each) for each in study.chapters.all()])


def _seen(request: HttpRequest, study_id: str) -> tuple[Study, str]:
    found, role = lookup.seen_by(study_id, request.user.pk)
    if found.game not in GAMES:
        raise Http404
    return found, role


@require_POST
@login_required
def act(request: UserRequest, study_id: str, act: str) -> HttpResponse:
    """Something that a form of the study’s page does."""
    try:
        made = ACTIONS[act](request, request.user, study_id, command_of(request))
    except UnknownStudy:
        if act != "delete":
            raise
        # The form was sent again.
        return redirect("studies")
    except Refused as error:
        messages.error(request, error.words)
        made = None
    if isinstance(made, Study):
        return redirect(made)
    if act in ("delete", "remove"):
        return redirect("studies") if _is_gone(request, study_id) else redirect("study", study_id)
    chapter = f"?chapter={made}" if made else ""
    return HttpResponseRedirect(reverse("study", args=[study_id]) + chapter)


def _is_gone(request: HttpRequest, study_id: str) -> bool:
    try:
        lookup.seen_by(study_id, request.user.pk)
    except UnknownStudy:
        return True
    return False


def _change(request: HttpRequest, user: User, study_id: str, command: str) -> None:
    sent = request.POST
    studies.change(user, study_id, sent.get("title", ""), sent.get("visibility", ""), command)


def _delete(_request: HttpRequest, user: User, study_id: str, command: str) -> None:
    studies.delete(user, study_id, command)


def _copy(_request: HttpRequest, user: User, study_id: str, command: str) -> Study:
    found, _role = lookup.seen_by(study_id, user.pk)
    if found.held:
        # The copy could be shown again.
        raise StudyHeld
    return studies.create(user, _file(found), command)


def _set_member(request: HttpRequest, user: User, study_id: str, command: str) -> None:
    sent = request.POST
    studies.set_member(user, study_id, sent.get("name", ""), sent.get("role", ""), command)


def _remove_member(request: HttpRequest, user: User, study_id: str, command: str) -> None:
    studies.remove_member(user, study_id, request.POST.get("name", ""), command)


def _add(request: HttpRequest, user: User, study_id: str, command: str) -> int:
    """Add the chapters of a file, or one that begins at a position."""
    found, _role = lookup.seen_by(study_id, user.pk)
    if "file" in request.FILES or found.game not in GAMES:
        return chapters.add(user, study_id, _sent(request), command)
    sent, game = request.POST, GAMES[found.game]
    try:
        start = _position(game, sent["position"]) if sent.get("position", "").strip() else at_start(game)
    except BadPosition as error:
        raise BadStudy(f"position.{error.field}") from error
    title = files.title(sent.get("title", ""))
    return chapters.add(user, study_id, _text("", [files.chapter_fields(title, start, Tree())]), command)


def _rename(request: HttpRequest, user: User, study_id: str, command: str) -> int:
    chapter = _chapter(request)
    chapters.rename(user, study_id, chapter, request.POST.get("title", ""), command)
    return chapter


def _drop(request: HttpRequest, user: User, study_id: str, command: str) -> None:
    chapters.delete(user, study_id, _chapter(request), command)


def _chapter(request: HttpRequest) -> int:
    return texts.number(request.POST.get("chapter", ""))


ACTIONS: dict[str, Act] = {
    "change": _change,
    "delete": _delete,
    "copy": _copy,
    "member": _set_member,
    "remove": _remove_member,
    "add": _add,
    "rename": _rename,
    "drop": _drop,
}
"""Actions on a study, by the end of the URL."""
