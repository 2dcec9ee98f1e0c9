"""Time controls in the language of the user."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext, ngettext

from games.domain import clock


def in_words(notation: str) -> str:
    """A clock as shown in forms, tables and match files. Raises `games.domain.clock.BadClock`."""
    control = clock.parse(notation)
    if control.live:
        return _live(control)
    if control.per_move:
        days = control.per_move // clock.DAY
        return ngettext("%(n)d day per move", "%(n)d days per move", days) % {"n": days}
    return gettext("No clock")


def _live(control: clock.Control) -> str:
    minutes = control.initial / clock.MINUTE
    given = {"n": f"{minutes:g}"}
    if control.extra:
        usual = _live(replace(control, extra=0))
        more = control.extra // clock.MINUTE
        words = ngettext("%(clock)s, host: %(n)d minute more", "%(clock)s, host: %(n)d minutes more", more)
        return words % {"clock": usual, "n": more}
    increment, delay = control.increment // clock.SECOND, control.simple_delay // clock.SECOND
    if not increment and not delay:
        return ngettext("%(n)s minute each", "%(n)s minutes each", _plural(minutes)) % given
    base = ngettext("%(n)s minute", "%(n)s minutes", _plural(minutes)) % given
    if delay:
        bonus = ngettext("%(n)d-second delay per move", "%(n)d-second delay per move", delay)
        return f"{base}, {bonus % {'n': delay}}"
    bonus = ngettext("%(n)d second per move", "%(n)d seconds per move", increment)
    return f"{base} + {bonus % {'n': increment}}"


def _plural(number: float) -> int:
    """The number that selects the plural form; fractions count as plural."""
    return int(number) if number == int(number) else 5
