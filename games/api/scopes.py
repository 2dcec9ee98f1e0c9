"""Scopes of API tokens."""

from games.rules.base import gettext_noop

READ, PLAY, LOBBY, CHAT, BOT = "read", "play", "lobby", "chat", "bot"
CLUBS, TOURNAMENTS, STUDIES, VACATION = "clubs", "tournaments", "studies", "vacation"

SCOPES = {
    READ: gettext_noop("See your private data: your matches, their chats, your messages and your events."),
    PLAY: gettext_noop("Play in your matches: move (casual only), offer, claim, resign."),
    LOBBY: gettext_noop("Create and join tables, use quick pairing, send and answer challenges."),
    CLUBS: gettext_noop("Found, join and leave clubs, and organise those that you own or organise."),
    TOURNAMENTS: gettext_noop("Create tournaments and run yours, enter and leave others."),
    STUDIES: gettext_noop(
        "See the studies that you may see, keep studies, change those that you may, and delete your own."
    ),
    VACATION: gettext_noop("Take and end a vacation from your matches with days per move."),
    CHAT: gettext_noop("Write in match chats and messages as you."),
    BOT: gettext_noop("Turn this account into a computer player, permanently."),
}
"""The scopes of tokens with a sentence each. Users consented to these sentences: never extend a scope."""
