"""What processes of a site say to each other over Redis, also when Redis forgets, breaks off or restarts."""

import asyncio

import pytest
import redis as redis_client

from games.net import hub as hubs
from games.net.hub import Hub
from games.net.measures import measures
from games.net.processes import EVERYWHERE, tell_from_outside
from tools.harness.patience import wait_until
from tools.harness.relay import Relay
from tools.harness.services import Redis

MESSAGE = {"type": "line"}
PATIENCE = 20
NOWHERE = "redis://127.0.0.1:1"


class Page:
    """A socket that notes what it is told, and that it may have missed something."""

    seat = None

    def __init__(self):
        self.told, self.misses = asyncio.Queue(), asyncio.Queue()

    def write(self, frame):
        self.told.put_nowait(frame.payload)

    async def close(self, code): ...

    async def missed(self):
        self.misses.put_nowait(None)


async def soon(waits):
    return await asyncio.wait_for(waits, PATIENCE)


@pytest.fixture
async def site(redis, settings):
    """Makes hubs of processes of one site that know each other, and ends what they run."""
    hubs = []

    async def process(url=None):
        settings.REDIS_URL = url or redis.url()
        hub = Hub()
        hubs.append(hub)
        page = await page_at(hub, "chat.begun")
        if settings.REDIS_URL != NOWHERE:
            # Whoever begins has missed whatever was said before.
            await soon(page.misses.get())
        return hub

    yield process
    tasks = [task for hub in hubs for task in hub._tasks]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def page_at(hub, topic):
    page = Page()
    hub.join(topic, page)
    await hub.joined()
    return page


def messages_of(redis):
    """How many messages this Redis was ever given to pass on."""
    with redis_client.Redis.from_url(redis.url()) as connection:
        said = connection.info("commandstats")
    return said.get("cmdstat_publish", {"calls": 0})["calls"]


async def test_what_another_process_says_is_heard_from_the_moment_of_joining(site):
    here, there = await site(), await site()
    pages = []
    for number in range(20):
        pages.append(await page_at(here, f"chat.{number}"))
        there.publish(f"chat.{number}", MESSAGE)
    await soon(asyncio.gather(*(page.told.get() for page in pages)))


async def test_nobody_waits_for_a_redis_that_is_away(site):
    hub = await site(NOWHERE)
    await soon(page_at(hub, "chat.1"))


async def test_whoever_hears_their_own_words_is_not_deaf(site, monkeypatch):
    hub = Hub()
    assert not hub.deaf
    hub = await site(NOWHERE)
    assert hub.deaf
    hub = await site()
    assert not hub.deaf
    later = hubs.time.monotonic() + hubs.DEAF_AFTER + 1
    with monkeypatch.context() as changed:
        changed.setattr(hubs.time, "monotonic", lambda: later)
        assert hub.deaf


async def test_each_hears_what_it_listens_to_in_the_order_in_which_it_was_said(site):
    here, there, elsewhere = await site(), await site(), await site()
    pages = [await page_at(there, "match.a"), await page_at(elsewhere, "match.b")]
    for number in range(50):
        here.publish("match.a", {"a": number})
        here.publish("match.b", {"b": number})
    assert [await soon(pages[0].told.get()) for _ in range(50)] == [b'{"a":%d}' % n for n in range(50)]
    assert [await soon(pages[1].told.get()) for _ in range(50)] == [b'{"b":%d}' % n for n in range(50)]
    assert pages[0].told.empty()


async def test_whoever_leaves_is_told_no_more(site):
    here, there = await site(), await site()
    page, stays = await page_at(there, "match.a"), await page_at(there, "match.b")
    there.leave("match.a", page)
    await there.joined()
    here.publish("match.a", MESSAGE)
    here.publish("match.b", MESSAGE)
    await soon(stays.told.get())
    assert page.told.empty()
    there.join("match.a", page)
    await there.joined()
    here.publish("match.a", MESSAGE)
    await soon(page.told.get())


async def test_what_is_said_in_one_turn_is_one_message_and_where_nobody_listens_it_is_none(site, redis):
    here, there = await site(), await site()
    page = await page_at(there, "match.a")
    await here.joined()
    before = messages_of(redis)
    for number in range(1000):
        here.publish("match.a", {"number": number})
        here.publish("match.b", MESSAGE)
    for _ in range(1000):
        await soon(page.told.get())
    # The others are beats.
    assert messages_of(redis) - before <= 5


async def test_all_are_told_what_is_for_every_process(site, redis):
    hubs, heard = [await site() for _ in range(3)], asyncio.Queue()
    for hub in hubs:
        hub.listen("word", lambda topic, payload, hub=hub: heard.put_nowait((hub, topic, payload)))
        await hub.joined()
    hubs[0].tell_everyone("word", MESSAGE)
    told = [await soon(heard.get()) for _ in hubs]
    assert {hub for hub, _, _ in told} == {*hubs}
    assert {(topic, payload) for _, topic, payload in told} == {(EVERYWHERE, b'{"type":"line"}')}
    await asyncio.to_thread(tell_from_outside, redis.url(), EVERYWHERE, b"1", "word")
    assert {(await soon(heard.get()))[0] for _ in hubs} == {*hubs}


async def test_sites_on_other_databases_of_a_redis_are_other_sites(site, redis):
    here, there = await site(), await site(redis.url(1))
    page = await page_at(there, "match.a")
    ours = await page_at(here, "match.a")
    (await site()).publish("match.a", MESSAGE)
    await soon(ours.told.get())
    assert page.told.empty()


@pytest.fixture
def own_redis():
    from tools.programs import redis_server

    redis = Redis(redis_server() or pytest.skip("redis-server is not installed"))
    yield redis.start()
    redis.discard()


async def test_a_redis_that_forgets_everything_is_no_matter(site, redis):
    here, there = await site(), await site()
    page = await page_at(there, "chat.a")
    with redis_client.Redis.from_url(redis.url()) as connection:
        connection.flushall()
    here.publish("chat.a", MESSAGE)
    await soon(page.told.get())


async def test_after_a_restart_everybody_is_heard_again_and_sees_to_what_was_missed(site, own_redis):
    here, there = await site(own_redis.url()), await site(own_redis.url())
    page = await page_at(there, "chat.a")
    await asyncio.to_thread(own_redis.kill9)
    here.publish("chat.a", MESSAGE)
    await asyncio.to_thread(own_redis.restart)
    await soon(page.misses.get())
    await here.joined()
    here.publish("chat.a", MESSAGE)
    await soon(page.told.get())


async def test_every_message_that_redis_does_not_take_is_counted(site, redis):
    relay = Relay(redis.port)
    here = await site(f"redis://127.0.0.1:{relay.port}/0")
    for topic in ("chat.a", "chat.b"):
        await page_at(await site(), topic)
    relay.fall_silent()
    line, before = here._others._line, measures.layer_losses
    here.publish("chat.a", MESSAGE)
    here.publish("chat.b", MESSAGE)
    await asyncio.sleep(0)
    # They go to two processes; a beat may be on its way beside them.
    untaken = line.untaken
    assert untaken >= 2
    relay.close()
    await asyncio.to_thread(
        wait_until, lambda: measures.layer_losses >= before + untaken, "the end of the line"
    )
    # Nobody is there, and what is said now is lost as well.
    counted = measures.layer_losses
    here.publish("chat.a", MESSAGE)
    await asyncio.sleep(0)
    assert measures.layer_losses > counted


async def test_a_message_that_is_lost_on_its_way_is_missed(site):
    here, there = await site(), await site()
    page = await page_at(there, "chat.a")
    others, lost = there._others, asyncio.Event()
    line, hear = others._line, others._heard

    def lose(channel, message):
        if channel == others._own:
            line._heard = hear
            lost.set()
        else:
            hear(channel, message)

    line._heard = lose
    here.publish("chat.a", MESSAGE)
    await soon(lost.wait())
    await soon(page.misses.get())
    assert page.told.empty()
    here.publish("chat.a", MESSAGE)
    await soon(page.told.get())
