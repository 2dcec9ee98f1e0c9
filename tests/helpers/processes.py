"""Processes of one site, as hubs in the memory of one test that hand each other what they say."""

import orjson

from games.net import shared_state
from games.net.hub import Hub
from games.net.message_bus import BusMessage


class Site:
    """What the processes of a site say to each other, as long as the wire is there.

    They repeat nothing by themselves.
    """

    def __init__(self, monkeypatch):
        monkeypatch.setattr(shared_state, "spawn", lambda repeating: repeating.close())
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
    def bus_down(self):
        return self._site.layer_is_away

    def begin(self):
        """The site hands messages over without an event loop."""

    def tell_everyone(self, listener, message):
        self._tell_everyone(listener, message)

    def tell_processes(self, topic, listener, message):
        said = BusMessage(topic, orjson.dumps(message), listener=listener)
        for hub in self._site.hubs:
            if hub is not self and not self._site.quiet:
                hub.hear(said)
