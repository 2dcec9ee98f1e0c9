"""The relay on the site's own server program: `python -m bench.relay_server --port 8001`."""

import argparse
import os
from typing import Any

import django
from django.conf import settings

from config.server import build

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

    def relay() -> Any:
        from bench.relay import application

        return application

    build("127.0.0.1", parser.parse_args().port, relay).run()
