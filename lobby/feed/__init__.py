"""What the lobby shows and what API clients are told. It listens; it never sends mail, webhooks or moves."""
