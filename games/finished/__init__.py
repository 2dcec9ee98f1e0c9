"""Matches that are over: as text, as files, replayed and analysed. Changes no match."""
