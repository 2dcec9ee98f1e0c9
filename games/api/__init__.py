"""Matches for programs: requests, streams, and how refusals are told.

Nothing imports it but the doors of the site.
"""
