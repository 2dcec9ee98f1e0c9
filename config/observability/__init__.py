"""Monitoring: metrics, logs and slow operations."""
