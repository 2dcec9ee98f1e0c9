"""What there is to know of somebody who plays here."""
