"""The feed of a study: two editors see each other, and a line that was lost loses nothing."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from games.net.threads import in_thread
from games.rules import kalah
from lobby.people.models import User
from lobby.studies import studies
from lobby.studies.models import Study
from tests.helpers.onlookers import Onlooker, Talk
from tests.helpers.studies import lines, played, study_of
from tests.helpers.tournaments import command, people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def shared() -> tuple[User, User, Study, int]:
    ada, bo = await in_thread(people)("Ada Bo")
    study = await in_thread(study_of)(ada, Bo="write")
    chapter = await in_thread(lambda: study.chapters.all()[0].pk)()
    return ada, bo, study, chapter


async def entered(user: User, study: Study) -> Talk:
    return await (await Onlooker.of(user)).socket(f"/ws/study/{study.pk}")


async def heard(talk: Talk, kind: str, **fields: Any) -> dict[str, Any]:
    """The next message of a kind with these fields; others are skipped."""
    while True:
        message = orjson.loads((await talk.there.receive_output())["text"])
        if message["type"] == kind and message.items() >= fields.items():
            return message


async def send(talk: Talk, message: dict[str, Any]) -> None:
    await talk.there.send_to(text_data=orjson.dumps(message).decode())


def add(chapter: int, key: str, action: str, parent: int = 0) -> dict[str, Any]:
    operation = {"kind": "add", "parent": parent, "action": action, "dice": None}
    return {"type": "operate", "id": key, "chapter": chapter, "operation": operation}


async def test_both_see_each_others_moves_in_the_same_order() -> None:
    ada, bo, study, chapter = await shared()
    first, second = await entered(ada, study), await entered(bo, study)
    for talk, role in ((first, "owner"), (second, "write")):
        told = await heard(talk, "study")
        assert (told["role"], told["chapters"]) == (role, [{"id": chapter, "title": "Start", "number": 0}])
    await send(first, add(chapter, "command-a", "1"))
    assert await heard(first, "accepted", id="command-a") == {
        **{"type": "accepted", "id": "command-a", "number": 1, "node": 1}
    }
    await send(second, add(chapter, "command-b", "2"))
    for number, by, action in ((1, "Ada", "1"), (2, "Bo", "2")):
        told = await heard(second, "changed", number=number)
        assert (told["by"], told["nodes"][0]["action"]) == (by, action)
        assert told["plies"][str(number)]["state"]["turn"] == 1
    for talk in (first, second):
        await talk.close()


async def test_a_line_that_was_lost_and_sent_again_acts_once() -> None:
    """The socket breaks before the answer; the client sends the same operation on the next one."""
    ada, bo, study, chapter = await shared()
    first, second = await entered(ada, study), await entered(bo, study)
    await send(second, add(chapter, "command-b", "2"))
    await heard(first, "changed", number=1)
    await second.close()
    # While Bo is away, Ada goes on.
    await send(first, add(chapter, "command-a", "1"))
    await heard(first, "accepted", id="command-a")
    again = await entered(bo, study)
    told = await heard(again, "study")
    assert told["chapters"][0]["number"] == 2
    await send(again, add(chapter, "command-b", "2"))
    assert (await heard(again, "accepted", id="command-b"))["number"] == 1
    assert await in_thread(lines)(study) == ["2", "1"]
    for talk in (first, again):
        await talk.close()


async def test_a_branch_that_one_removes_and_the_other_goes_on_with_is_kept() -> None:
    ada, bo, study, chapter = await shared()
    node = await in_thread(played)(ada, study, "1")
    first, second = await entered(ada, study), await entered(bo, study)
    await send(second, add(chapter, "command-b", "2", parent=node))
    await heard(second, "accepted")
    remove = {"kind": "remove", "node": node, "seen": 1}
    await send(first, {"type": "operate", "id": "command-a", "chapter": chapter, "operation": remove})
    await heard(first, "accepted", id="command-a")
    assert await in_thread(lines)(study) == ["1", "1 2"]
    for talk in (first, second):
        await talk.close()


async def test_cursors_are_told_and_forgotten() -> None:
    ada, bo, study, chapter = await shared()
    first, second = await entered(ada, study), await entered(bo, study)
    note = {"type": "cursor", "chapter": chapter, "node": 0, "leads": True, "follows": False}
    for _repeated in range(2):
        await send(first, note)
    assert await heard(second, "cursor") == {"by": "Ada", **note}
    third = await entered(bo, study)
    assert await heard(third, "cursor") == {"by": "Ada", **note}
    await first.close()
    for talk in (second, third):
        # Nothing was told twice, and nobody was asked anything.
        assert (await heard(talk, "left"))["by"] == "Ada"
        await talk.close()


async def test_only_who_may_write_leads() -> None:
    """A reader of a public study would take along everybody who follows its teacher."""
    ada, bo, study, chapter = await shared()
    first, second = await entered(ada, study), await entered(bo, study)
    note = {"type": "cursor", "chapter": chapter, "node": 0, "leads": True}
    await send(second, note)
    assert (await heard(first, "cursor", by="Bo"))["leads"]
    await in_thread(studies.set_member)(ada, study.pk, "Bo", "comment", command())
    assert not (await heard(first, "cursor", by="Bo"))["leads"]
    await send(second, {**note, "follows": True})
    told = await heard(first, "cursor", by="Bo")
    assert (told["leads"], told["follows"]) == (False, True)
    for talk in (first, second):
        await talk.close()


async def test_a_page_from_before_an_upgrade_says_nothing_of_following() -> None:
    ada, bo, study, chapter = await shared()
    first, second = await entered(ada, study), await entered(bo, study)
    await send(first, {"type": "cursor", "chapter": chapter, "node": 0, "leads": False})
    assert (await heard(second, "cursor"))["follows"] is False
    for talk in (first, second):
        await talk.close()


async def test_who_may_only_read_is_refused() -> None:
    ada, bo, study, chapter = await shared()
    await in_thread(studies.set_member)(ada, study.pk, "Bo", "read", command())
    talk = await entered(bo, study)
    await send(talk, add(chapter, "command-b", "2"))
    assert (await heard(talk, "refused"))["code"] == "not-allowed"
    await send(talk, add(chapter, "command-c", "7"))
    assert (await heard(talk, "refused"))["id"] == "command-c"
    await talk.close()


async def test_a_visitor_reads_a_public_study_and_no_private_one() -> None:
    ada, _bo, study, chapter = await shared()
    visitor = await Onlooker().socket(f"/ws/study/{study.pk}")
    assert (await heard(visitor, "error"))["code"] == "unknown-study"
    await in_thread(studies.change)(ada, study.pk, "Open", "public", command())
    visitor = await Onlooker().socket(f"/ws/study/{study.pk}")
    assert (await heard(visitor, "study"))["role"] == "read"
    await send(visitor, add(chapter, "command-v", "1"))
    assert (await heard(visitor, "refused"))["code"] == "not-allowed"
    await visitor.close()


async def test_a_long_line_that_comes_back_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand moves that were each played from the start took seconds, in a transaction."""
    ada, _bo, study, chapter = await shared()
    node = await in_thread(played)(ada, study, "1", "6", "1", "5", "1", "6")
    talk = await entered(ada, study)
    remove = {"kind": "remove", "node": 1, "seen": 99}
    await send(talk, {"type": "operate", "id": "command-a", "chapter": chapter, "operation": remove})
    await heard(talk, "accepted", id="command-a")
    actions, play = list[Any](), kalah.play

    def noted(state: Any, action: Any) -> Any:
        actions.append(action)
        return play(state, action)

    monkeypatch.setattr(kalah, "play", noted)
    comment = {"kind": "comment", "node": node, "text": "Back"}
    await send(talk, {"type": "operate", "id": "command-b", "chapter": chapter, "operation": comment})
    told = await heard(talk, "changed", number=8)
    assert (len(told["plies"]), len(actions)) == (6, 6)
    await talk.close()
