"""What carries messages: topics, sockets, frames, limits.

Knows no match and no rules but the words of `rules.base`.
"""
