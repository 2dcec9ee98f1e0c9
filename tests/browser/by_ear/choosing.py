"""How somebody who hears a game plays it: of the choices that are named they take the first."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.browser.by_ear.listener import Listener, Thing

OVER = r"(?:^|[.!] )(?:You won|\S+ won|Draw|Nobody won)\."
DECISION = r"(?:^|[.!] )(?:Sow|Roll|Play|Place|Take|Or move|Move) [^:]+\.|" + OVER
"""What is said to whoever is to move, or at the end."""

MOST_STEPS = 12
"""Steps over the board after which one asks for the moves instead."""


def sow(listener: Listener, heard: str) -> None:
    """Kalah: the pit that is named first, by the keys of its number."""
    named = re.search(r"Sow pit (\d+)", heard)
    for key in named[1] if named else "1":
        listener.press(key)


def climb(listener: Listener, heard: str) -> None:
    """Can't Stop: the pairing that is named first; one stops to claim a column, or with three runners."""
    if re.search(r"(?:^|\. )Play ", heard):
        listener.press("1")
    elif re.search(r"or stop(?:,| and claim| and keep \d+, \d+ and )", heard):
        listener.press("s")
    else:
        listener.press("r")


def roll(listener: Listener, heard: str) -> None:
    """Aces: the button that rolls, which is where the focus stays from roll to roll."""
    if not listener.focus().name.startswith("Roll"):
        listener.tab_to("^Roll", "button")
    listener.press("Enter")


def place(listener: Listener, heard: str) -> None:
    """Morris: what is named first is typed; a choice that is not listed is looked for on the board."""
    named = re.search(r"(Place a man on|Take the man on) ([a-g]\d)", heard)
    if named:
        typed(listener, f"x{named[2]}" if named[1].startswith("Take") else named[2])
    elif "Place a man" in heard:
        on_board(listener)
        if walk_to(listener, "can be placed here"):
            listener.press("Enter")
        else:
            typed(listener, first_legal(listener))
    elif listener.knows_how("slide"):
        typed(listener, first_legal(listener))
    else:
        slide(listener)


def slide(listener: Listener) -> None:
    """A man is selected on the board, and one hears where it can go."""
    on_board(listener)
    if not walk_to(listener, "can be moved$"):
        typed(listener, first_legal(listener))
        return
    listener.press("Enter")
    listener.hear(r"^The man on [a-g]\d can go to [a-g]\d")
    if walk_to(listener, "can be moved to$"):
        listener.press("Enter")
        listener.learn("slide")
    else:
        listener.press("Escape")
        typed(listener, first_legal(listener))


def on_board(listener: Listener) -> None:
    """Come to the board, by Tab."""
    if listener.focus().role == "textbox":
        listener.press("Escape")
    if listener.focus().role != "gridcell":
        listener.tab_to("", "gridcell")


def walk_to(listener: Listener, words: str) -> bool:
    """Walk by arrow keys until a place is said to be what one looks for; whether it was found in time."""
    ways = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
    thing: Thing = listener.focus()
    for step in range(MOST_STEPS):
        if re.search(words, thing.name):
            return True
        thing = listener.walk(ways[step // 2 % 4])
    return bool(re.search(words, thing.name))


def typed(listener: Listener, words: str) -> None:
    """Write a move or a command into the box for that, to which a key leads."""
    if listener.focus().role != "textbox":
        listener.press("/")
    listener.type(words)


def asked(listener: Listener, command: str, answer: str) -> str:
    """Ask something in that box; what one hears."""
    typed(listener, command)
    return listener.hear(answer)


def first_legal(listener: Listener) -> str:
    """Ask for the moves and take the first."""
    return re.split(", | and ", asked(listener, "legal", r"^x?[a-g]\d"))[0]


PLAYERS: dict[str, Callable[[Listener, str], None]] = {
    "kalah": sow,
    "morris": place,
    "aces": roll,
    "cantstop": climb,
}
"""How each game is played that has a transcript in docs/guide/by-ear, in the order of its list."""
