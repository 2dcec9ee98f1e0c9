"""The parts of pages as template tags."""

from django import forms, template
from django.utils.safestring import SafeString

from lobby.accounts import deletion
from lobby.models import User

register = template.Library()


@register.simple_tag
def control(field: forms.BoundField) -> SafeString:
    """The input of a field as our parts look; label, hint and error stand in `_field.html`."""
    widget = field.field.widget
    # A label that vanishes while one types is none.
    widget.attrs.pop("placeholder", None)
    if isinstance(widget, forms.CheckboxInput | forms.RadioSelect):
        return field.as_widget()
    return field.as_widget(attrs={"class": "select" if isinstance(widget, forms.Select) else "input"})


@register.simple_tag
def matches_in_play(user: User) -> int:
    """How many matches somebody is in the middle of."""
    return deletion.plays_now(user)
