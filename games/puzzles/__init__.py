"""The daily puzzle: positions found beforehand, whose day each is, and what every move there is worth.

Nothing is searched here: `tools.puzzles` did, and wrote what it found to puzzles.json.
"""
