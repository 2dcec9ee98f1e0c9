"""Tournaments: entries, pairing, and results."""
