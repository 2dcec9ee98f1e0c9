"""Evenings: people in a room join by a code and play a tournament; afterwards everything is erased."""
