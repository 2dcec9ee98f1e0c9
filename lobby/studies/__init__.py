"""The analysis board, and studies: positions with variations and comments, kept and shared."""
