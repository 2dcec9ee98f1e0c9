"""What the views of several features share."""
