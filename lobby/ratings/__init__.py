"""Results, ratings, leaderboards and conduct."""
