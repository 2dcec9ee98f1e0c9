"""Clubs: members and their roles, requests to join, announcements."""
