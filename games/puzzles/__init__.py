"""The daily puzzle: the positions, the day of each, and the value of every move.

Nothing is searched at run time: `tools.puzzles` wrote the positions and values to puzzles.json.
"""
