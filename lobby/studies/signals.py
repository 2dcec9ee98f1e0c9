"""What changed in studies."""

from games.signals import Signal
from lobby.people.models import User
from lobby.studies.models import Chapter, Study
from lobby.studies.tree import Node, Tree

study_changed = Signal[[Study], None]()
"""A study, its chapters or its members have changed, or it is about to be deleted."""
chapter_changed = Signal[[Chapter, User, Tree, Tree, Node], None]()
"""An operation on a chapter: who did it, the tree before and after, and the node that it is about."""
