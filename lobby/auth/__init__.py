"""Login and sign-up: allauth with our texts and rules."""
