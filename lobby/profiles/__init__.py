"""The data of profiles: results, ratings, opponents."""
