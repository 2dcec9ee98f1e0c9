"""Sharing: preview cards and pictures for other sites, links and their QR codes."""
