"""Ratings of puzzles and of those who solve them; streaks and storms."""
