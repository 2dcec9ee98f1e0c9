"""Studies for programs. Services decide."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router
from ninja.responses import Status

from games.api.access import Token, anybody, caller_of
from games.api.routes import answer
from games.api.scopes import STUDIES
from lobby.api.callers import my_account, my_id
from lobby.studies import chapters, files, lookup, studies
from lobby.studies.api_fields import (
    Added,
    ChapterNow,
    FileBody,
    Operated,
    OperationBody,
    Studies,
    StudyChanges,
    StudyCommand,
    StudyDetails,
    StudyFile,
    row,
    study_fields,
)
from lobby.studies.models import Study

router = Router(tags=["Studies"])

StudyId = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$", description="The last part of its address.")]
ChapterId = Annotated[int, Path(ge=1, le=2**53, description="The id of the chapter.")]
OfGame = Annotated[str, Query(max_length=50, description="Only studies of this game.")]


@router.get("/studies", auth=anybody, response=Studies, summary="Public studies")
def list_studies(request: HttpRequest, game: OfGame = "") -> HttpResponse:
    """The newest public studies."""
    return answer({"studies": [row(each) for each in lookup.public(game)]})


@router.get("/me/studies", auth=Token(STUDIES), response=Studies, summary="Your studies")
def my_studies(request: HttpRequest) -> HttpResponse:
    """Your studies, and those that you are a member of."""
    return answer({"studies": [row(each) for each in lookup.of(my_id(request))]})


@router.post("/studies", auth=Token(STUDIES), response={201: StudyDetails}, summary="Keep a study")
def keep_study(request: HttpRequest, body: FileBody) -> HttpResponse:
    """Keep a file as a private study of yours."""
    made = studies.create(my_account(request), _text(body), body.id)
    return answer(study_fields(made, lookup.OWNER), 201)


@router.get("/studies/{study_id}", auth=anybody, response=StudyDetails, summary="A study")
def one_study(request: HttpRequest, study_id: StudyId) -> HttpResponse:
    """A study that you may see. Private ones need a token with the scope `studies`."""
    return answer(study_fields(*_seen(request, study_id)))


@router.patch("/studies/{study_id}", auth=Token(STUDIES), response=StudyDetails, summary="Change your study")
def change_study(request: HttpRequest, study_id: StudyId, body: StudyChanges) -> HttpResponse:
    """Change the title, and who can see it, as the owner. A study that a moderator holds stays private."""
    me = my_account(request)
    studies.change(me, study_id, body.title, body.visibility, body.id)
    return answer(study_fields(*lookup.seen_by(study_id, me.pk)))


@router.post(
    "/studies/{study_id}/delete", auth=Token(STUDIES), response={204: None}, summary="Delete your study"
)
def delete_study(request: HttpRequest, study_id: StudyId, body: StudyCommand) -> Status[None]:
    """Delete a study for good, as the owner."""
    studies.delete(my_account(request), study_id, body.id)
    return Status(204, None)


@router.get("/studies/{study_id}/file", auth=anybody, response=StudyFile, summary="A study as a file")
def study_as_file(request: HttpRequest, study_id: StudyId) -> HttpResponse:
    """A study as a file, from which `POST /studies` makes the same study."""
    study, _role = _seen(request, study_id)
    return answer(files.file(study.title, map(chapters.fields, study.chapters.all())))


@router.post(
    "/studies/{study_id}/chapters", auth=Token(STUDIES), response={201: Added}, summary="Add chapters"
)
def add_chapters(request: HttpRequest, study_id: StudyId, body: FileBody) -> HttpResponse:
    """Add the chapters of a file to a study, with the role `write`."""
    return answer({"chapter": chapters.add(my_account(request), study_id, _text(body), body.id)}, 201)


@router.get(
    "/studies/{study_id}/chapters/{chapter_id}", auth=anybody, response=ChapterNow, summary="A chapter"
)
def one_chapter(request: HttpRequest, study_id: StudyId, chapter_id: ChapterId) -> HttpResponse:
    """A chapter with its nodes and their positions."""
    study, _role = _seen(request, study_id)
    chapter = lookup.chapter(study, chapter_id)
    start, nodes = chapters.start_of(chapter), chapters.tree_of(chapter).kept()
    return answer(
        {
            "title": chapter.title,
            "position": str(start),
            "number": chapter.number,
            "nodes": [files.live_fields(node) for node in nodes],
            "plies": files.plies(start, nodes),
        }
    )


@router.post(
    "/studies/{study_id}/chapters/{chapter_id}/operations",
    auth=Token(STUDIES),
    response=Operated,
    summary="Change a chapter",
)
def operate_on_chapter(
    request: HttpRequest, study_id: StudyId, chapter_id: ChapterId, body: OperationBody
) -> HttpResponse:
    """Add a move, comment on it, sign it, draw on it, order or remove it, as on the study socket."""
    done = chapters.operate(my_account(request), study_id, chapter_id, body.operation, body.id)
    return answer({"number": done.number, "node": done.node})


def _seen(request: HttpRequest, study_id: str) -> tuple[Study, str]:
    """A study that the caller may see, and their role. Raises `UnknownStudy`."""
    who = caller_of(request)
    return lookup.seen_by(study_id, who.user_id if STUDIES in who.scopes else None)


def _text(body: FileBody) -> str:
    return body.study.model_dump_json(exclude_defaults=True)
