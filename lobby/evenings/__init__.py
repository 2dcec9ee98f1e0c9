"""Evenings in a room: a code lets people in, a plan makes a tournament of them, and nothing stays of it."""
