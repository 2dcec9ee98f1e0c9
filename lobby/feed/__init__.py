"""What the lobby shows and programs are told. It listens, and never sends mail, webhooks or moves."""
