"""How people come in: allauth in our words and with our rules."""
