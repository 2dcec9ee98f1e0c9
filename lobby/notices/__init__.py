"""Notifications for users who are offline: push notifications and e-mails."""
