"""The statuses of followed players are read for all pages together, however often a page asks."""

import pytest

from lobby.people import following, relationships
from lobby.people.following import Watchers
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)


class Page:
    """A page that keeps what it is told."""

    language = "en"

    def __init__(self, user):
        self.user_id, self.told = user.pk, []

    def tell(self, message):
        self.told.append([each["name"] for each in message["people"]])


@pytest.fixture
def page(ulno, artjom):
    relationships.follow(ulno, artjom)
    return Page(ulno)


@pytest.fixture
def reads(monkeypatch):
    """How often statuses were read."""
    reads, read = [], following.followed

    def followed(user_ids):
        reads.append(set(user_ids))
        return read(user_ids)

    monkeypatch.setattr(following, "followed", followed)
    return reads


async def test_page_that_asks_again_and_again_is_told_by_the_next_poll(page, reads):
    watchers = Watchers()
    for _ in range(20):
        await watchers.watch(page)
    assert len(reads) <= 2
    await eventually(lambda: page.told == [["Artjom"]] * 2)
    watchers.forget(page)
