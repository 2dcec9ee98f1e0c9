"""Finished matches: score sheets, files, imports, replays and analysis. Changes no match."""
