"""What moderators do, and what is reported to them."""
