"""What programs come in by."""
