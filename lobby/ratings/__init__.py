"""What finished matches say of their players: results, ratings, leaderboards, conduct."""
