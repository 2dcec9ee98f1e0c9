"""Games and matches: rules, computer players, storage, play, watching and analysis."""
