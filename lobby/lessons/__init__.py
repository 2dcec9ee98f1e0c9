"""Lessons of classes: who is there, rounds that are paired by one press, and the ladder."""
