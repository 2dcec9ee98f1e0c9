"""Messaging: topics, sockets, frames, rate limits and messages between processes.

Does not depend on matches or rules, except for the types of `rules.base`.
"""
