"""Processes of one site, as hubs in the memory of one test that hand each other what they say."""

import orjson

from games.net.hub import Hub
from games.net.message_bus import BROADCAST


class Site:
    """What the processes of a site say to each other, as long as the wire is there."""

    def __init__(self):
        self.hubs = []
        self.quiet = False
        self.layer_is_away = False


class SiteHub(Hub):
    """A hub that tells the others at once."""

    remote = True

    def __init__(self, site):
        super().__init__()
        self._site = site
        site.hubs.append(self)

    @property
    def deaf(self):
        return self._site.layer_is_away

    def join(self, topic, socket):
        self._topics.setdefault(topic, set()).add(socket)

    def leave(self, topic, socket):
        self._topics[topic].discard(socket)

    def spawn(self, coroutine):
        coroutine.close()

    def tell_everyone(self, listener, message):
        self._tell_everyone(listener, message)

    def tell_processes(self, topic, listener, message):
        payload = orjson.dumps(message)
        for hub in self._site.hubs:
            here = topic == BROADCAST or hub._topics.get(topic)
            if hub is not self and here and not self._site.quiet:
                hub._listeners[listener](topic, payload)
