"""What depends on the language only is rendered once in each language, and all else for each reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Engine, Template
from django.template.base import Node, TextNode
from django.urls import NoReverseMatch
from django.utils import translation

from config.i18n import templates

NAMES = sorted(
    str(path.relative_to(root))
    for root in map(Path, Engine.get_default().dirs)
    for path in root.rglob("*.html")
)


def engine_of(folder: Path) -> Engine:
    usual = Engine.get_default()
    loaders = [
        (f"{templates.__name__}.Loader", [("django.template.loaders.filesystem.Loader", [str(folder)])])
    ]
    return Engine(loaders=loaders, libraries=usual.libraries)


def plain(source: str, folder: Path) -> Template:
    """The same by Django's own means."""
    return Engine(dirs=[str(folder)], libraries=Engine.get_default().libraries).from_string(source)


SENTENCES = """{% load i18n icons modules static %}{# a remark #}
<a href="{% url "lobby" %}">{% translate "Play" %}</a> {% blocktranslate %}Log in{% endblocktranslate %}
{% icon "star" "big" %}{% static "css/site.css" %}{% module "pages/plain.js" %}{% url "rules" "kalah" %}"""

EACH_TIME = (
    "{% load i18n %}{% translate title %}",
    "{% load i18n %}{% translate 'Play' as play %}{{ play }}",
    "{% load i18n %}{% blocktranslate %}Play {{ title }}{% endblocktranslate %}",
    "{% load i18n %}{% blocktranslate count n=n %}{{ n }}{% plural %}{{ n }}s{% endblocktranslate %}",
    "{% url 'rules' slug %}",
    "{% url 'lobby' as home %}{{ home }}",
    "{% load static %}{% static picture %}",
    "{% load icons %}{% icon name %}",
    "{% load parts %}{% form_key %}",
)
INSIDE = (
    "{% load i18n %}{% if title %}{% translate 'Play' %}{{ title }}{% else %}{% url 'lobby' %}{% endif %}",
    "{% load i18n %}{% for each in 'ab' %}{{ each }}{% translate 'Play' %}{% empty %}-{% endfor %}",
    "{% load i18n %}{% with a=n %}{% block b %}{% translate 'Play' %}{{ a }}{% endblock %}{% endwith %}",
    "{% load i18n %}{% language 'ru' %}{% translate 'Play' %}{{ title }}{% endlanguage %}",
    "{% load i18n %}{% autoescape off %}{% url 'lobby' %}{{ title }}{% endautoescape %}",
)
VALUES = {"title": "Kalah & co", "n": 3, "slug": "kalah", "picture": "images/favicon.svg", "name": "star"}


def texts(template: Template) -> bool:
    return all(type(node) is TextNode for node in template.nodelist)


def test_template_text_of_language_rendered_once(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(SENTENCES)
    engine = engine_of(tmp_path)
    shown = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            page = engine.get_template("page.html")
            assert texts(page)
            shown.add(page.render(Context()))
            assert page.render(Context()) == plain(SENTENCES, tmp_path).render(Context())
    assert len(shown) == len(settings.LANGUAGES)


@pytest.mark.parametrize("source", EACH_TIME)
def test_template_text_of_reader_rendered_each_time(source: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(source)
    page = engine_of(tmp_path).get_template("page.html")
    assert not texts(page)
    if "form_key" not in source:
        assert page.render(Context(VALUES)) == plain(source, tmp_path).render(Context(VALUES))


@pytest.mark.parametrize("source", INSIDE)
@pytest.mark.parametrize("language", ["en", "et"])
def test_blocks_show_what_django_shows(source: str, language: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(source)
    with translation.override(language):
        page = engine_of(tmp_path).get_template("page.html")
        for values in (VALUES, {}):
            assert page.render(Context(values)) == plain(source, tmp_path).render(Context(values))


def test_a_mistake_counts_only_where_it_is_shown(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("{% if n %}{% url 'no-such-page' %}{% else %}fine{% endif %}")
    page = engine_of(tmp_path).get_template("page.html")
    assert page.render(Context()) == "fine"
    with pytest.raises(NoReverseMatch):
        page.render(Context(VALUES))


def test_every_template_of_the_site_keeps_its_tags() -> None:
    """Nothing is lost but what became text: the tags that Django would render are there, in order."""
    for name in NAMES:
        folded = Engine.get_default().get_template(name)
        source = (Path(Engine.get_default().dirs[0]) / name).read_text()
        left = [type(node) for node in folded.nodelist.get_nodes_by_type(Node) if is_left(node)]
        usual = Engine(dirs=Engine.get_default().dirs, libraries=Engine.get_default().libraries)
        django = usual.from_string(source).nodelist
        assert left == [type(node) for node in django.get_nodes_by_type(Node) if is_left(node)], name


def is_left(node: Node) -> bool:
    return not isinstance(node, TextNode) and type(node) not in templates.IS_CONSTANT
