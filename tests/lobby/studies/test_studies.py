"""Studies: who may do what, chapters, copies, operations that are carried out once, and pages."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.domain.refusals import Refused
from games.rules.base import IllegalMove
from lobby.accounts import deletion
from lobby.moderation import moderation
from lobby.people import relationships
from lobby.people.models import User
from lobby.studies import chapters, files, lookup, studies
from lobby.studies.models import Operation, Study, StudyMember
from lobby.studies.refusals import BadStudy
from lobby.studies.tree import Add, Remove, SetComment
from tests.helpers.studies import KALAH, file, lines, played, study_of
from tests.helpers.tournaments import command, people

pytestmark = pytest.mark.django_db

COMMENT = SetComment(kind="comment", node=0, text="Look")
ADD = Add(kind="add", parent=0, action="1")


def code(act: Any, *arguments: Any) -> str:
    """The code with which something is refused, "" if it is not."""
    try:
        act(*arguments)
    except Refused as error:
        return error.code
    return ""


def operate(user: User, study: Study, operation: Any, key: str = "") -> chapters.Done:
    return chapters.operate(user, study.pk, study.chapters.all()[0].pk, operation, key or command())


class TestRoles:
    @pytest.mark.parametrize(
        ("role", "comment", "add"),
        [
            ("", "unknown-study", "unknown-study"),
            ("read", "not-allowed", "not-allowed"),
            ("comment", "", "comments-only"),
            ("write", "", ""),
        ],
    )
    def test_a_role_allows_what_it_says(self, role: str, comment: str, add: str) -> None:
        ada, bo = people("Ada Bo")
        study = study_of(ada, **({"Bo": role} if role else {}))
        assert code(operate, bo, study, COMMENT) == comment
        assert code(operate, bo, study, ADD) == add

    @pytest.mark.parametrize(
        ("visibility", "role"), [("private", ""), ("unlisted", "read"), ("public", "read")]
    )
    def test_visibility_says_who_else_reads(self, visibility: str, role: str) -> None:
        ada, bo = people("Ada Bo")
        study = study_of(ada, visibility)
        assert lookup.role_of(study, bo.pk) == lookup.role_of(study, None) == role
        assert (study in lookup.public()) == (visibility == "public")

    def test_only_the_owner_changes_members_and_settings(self) -> None:
        ada, bo, _cleo = people("Ada Bo Cleo")
        study = study_of(ada, Bo="write")
        assert code(studies.change, bo, study.pk, "Mine", "public", command()) == "not-owner"
        assert code(studies.set_member, bo, study.pk, "Cleo", "read", command()) == "not-owner"
        assert code(studies.delete, bo, study.pk, command()) == "not-owner"

    def test_a_member_may_leave_and_takes_nobody_along(self) -> None:
        ada, bo, cleo = people("Ada Bo Cleo")
        study = study_of(ada, Bo="read", Cleo="read")
        assert code(studies.remove_member, bo, study.pk, "Cleo", command()) == "not-owner"
        studies.remove_member(bo, study.pk, "Bo", command())
        assert lookup.role_of(study, bo.pk) == ""
        assert lookup.role_of(study, cleo.pk) == "read"

    def test_who_is_blocked_or_unknown_is_no_member(self) -> None:
        ada, bo = people("Ada Bo")
        study = study_of(ada)
        relationships.block(bo, ada)
        for name in ("Bo", "Nobody", "Ada"):
            assert code(studies.set_member, ada, study.pk, name, "read", command()) == "unknown-member"

    def test_a_muted_user_writes_nothing_that_others_read(self) -> None:
        ada, bo = people("Ada Bo")
        study = study_of(ada, "public", Bo="comment")
        moderation.mute(
            User.objects.create_user("Moderator"), bo, "Insults", timezone.now() + timedelta(days=1)
        )
        assert code(operate, bo, study, COMMENT) == "muted"

    def test_a_private_study_is_no_way_around_a_mute(self) -> None:
        ada, _bo, _cleo = people("Ada Bo Cleo")
        shown, alone = study_of(ada, Bo="read"), study_of(ada)
        moderation.mute(
            User.objects.create_user("Moderator"), ada, "Insults", timezone.now() + timedelta(days=1)
        )
        assert code(operate, ada, shown, COMMENT) == "muted"
        assert code(operate, ada, alone, COMMENT) == ""
        assert code(studies.set_member, ada, alone.pk, "Bo", "read", command()) == "muted"

    def test_what_a_moderator_made_private_stays_so_until_it_is_released(self) -> None:
        (ada,) = people("Ada")
        study, moderator = study_of(ada, "public"), User.objects.create_user("Moderator")

        def show(visibility: str) -> str:
            return code(studies.change, ada, study.pk, "Renamed", visibility, command())

        moderation.hide_study(moderator, study, "Insults")
        assert [show(each) for each in ("public", "unlisted", "private")] == ["study-held", "study-held", ""]
        moderation.release_study(moderator, study)
        assert show("public") == ""


class TestKeeping:
    def test_a_guest_keeps_none(self) -> None:
        (ada,) = people("Ada")
        User.objects.filter(pk=ada.pk).update(is_guest=True)
        assert code(studies.create, ada, file(), command()) == "guest"

    def test_a_bad_file_is_refused_and_nothing_kept(self) -> None:
        (ada,) = people("Ada")
        with pytest.raises(BadStudy) as refused:
            studies.create(ada, file({"id": 1, "parent": 0, "action": "7"}), command())
        assert refused.value.place == "chapters.0.nodes.1.action"
        assert not Study.objects.exists()

    def test_limits(self, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        (ada,) = people("Ada")
        settings.STUDIES_PER_PERSON = 1
        monkeypatch.setattr(chapters, "MOST_CHAPTERS", 1)
        monkeypatch.setattr(studies, "MOST_MEMBERS", 0)
        study = study_of(ada)
        people("Bo")
        assert code(studies.create, ada, file(), command()) == "too-many-studies"
        assert code(chapters.add, ada, study.pk, file(), command()) == "too-many-chapters"
        assert code(studies.set_member, ada, study.pk, "Bo", "read", command()) == "too-many-members"

    def test_a_study_is_never_larger_than_a_file_that_can_be_read(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (ada,) = people("Ada")
        study = study_of(ada)
        monkeypatch.setattr(chapters, "MOST_STORED", 3000)
        assert code(chapters.add, ada, study.pk, file(), command()) == ""
        node = played(ada, study, "1")
        full = SetComment(kind="comment", node=node, text="ы" * 1000)
        assert code(operate, ada, study, full) == ""
        other = SetComment(kind="comment", node=0, text="ы" * 1000)
        assert code(operate, ada, study, other) == "study-full"
        assert (
            code(
                chapters.add,
                ada,
                study.pk,
                file({"id": 1, "parent": 0, "action": "1", "comment": "ы" * 500}),
                command(),
            )
            == "study-full"
        )
        # What was removed makes room.
        operate(ada, study, Remove(kind="remove", node=node, seen=99))
        assert code(operate, ada, study, other) == ""

    def test_a_file_is_read_before_the_transaction(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """SQLite has one writer: reading a large file takes a second."""
        (ada,) = people("Ada")
        study, depths, read = study_of(ada), list[int](), files.chapters_of
        outside = len(connection.savepoint_ids)

        def noted(text: bytes) -> Any:
            depths.append(len(connection.savepoint_ids))
            return read(text)

        monkeypatch.setattr(files, "chapters_of", noted)
        studies.create(ada, file(), command())
        chapters.add(ada, study.pk, file(), command())
        assert depths == [outside, outside]

    def test_chapters_are_added_renamed_and_deleted_but_for_the_last(self) -> None:
        (ada,) = people("Ada")
        study = study_of(ada)
        added = chapters.add(ada, study.pk, file(), command())
        chapters.rename(ada, study.pk, added, "  Second ", command())
        assert [each.title for each in study.chapters.all()] == ["Start", "Second"]
        chapters.delete(ada, study.pk, added, command())
        assert code(chapters.delete, ada, study.pk, study.chapters.all()[0].pk, command()) == "last-chapter"

    def test_all_chapters_are_of_one_game(self) -> None:
        (ada,) = people("Ada")
        other = file(position=f"morris.1 nine turn=0 board={'.' * 24} hand=9,9")
        assert code(chapters.add, ada, study_of(ada).pk, other, command()) == "other-game"

    def test_a_deleted_account_takes_its_studies_along(self) -> None:
        ada, bo = people("Ada Bo")
        study, other = study_of(ada), study_of(bo, Ada="read")
        deletion.forget(ada.pk)
        assert list(Study.objects.all()) == [other]
        assert study not in Study.objects.all()
        assert not StudyMember.objects.exists()


class TestOperations:
    def test_the_same_key_acts_once(self) -> None:
        (ada,) = people("Ada")
        study = study_of(ada)
        first = operate(ada, study, ADD, "the-same-key")
        operate(ada, study, Remove(kind="remove", node=first.node, seen=first.number))
        assert operate(ada, study, ADD, "the-same-key") == first
        assert lines(study) == []

    def test_an_illegal_move_changes_nothing(self) -> None:
        (ada,) = people("Ada")
        study = study_of(ada)
        with pytest.raises(IllegalMove):
            operate(ada, study, Add(kind="add", parent=0, action="7"))
        assert not Operation.objects.exists()

    def test_numbers_follow_each_other(self) -> None:
        ada, bo = people("Ada Bo")
        study = study_of(ada, Bo="write")
        done = [
            operate(user, study, Add(kind="add", parent=0, action=move))
            for user, move in ((ada, "1"), (bo, "2"), (ada, "3"))
        ]
        assert [each.number for each in done] == [1, 2, 3]

    def test_old_keys_are_forgotten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(chapters, "KEPT", 2)
        (ada,) = people("Ada")
        study = study_of(ada)
        played(ada, study, "1", "2", "3", "4")
        assert list(Operation.objects.order_by("number").values_list("number", flat=True)) == [3, 4]


@pytest.mark.django_db(transaction=True)
def test_two_editors_at_once_lose_no_branch() -> None:
    ada, bo = people("Ada Bo")
    study = study_of(ada, Bo="write")

    def edit(user: User) -> None:
        try:
            for move in ("1", "2", "3", "4", "5", "6"):
                played(user, study, move, "1" if user == ada else "2")
        finally:
            connection.close()

    with ThreadPoolExecutor() as threads:
        list(threads.map(edit, (ada, bo)))
    assert [move for move in "123456" if move not in lines(study)] == []
    assert len(lines(study)) == len(set(lines(study))) == 6 + 2 * 6


class TestPages:
    def test_a_study_is_made_of_a_game_a_file_and_the_analysis_board(self, client: Client) -> None:
        (ada,) = people("Ada")
        client.force_login(ada)
        for sent in (
            {"game": "kalah"},
            {"text": file()},
            {"file": SimpleUploadedFile("study.json", file().encode())},
        ):
            answer = client.post("/studies/new", sent)
            assert answer.status_code == 302
            page = client.get(answer["Location"])
            assert (page.status_code, page.context["role"]) == (200, "owner")
        assert Study.objects.count() == 3

    def test_a_bad_file_says_where(self, client: Client) -> None:
        client.force_login(people("Ada")[0])
        page = client.post("/studies/new", {"text": "{}"})
        assert page.status_code == 422
        assert "This is not a study" in page.text

    def test_a_private_study_is_unknown_to_others(self, client: Client) -> None:
        (ada,) = people("Ada")
        study = study_of(ada)
        chapter = study.chapters.all()[0].pk
        for address in ("", ".json", f"/chapter/{chapter}"):
            assert client.get(f"/study/{study.pk}{address}").status_code == 404

    def test_a_file_of_a_study_makes_the_same_study(self, client: Client) -> None:
        (ada,) = people("Ada")
        study = study_of(ada, "public")
        played(ada, study, "1", "2")
        played(ada, study, "3")
        text = client.get(f"/study/{study.pk}.json").content.decode()
        assert lines(studies.create(ada, text, command())) == lines(study) == ["1", "1 2", "3"]

    def test_a_copy_belongs_to_the_reader_and_is_private(self, client: Client) -> None:
        ada, bo = people("Ada Bo")
        study = study_of(ada, "public")
        played(ada, study, "1")
        client.force_login(bo)
        answer = client.post(f"/study/{study.pk}/copy")
        copy = Study.objects.get(owner=bo)
        assert answer["Location"] == copy.get_absolute_url()
        assert (copy.visibility, lines(copy)) == ("private", ["1"])

    def test_a_study_that_a_moderator_made_private_is_not_copied(self, client: Client) -> None:
        (ada,) = people("Ada")
        study = study_of(ada, "public")
        moderation.hide_study(User.objects.create_user("Moderator"), study, "Insults")
        client.force_login(ada)
        client.post(f"/study/{study.pk}/copy")
        assert Study.objects.get() == study
        # What its owner wrote stays theirs.
        assert client.get(f"/study/{study.pk}.json").status_code == 200

    def test_a_chapter_tells_its_number_its_nodes_and_their_positions(self, client: Client) -> None:
        (ada,) = people("Ada")
        study = study_of(ada, "unlisted")
        node = played(ada, study, "3")
        told = client.get(f"/study/{study.pk}/chapter/{study.chapters.all()[0].pk}").json()
        assert (told["number"], [each["id"] for each in told["nodes"]]) == (1, [0, node])
        assert told["plies"][str(node)]["legal"] == ["1", "2", "4", "5", "6"]

    def test_forms_of_the_owner(self, client: Client) -> None:
        ada, bo = people("Ada Bo")
        study = study_of(ada)
        client.force_login(ada)
        base = f"/study/{study.pk}"
        client.post(f"{base}/change", {"title": "Openings", "visibility": "public"})
        client.post(f"{base}/member", {"name": "Bo", "role": "write"})
        client.post(
            f"{base}/add", {"title": "Late", "position": KALAH.replace("4*6,0,4*6,0", "0*5,1,9,4*6,0")}
        )
        study.refresh_from_db()
        late = study.chapters.all()[1]
        assert (study.title, study.visibility, late.title) == ("Openings", "public", "Late")
        assert lookup.role_of(study, bo.pk) == "write"
        client.post(f"{base}/rename", {"chapter": late.pk, "title": "End"})
        client.post(f"{base}/drop", {"chapter": study.chapters.all()[0].pk})
        assert [each.title for each in study.chapters.all()] == ["End"]
        client.post(f"{base}/remove", {"name": "Bo"})
        assert client.post(f"{base}/delete")["Location"] == "/studies"
        assert not Study.objects.exists()

    def test_the_list_has_own_studies_and_public_ones(self, client: Client) -> None:
        ada, bo = people("Ada Bo")
        study_of(ada), study_of(ada, "unlisted"), study_of(bo, "public"), study_of(bo, Ada="read")
        assert (client.get("/studies").text.count("/study/")) == 1
        client.force_login(ada)
        page = client.get("/studies")
        assert (len(page.context["mine"]), len(page.context["public"])) == (3, 1)
