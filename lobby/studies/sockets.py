"""The feed of a study: operations on its chapters, and where everybody looks."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import translation

from games.domain import codec
from games.domain.refusals import Refused, words_of
from games.net import rights
from games.net.hub import hub
from games.net.sockets import CLOSE_UNKNOWN, Feed
from games.net.threads import in_thread
from games.rules.base import IllegalMove
from lobby.people.models import User
from lobby.sockets.consumers import close_unavailable, parsed
from lobby.sockets.messages import CursorNote, OperateCommand, StudyIncoming, study_incoming
from lobby.studies import chapters, files, lookup
from lobby.studies.cursors import Cursor, cursors
from lobby.studies.lookup import RANKS, Role
from lobby.studies.models import Chapter, Study
from lobby.studies.refusals import NotAllowed, UnknownStudy
from lobby.studies.tree import Node, Tree


class StudyFeed(Feed):
    """A reader of a study, who may be anonymous."""

    cursor: Cursor | None = None
    _role = ""
    """The role that its user had when the study was last told."""

    async def opened(self) -> None:
        """Send the study as it is and where everybody looks, and listen to it."""
        self._study_id = self.about["study"]
        # Join first: a change in between may be told twice, but is not missed.
        self.join(topic(self._study_id))
        await self.look_again()
        if not self.over:
            cursors.came(topic(self._study_id), self)

    async def received(self, text: str) -> None:
        """Answer a message."""
        message = await parsed(self, text, study_incoming)
        if message is not None:
            await self._with_store(self._answer(message))

    async def resync(self) -> None:
        """Send the numbers of the chapters, by which the page knows what it has missed."""
        await self.look_again()

    def closed(self) -> None:
        """Tell the others."""
        cursors.left(topic(self._study_id), self)

    async def look_again(self) -> None:
        """Send the study, or end the feed if its user may not see it any more."""
        await self._with_store(self._tell_study())

    async def _with_store(self, work: Any) -> None:
        try:
            await work
        except UnknownStudy as error:
            await self.close_with(CLOSE_UNKNOWN, "unknown-study", error.sentence)
        except DatabaseError as error:
            await close_unavailable(self, error)

    async def _tell_study(self) -> None:
        async with self.news_held():
            told = await in_thread(_now)(self._study_id, self.user_id)
            self._role = told["role"]
            self.tell(told)
        if self.cursor is not None and self.cursor["leads"] and not self._may_lead():
            cursors.moved(topic(self._study_id), self, {**self.cursor, "leads": False})

    async def _answer(self, message: StudyIncoming) -> None:
        if isinstance(message, OperateCommand):
            self.tell(await in_thread(self._operate)(message))
        elif isinstance(message, CursorNote):
            if self.name:
                told = message.model_dump(exclude={"type"})
                leads = message.leads and self._may_lead()
                cursor = {"type": "cursor", "by": self.name, **told, "leads": leads}
                cursors.moved(topic(self._study_id), self, cursor)
        else:
            self.tell({"type": "pong", "t": message.t})

    def _may_lead(self) -> bool:
        return RANKS[self._role] >= RANKS[Role.WRITE]

    def _operate(self, command: OperateCommand) -> dict[str, Any]:
        with translation.override(self.language):
            try:
                done = self._done(command)
            except UnknownStudy:
                raise
            except (Refused, IllegalMove) as error:
                return {"type": "refused", "id": command.id, "code": error.code, "detail": words_of(error)}
        return {"type": "accepted", "id": command.id, "number": done.number, "node": done.node}

    def _done(self, command: OperateCommand) -> chapters.Done:
        if self.user_id is None:
            raise NotAllowed
        user = User.objects.get(pk=self.user_id)
        return chapters.operate(user, self._study_id, command.chapter, command.operation, command.id)


def topic(study_id: str) -> str:
    """The hub topic of a study."""
    return f"study.{study_id}"


def _now(study_id: str, user_id: int | None) -> dict[str, Any]:
    study, role = lookup.seen_by(study_id, user_id)
    known = list(study.chapters.values("id", "title", "number"))
    return {"type": "study", "title": study.title, "role": role, "chapters": known}


def chapter_changed(chapter: Chapter, user: User, before: Tree, tree: Tree, node: Node) -> None:
    """Tell all readers which nodes an operation has changed, after the commit."""
    start = chapters.start_of(chapter)
    changed = [each for each in tree.nodes.values() if each != before.nodes.get(each.id)]
    # All that an operation adds or brings back is on the way to its node.
    plies = files.plies(start, tree.path(node.id))
    come = [each.id for each in changed if not each.removed and _is_missing(before, each.id)]
    message = {
        "type": "changed",
        "chapter": chapter.pk,
        "number": tree.number,
        "by": user.get_username(),
        "nodes": [files.live_fields(each) for each in changed],
        "plies": {str(each): plies[str(each)] for each in come},
    }
    announce = partial(hub.announce, topic(chapter.study_id), codec.plain(message))
    transaction.on_commit(announce, robust=True)


def _is_missing(tree: Tree, node_id: int) -> bool:
    return node_id not in tree.nodes or tree.nodes[node_id].removed


def study_changed(study: Study) -> None:
    """Send the changed study to those who may still see it, and end the feeds of others."""
    rights.ended(topic(study.pk))
