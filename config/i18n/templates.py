"""A template loader that renders once in each language what depends on the language only.

Most tags of a page are sentences, URLs of pages and static files, and icons: `{% translate "Play" %}`,
`{% url "lobby" %}`. Without this loader a page without lists takes 1.6 times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.template import Context, Origin, Template
from django.template.base import Node, NodeList, TextNode, TokenType
from django.template.defaulttags import AutoEscapeControlNode, CommentNode, IfNode, LoadNode, URLNode
from django.template.library import SimpleNode
from django.template.loaders import base, cached
from django.templatetags.i18n import BlockTranslateNode, LanguageNode, TranslateNode
from django.templatetags.static import StaticNode
from django.urls import NoReverseMatch
from django.utils.translation import get_language

from config.i18n.tags import module
from lobby.templatetags.icons import game_icon, icon

PURE = {module, icon, game_icon}
"""Simple tags that depend on their arguments and the language only."""
OTHERWISE = (LanguageNode, AutoEscapeControlNode)
"""Blocks whose content is rendered in another language, or not escaped."""


class _Folding(base.Loader):
    """Loads templates for the active language."""

    def get_template(self, template_name: str, skip: list[Origin] | None = None) -> Template:
        template = super().get_template(template_name, skip)
        context = Context()
        with context.bind_template(template):
            template.nodelist = _folded(template.nodelist, context)
        return template


class Loader(cached.Loader, _Folding):
    """Django's cached loader, which keeps each template once for each language."""

    def cache_key(self, template_name: str, skip: list[Origin] | None = None) -> str:
        """The key of a template in the current language."""
        return f"{get_language()} {super().cache_key(template_name, skip)}"


def _folded(nodes: NodeList, context: Context) -> NodeList:
    """The nodes, with one text for each run of those whose content is known."""
    folded = NodeList()
    for node in nodes:
        _fold_within(node, context)
        text = node.s if isinstance(node, TextNode) else _constant(node, context)
        if text is None:
            folded.append(node)
        elif folded and isinstance(folded[-1], TextNode):
            folded[-1].s += text
        elif text:
            folded.append(TextNode(text))
    return folded


def _fold_within(node: Node, context: Context) -> None:
    if isinstance(node, OTHERWISE):
        return
    if isinstance(node, IfNode):
        node.conditions_nodelists = [
            (condition, _folded(nodes, context)) for condition, nodes in node.conditions_nodelists
        ]
        return
    for name in node.child_nodelists:
        nodes = getattr(node, name, None)
        if isinstance(nodes, NodeList):
            setattr(node, name, _folded(nodes, context))


def _constant(node: Any, context: Context) -> str | None:
    """What a node renders in the active language; None if that depends on the context."""
    known = IS_CONSTANT.get(type(node))
    if known is None or not known(node):
        return None
    try:
        return str(node.render(context))
    except (ValueError, NoReverseMatch):
        # Static files may be collected later, and nobody may ever see a branch with a mistake.
        return None


def _is_literal(*expressions: Any) -> bool:
    """Whether expressions are texts in quotation marks."""
    return all(
        expression is None
        or (not expression.filters and isinstance(getattr(expression.var, "literal", expression.var), str))
        for expression in expressions
    )


IS_CONSTANT: dict[type[Node], Callable[[Any], bool]] = {
    CommentNode: lambda _node: True,
    LoadNode: lambda _node: True,
    TranslateNode: lambda node: not node.asvar and _is_literal(node.filter_expression, node.message_context),
    BlockTranslateNode: lambda node: (
        not (node.asvar or node.extra_context or node.plural)
        and _is_literal(node.message_context)
        and all(token.token_type is TokenType.TEXT for token in node.singular)
    ),
    URLNode: lambda node: not (node.asvar or node.kwargs) and _is_literal(node.view_name, *node.args),
    StaticNode: lambda node: not node.varname and _is_literal(node.path),
    SimpleNode: lambda node: (
        node.func in PURE and not node.target_var and _is_literal(*node.args, *node.kwargs.values())
    ),
}
"""Which tags render the same text for all readers of a language, by the class of their node."""
