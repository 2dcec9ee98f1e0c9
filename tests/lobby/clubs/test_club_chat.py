"""The chat of a club: who reads and writes, and who loses it at once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.utils import timezone

from games.net.threads import in_thread
from lobby.chat import lines
from lobby.chat.lines import ChatError
from lobby.chat.models import ChatLine
from lobby.clubs import club_chat, clubs, members
from lobby.clubs.clubs import Charter
from lobby.clubs.models import Club
from lobby.moderation import moderation, reports
from lobby.moderation.reports import UnknownLine
from lobby.people import relationships
from lobby.people.models import User
from tests.helpers.clubs import club_of
from tests.helpers.onlookers import Onlooker, Talk
from tests.helpers.tournaments import command, people


def refused(club: Club, user: User) -> str:
    with pytest.raises(ChatError) as caught:
        club_chat.say(club.pk, user.pk, command(), "Hello")
    return caught.value.code


def read(club: Club, user: User) -> list[str]:
    return [line["text"] for line in club_chat.latest(club.pk, user.pk)["lines"]]


@pytest.mark.django_db
class TestRoom:
    def test_members_read_and_write_and_nobody_else(self) -> None:
        ada, bo, cleo = people("Ada Bo Cleo")
        club, other = club_of(ada, bo), club_of(cleo, name="Second club")
        club_chat.say(club.pk, bo.pk, command(), "Who is there on Friday?")
        assert read(club, ada) == ["Who is there on Friday?"]
        assert refused(club, cleo) == "members-only"
        assert read(other, cleo) == []
        assert lines.last_lines(ada.pk, lines.LOBBY) == []

    def test_line_of_removed_or_muted_member_refused(self) -> None:
        ada, bo, cleo = people("Ada Bo Cleo")
        club = club_of(ada, bo, cleo)
        members.remove(ada, club.pk, "Bo", "", command())
        assert refused(club, bo) == "members-only"
        moderator = User.objects.create_user("Moderator")
        moderation.mute(moderator, cleo, "Insults", timezone.now() + timedelta(days=1))
        assert refused(club, cleo) == "muted"

    def test_blocked_and_hidden_lines_are_not_read(self) -> None:
        ada, bo, cleo = people("Ada Bo Cleo")
        club = club_of(ada, bo, cleo)
        club_chat.say(club.pk, bo.pk, command(), "From Bo")
        number = club_chat.say(club.pk, cleo.pk, command(), "From Cleo")
        relationships.block(ada, bo)
        assert read(club, ada) == ["From Cleo"]
        moderation.hide_line(User.objects.create_user("Moderator"), ChatLine.objects.get(pk=number))
        assert read(club, ada) == []

    def test_only_members_report_a_line(self) -> None:
        ada, bo, cleo = people("Ada Bo Cleo")
        club = club_of(ada, bo)
        number = club_chat.say(club.pk, bo.pk, command(), "Rude")
        assert reports.find(ada, bo, "line", str(number)).pk == number
        with pytest.raises(UnknownLine):
            reports.find(cleo, bo, "line", str(number))

    def test_lines_go_with_the_club(self) -> None:
        (ada,) = people("Ada")
        club = club_of(ada)
        club_chat.say(club.pk, ada.pk, command(), "Alone here")
        clubs.dissolve(ada, club.pk, command())
        assert not ChatLine.objects.exists()


def seen(told: list[str]) -> list[dict[str, Any]]:
    return [orjson.loads(each) for each in told if each.startswith("{")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
class TestSocket:
    async def joined(self) -> tuple[list[User], Club, list[Talk]]:
        found = await in_thread(people)("Ada Bo Cleo")
        club = await in_thread(club_of)(*found[:2])
        return (
            found,
            club,
            [await (await Onlooker.of(user)).socket(f"/ws/club/{club.slug}") for user in found],
        )

    async def test_a_line_reaches_members_and_nobody_else(self) -> None:
        _found, _club, (ada, bo, cleo) = await self.joined()
        assert seen(await ada.say())[0]["lines"] == []
        await bo.say()
        assert (await cleo.say())[-1] == "closed 4403"
        await bo.say({"type": "say", "id": "command-a1", "text": "Hello"})
        assert [each["line"]["text"] for each in seen(await ada.say())] == ["Hello"]
        for talk in (ada, bo, cleo):
            await talk.close()

    async def test_a_new_name_of_the_club_breaks_nothing(self) -> None:
        (ada, *_), club, (first, second, third) = await self.joined()
        await first.say()
        await second.say()
        renamed = await in_thread(clubs.change)(ada, club.pk, Charter("Lighthouse club"), command())
        assert renamed.slug == "lighthouse-club"
        await second.say({"type": "say", "id": "command-a1", "text": "Nice name"})
        assert [each["line"]["text"] for each in seen(await first.say())] == ["Nice name"]
        for talk in (first, second, third):
            await talk.close()
