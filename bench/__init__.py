"""Measurements of the running product. Nothing here is part of it, and no test has a stopwatch."""
