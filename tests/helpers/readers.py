"""What is said to readers of one language, where the hub says it to all of them."""

from __future__ import annotations

from django.conf import settings

_OTHERS = tuple(f".{code}" for code, _name in settings.LANGUAGES if code != "en")


def read_english(topic: str) -> bool:
    """Whether readers of English hear what is said on a topic."""
    return not topic.endswith(_OTHERS)
