"""Puzzles: positions in which one move is the best, the value of every move, and the puzzle of each day.

Nothing is searched at run time: `tools.puzzles` wrote the positions and values to the files here.
"""
