"""Makes puzzles: a search finds positions in which one move is the best, a second program checks them."""
