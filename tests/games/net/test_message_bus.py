"""Messages between processes of a site over a real Redis, also when it forgets, is silent or restarts."""

import asyncio

import pytest
import redis as redis_client
from channels_redis.pubsub import RedisPubSubChannelLayer

from config.settings import redis_database
from games.net import message_bus
from games.net.measures import measures
from games.net.message_bus import BROADCAST, GROUP, BusMessage, MessageBus, publish_from_outside
from tests.helpers.waiting import eventually
from tools.harness.patience import patience
from tools.harness.relay import Relay
from tools.harness.services import Redis
from tools.programs import redis_server

MESSAGE = BusMessage("match.a", b'{"type":"line"}')


def numbered(number):
    return BusMessage("match.a", b'{"n":%d}' % number)


class LosingLayer:
    """Loses the batches for which `loses` is true, and keeps how many messages were in each of the others."""

    def __init__(self, hosts):
        self._layer = RedisPubSubChannelLayer(hosts=hosts, prefix="test")
        self.loses = lambda batch: False
        self.sizes = []

    def __getattr__(self, name):
        return getattr(self._layer, name)

    async def receive(self, channel):
        while True:
            batch = await self._layer.receive(channel)
            if not self.loses(batch):
                self.sizes.append(len(batch["messages"]))
                return batch


class Process:
    """A process of a site, as far as the bus goes."""

    def __init__(self, name, hosts):
        self.name = name
        self.layer = LosingLayer(hosts)
        self.messages, self.probes, self.resyncs = asyncio.Queue(), asyncio.Queue(), asyncio.Queue()
        self.bus = MessageBus(self.layer, name, self._receive, lambda: self.resyncs.put_nowait(None))
        self.tasks = [asyncio.ensure_future(task) for task in self.bus.tasks()]

    def _receive(self, message):
        (self.probes if message.topic == "probe" else self.messages).put_nowait(message)

    def probe(self):
        self.bus.publish(BusMessage("probe", self.name.encode()))

    async def probed_by(self, name):
        while (await self.probes.get()).payload != name.encode():
            pass

    async def end(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.layer.flush()


async def soon(waits):
    return await asyncio.wait_for(waits, patience(20))


@pytest.fixture(autouse=True)
def quick_beats(monkeypatch):
    monkeypatch.setattr(message_bus, "BEAT_SECONDS", 0.1)


@pytest.fixture
async def site(redis):
    """Starts processes of one site, each of which has heard those that are there."""
    processes = []

    async def process(*hosts):
        one = Process(f"process {len(processes)}", [*hosts] or [redis.url()])
        processes.append(one)
        # The first batch of our own has come back.
        await soon(one.resyncs.get())
        for pair in ((one, other) for other in processes[:-1]):
            await soon(acquainted(*pair))
        return one

    yield process
    for one in processes:
        await one.end()


async def acquainted(one, other):
    """Return once both hear each other, and forget the resyncs until then."""
    for sender, receiver in ((one, other), (other, one)):
        heard = asyncio.ensure_future(receiver.probed_by(sender.name))
        while not heard.done():
            sender.probe()
            await asyncio.wait({heard}, timeout=0.05)
    for process in (one, other):
        while not process.resyncs.empty():
            process.resyncs.get_nowait()


@pytest.fixture
def own_redis():
    redis = Redis(redis_server() or pytest.skip("redis-server is not installed"))
    yield redis.start()
    redis.discard()


async def test_messages_arrive_in_order_at_every_other_process(site):
    here, *others = await site(), await site(), await site()
    for number in range(50):
        here.bus.publish(numbered(number))
    for other in others:
        assert [(await soon(other.messages.get())).payload for _ in range(50)] == [
            b'{"n":%d}' % number for number in range(50)
        ]
    assert here.messages.empty()


async def test_a_message_arrives_with_its_fields_per_seat_and_its_listener(site):
    here, there = await site(), await site()
    here.bus.publish(BusMessage("match.a", b"{}", [(0, b'{"may":[1]}')], "presence"))
    message = await soon(there.messages.get())
    assert (message.topic, message.payload, message.listener) == ("match.a", b"{}", "presence")
    assert dict(message.per_seat) == {0: b'{"may":[1]}'}


async def test_a_process_that_heard_no_other_sends_beats_alone(site):
    here = await site()
    before, first = len(here.layer.sizes), here.bus._number
    for number in range(1000):
        here.bus.publish(numbered(number))
    await eventually(lambda: len(here.layer.sizes) >= before + 3)
    assert sum(here.layer.sizes) == 0
    assert here.bus._number >= first + 1000
    # Beats that jump over the numbers of what was not sent are no loss to ourselves.
    assert here.resyncs.empty()


async def test_a_process_first_heard_in_the_middle_makes_us_resync(site):
    """It sent no batch before it heard of us, but numbered what it published."""
    here = await site()
    batch = {"type": "bus.batch", "sender": "another", "number": 7, "messages": []}
    await here.layer.group_send(GROUP, batch)
    await soon(here.resyncs.get())


async def test_messages_of_one_turn_of_the_loop_are_one_batch(site):
    here, there = await site(), await site()
    # The last probes of their acquaintance have arrived before this.
    here.bus.publish(MESSAGE)
    await soon(there.messages.get())
    there.layer.sizes.clear()
    for number in range(1000):
        here.bus.publish(numbered(number))
    for _ in range(1000):
        await soon(there.messages.get())
    # The others are beats.
    assert [size for size in there.layer.sizes if size] == [1000]


async def test_a_lost_batch_makes_the_receiver_resync_once(site):
    here, there = await site(), await site()
    lost = asyncio.Event()

    def lose(batch):
        losing = bool(batch["messages"]) and not lost.is_set()
        if losing:
            lost.set()
        return losing

    there.layer.loses = lose
    here.bus.publish(MESSAGE)
    await soon(lost.wait())
    # The next beat shows the gap.
    await soon(there.resyncs.get())
    here.bus.publish(MESSAGE)
    assert await soon(there.messages.get()) == BusMessage(*MESSAGE[:2], [], None)
    assert (there.resyncs.empty(), here.resyncs.empty()) == (True, True)


async def test_a_batch_of_our_own_that_does_not_come_back_makes_us_resync(site):
    here, there = await site(), await site()
    here.layer.loses = lambda batch: batch["sender"] == "process 0" and bool(batch["messages"])
    here.bus.publish(MESSAGE)
    await soon(here.resyncs.get())
    await soon(there.messages.get())


async def test_a_batch_that_comes_twice_is_received_once(site):
    here, there = await site(), await site()
    batch = {"sender": "another", "number": 1, "messages": [list(MESSAGE)]}
    for _ in range(2):
        await here.layer.group_send(GROUP, {"type": "bus.batch", **batch})
    here.bus.publish(numbered(1))
    told = [await soon(there.messages.get()) for _ in range(2)]
    assert sorted(message.payload for message in told) == sorted([MESSAGE.payload, b'{"n":1}'])


async def test_a_thread_of_a_process_outside_publishes_to_all(site, redis):
    here, there = await site(), await site()
    layer = RedisPubSubChannelLayer(hosts=[redis.url()], prefix="test")
    await asyncio.to_thread(publish_from_outside, layer, BusMessage(BROADCAST, b"1", (), "word"))
    for process in (here, there):
        message = await soon(process.messages.get())
        assert (message.topic, message.payload, message.listener) == (BROADCAST, b"1", "word")


async def test_publishing_from_outside_raises_while_redis_is_away():
    layer = RedisPubSubChannelLayer(hosts=["redis://127.0.0.1:1"], prefix="test")
    with pytest.raises(message_bus.layer_errors()):
        await asyncio.to_thread(publish_from_outside, layer, MESSAGE)


async def test_two_shards_carry_the_bus(site, redis, own_redis):
    hosts = (redis.url(), own_redis.url())
    here, there = await site(*hosts), await site(*hosts)
    here.bus.publish(MESSAGE)
    assert (await soon(there.messages.get())).topic == MESSAGE.topic


async def test_a_redis_that_forgets_everything_changes_nothing(site, redis):
    here, there = await site(), await site()
    with redis_client.Redis.from_url(redis.url()) as connection:
        connection.flushall()
    here.bus.publish(MESSAGE)
    await soon(there.messages.get())


async def test_redis_restart_resyncs_all_processes(site, own_redis, monkeypatch):
    monkeypatch.setattr(message_bus, "SILENT_AFTER", 1.0)
    here, there = await site(own_redis.url()), await site(own_redis.url())
    await asyncio.to_thread(own_redis.kill9)
    before = measures.layer_losses
    here.bus.publish(MESSAGE)
    await eventually(lambda: measures.layer_losses > before)
    await asyncio.to_thread(own_redis.restart)
    for process in (here, there):
        await soon(process.resyncs.get())
    await soon(acquainted(here, there))


async def test_a_silent_connection_to_redis_is_replaced(site, redis, monkeypatch):
    monkeypatch.setattr(message_bus, "SILENT_AFTER", 1.0)
    relay = Relay(redis.port)
    here, there = await site(f"redis://127.0.0.1:{relay.port}/0"), await site()
    relay.fall_silent()
    before = measures.layer_losses
    here.bus.publish(MESSAGE)
    await eventually(lambda: measures.layer_losses > before)
    relay.speak()
    await soon(here.resyncs.get())
    await soon(acquainted(here, there))
    relay.close()


@pytest.mark.parametrize(
    ("url", "database"),
    [
        ("redis://127.0.0.1:6379", "0"),
        ("redis://user:password@127.0.0.1:6379/3", "3"),
        ("rediss://127.0.0.1:6379/4?ssl_ca_certs=/ca.pem", "4"),
        ("unix:///run/redis.sock?db=5", "5"),
        ("unix:///run/redis.sock", "0"),
    ],
)
def test_the_database_of_an_address_keeps_sites_apart(url, database):
    assert redis_database(url) == database
