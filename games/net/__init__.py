"""What carries messages: topics, sockets, frames, limits, and what processes tell each other.

Knows no match and no rules but the words of `rules.base`.
"""
