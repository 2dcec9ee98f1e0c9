"""A match that its players keep to themselves: the lobby hears nothing of it, and they do."""

from __future__ import annotations

from typing import Any

import pytest

from games.domain.terms import Terms
from games.models import Match
from games.net.hub import hub
from games.net.tasks import tasks
from games.net.threads import in_thread
from games.play import begin
from games.registry import GAMES
from lobby.feed import lobby_feed
from lobby.people import person
from lobby.people.models import User
from lobby.tables import tables
from lobby.tables.table_template import plan_like
from lobby.tables.terms import TableTerms
from tests.lobby.tables.test_beginnings import Page

pytestmark = pytest.mark.django_db(transaction=True)

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]


@pytest.fixture
def two(transactional_db: None) -> list[User]:
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture
async def pages(two: list[User]) -> Any:
    """A lobby, and a page of each of the two."""
    found = [Page(lobby_feed.topic("en")), *(Page(person.topic_in(user.pk, "en")) for user in two)]
    for page in found:
        hub.join(page.topics[0], page)  # type: ignore[arg-type]
    yield found
    for page in found:
        hub.leave(page.topics[0], page)  # type: ignore[arg-type]


def at_a_listed_table(host: User, other: User) -> tuple[str, Match]:
    table = tables.set_table(host, "kalah", CIRCLE, 2, "host", TableTerms(watchable=False))
    match = tables.sit_down(other, table.pk).match
    assert match is not None
    return table.pk, match


async def test_hidden_match_table_gone_and_players_notified(two: list[User], pages: list[Page]) -> None:
    lobby, *own = pages
    table, match = await in_thread(at_a_listed_table)(*two)
    for page in own:
        await page.wait_for("match")
        assert [said["match"]["id"] for said in page.told("match")] == [match.pk]
        assert [said["table"]["match"] for said in page.told("table")] == [match.pk]
    await lobby.wait_for("table-gone")
    assert [(said["id"], said["begun"]) for said in lobby.told("table-gone")] == [(table, True)]
    assert match.pk not in str(lobby._heard)


async def test_hidden_match_end_and_renames_told_to_players(two: list[User], pages: list[Page]) -> None:
    lobby, *own = pages
    match = await in_thread(begin.create)("kalah", CIRCLE, two, 0, Terms(watchable=False))
    await in_thread(lobby_feed.tell_renamed)(two[0], two[0].username)
    await in_thread(lobby_feed.tell_matches_over)(match.pk)
    for page in own:
        await page.wait_for("match-over")
        assert len(page.told("match")) == 2
    assert match.pk not in str(lobby._heard)


async def test_a_rematch_that_watchers_do_not_know_is_not_told_with_a_name(
    two: list[User], pages: list[Page]
) -> None:
    lobby, *own = pages
    before = await in_thread(begin.create)("kalah", CIRCLE, two, 0, Terms(delay=3600))
    rematch = await in_thread(begin.create)("kalah", CIRCLE, two, 0, Terms(delay=3600), before)
    await in_thread(lobby_feed.tell_renamed)(two[0], two[0].username)
    await own[0].wait_for("match")
    assert rematch.pk not in str(lobby._heard)
    for task in tuple(tasks.running):
        task.cancel()


@pytest.mark.parametrize("address", ["/t/{}", "/api/v1/tables/{}"])
def test_hidden_match_table_not_found_for_others(client: Any, two: list[User], address: str) -> None:
    table, match = at_a_listed_table(*two)
    answer = client.get(address.format(table))
    assert answer.status_code == 404
    assert match.pk not in answer.content.decode()


def test_hidden_match_table_redirects_players(client: Any, two: list[User]) -> None:
    table, match = at_a_listed_table(*two)
    client.force_login(two[1], "lobby.auth.backends.PasswordBackend")
    assert client.get(f"/t/{table}")["Location"] == f"/m/{match.pk}"


def test_hidden_match_not_copied_by_others(two: list[User]) -> None:
    _, match = at_a_listed_table(*two)
    assert plan_like(match.pk, two[0].pk) is not None
    assert plan_like(match.pk, None) is None
