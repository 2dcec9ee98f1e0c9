"""The page of a position, from which a match can begin."""
