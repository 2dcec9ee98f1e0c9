"""Whatever is refused is refused by a class that says all of it: code, status and sentence."""

import ast
import inspect
import pkgutil
import re
from collections import Counter, defaultdict
from http import HTTPStatus
from importlib import import_module

import pytest

import config
import games
import lobby
from games.domain.refusals import Refused
from lobby.tables.refusals import RulesBadOption

for package in (config, games, lobby):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)


def heirs(refusal):
    return [heir for child in refusal.__subclasses__() for heir in (child, *heirs(child))]


OURS = ("config.", "games.", "lobby.")
ALL = [heir for heir in heirs(Refused) if heir.__module__.startswith(OURS)]
FAMILIES = [heir for heir in ALL if heir.__subclasses__() and not hasattr(heir, "code")]
RAISED = [heir for heir in ALL if heir not in FAMILIES]

TWICE = {
    "blocked": {400, 403},
    "computer": {400, 403},
    "empty": {400, 422},
    "not-seated": {403, 409},
    "too-long": {400, 422},
    "too-many": {400, 409, 429},
    "unknown-game": {404, 422},
}
"""Codes that mean different things in different places: there each has another status."""


def name(refusal):
    return f"{refusal.__module__}.{refusal.__name__}"


def members(refusal):
    """What a class itself says, as it is written: {name: expression}."""
    found = {}
    for each in ast.parse(inspect.cleandoc("\n" + inspect.getsource(refusal))).body[0].body:  # type: ignore[attr-defined]
        if isinstance(each, ast.Assign):
            (target,) = each.targets
            if isinstance(target, ast.Tuple) and isinstance(each.value, ast.Tuple):
                found |= zip((one.id for one in target.elts), each.value.elts, strict=True)  # type: ignore[attr-defined]
            elif isinstance(target, ast.Name):
                found[target.id] = each.value
    return found


def marked():
    """Every sentence of the source that is marked for the translators."""
    for module in {inspect.getmodule(refusal) for refusal in RAISED}:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "gettext_noop",
                "ngettext_noop",
            ):
                yield ast.literal_eval(node.args[0])


def test_refusals_found():
    assert len(RAISED) > 100


def test_a_refusal_says_all_that_anybody_is_told():
    for refusal in RAISED:
        assert refusal.code, name(refusal)
        assert HTTPStatus(refusal.status) >= 400, name(refusal)
        assert refusal.sentence, name(refusal)


def test_code_and_status_are_said_together():
    said = {name(refusal): members(refusal) for refusal in RAISED}
    assert [name for name, words in said.items() if ("code" in words) != ("status" in words)] == []


def test_every_sentence_is_marked_for_translation():
    sentences = set(marked())
    assert [name(refusal) for refusal in RAISED if refusal.sentence not in sentences] == []


@pytest.mark.parametrize("family", FAMILIES, ids=name)
def test_refusal_base_classes_not_raised(family):
    with pytest.raises(AttributeError):
        family()


def test_a_code_has_one_status():
    statuses = defaultdict(set)
    for refusal in RAISED:
        statuses[refusal.code].add(refusal.status)
    assert {code: found for code, found in statuses.items() if len(found) > 1} == TWICE


def test_one_class_takes_its_words_from_elsewhere():
    # From the rules of a game, which know nothing of this class.
    borrowed = [refusal for refusal in RAISED if "self.code" in inspect.getsource(refusal)]
    assert borrowed == [RulesBadOption]


def words(name):
    return re.findall(r"[A-Z][a-z]*", name)


def code_words(refusal):
    return [word.capitalize() for word in refusal.code.split("-")]


def test_class_is_named_after_its_code():
    """So that the code of an answer leads to its class: `owner-only` is raised by `OwnerOnly`.

    A code of several classes, or of one word, may have further words before or after it: `ClubRemoved`.
    """
    shared = {code for code, found in Counter(one.code for one in RAISED).items() if found > 1}
    misnamed = []
    for refusal in RAISED:
        own, code = words(refusal.__name__), code_words(refusal)
        if own == code:
            continue
        qualified = code in (own[: len(code)], own[-len(code) :])
        if not qualified or (refusal.code not in shared and len(code) > 1):
            misnamed.append(name(refusal))
    assert misnamed == []


def test_no_class_has_the_name_of_its_base():
    # A module that imports the base would no longer catch it.
    assert [name(one) for one in RAISED if one.__name__ in {base.__name__ for base in one.__mro__[1:]}] == []
