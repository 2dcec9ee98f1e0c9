"""What people are told while they are away from the site: on their devices, and by e-mail."""
