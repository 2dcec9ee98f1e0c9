"""Moderation and reports."""
