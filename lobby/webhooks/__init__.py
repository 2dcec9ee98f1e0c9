"""Webhooks and push notifications: events, signing, encryption and delivery."""
