"""Words: what no line may end in the middle of stays together, and nothing else changes."""

import pytest

from lobby.templatetags.parts import whole, whole_names


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Confirm your e-mail address", 'Confirm your <span class="whole">e-mail</span> address'),
        ("E-posti aadressid", '<span class="whole">E-posti</span> aadressid'),
        ("Well-known <b>", "Well-known &lt;b&gt;"),
        ("5-3 a-b", '5-3 <span class="whole">a-b</span>'),
    ],
)
def test_a_letter_and_its_word_stay_on_one_line(words, shown):
    assert whole(words) == shown


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Won by Calm-Heron-11.", 'Won by <span class="whole">Calm-Heron-11</span>.'),
        ("Ada: 22, <b>", '<span class="whole">Ada: 22,</span> &lt;b&gt;'),
        (
            "Calm-Heron: 0, Fox: 14",
            '<span class="whole">Calm-Heron: 0,</span> <span class="whole">Fox: 14</span>',
        ),
        ("Won by Ada", "Won by Ada"),
    ],
)
def test_a_name_and_its_score_stay_on_one_line(words, shown):
    assert whole_names(words) == shown
