"""What other sites show of a match: cards and pictures."""
