"""The life of an account: guests, export, deletion."""
