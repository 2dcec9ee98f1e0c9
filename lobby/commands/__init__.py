"""Idempotent commands: each id is carried out once."""
