"""Vacations from matches with days per move."""
