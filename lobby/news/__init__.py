"""What the lobby shows, kept up to date. It shows and never sends mail, webhooks or moves."""
