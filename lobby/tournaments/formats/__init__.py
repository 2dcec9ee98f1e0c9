"""Tournament formats: who meets whom, and what counts."""
