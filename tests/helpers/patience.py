"""Limits of time for tests."""

from tools.harness.patience import patience, wait_until, within

__all__ = ["patience", "wait_until", "within"]
