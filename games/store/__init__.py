"""The rows of matches, and everybody who may write them. Knows nothing of who asks."""
