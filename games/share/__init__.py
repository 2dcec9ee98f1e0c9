"""What of a match is passed on: cards and pictures for other sites, addresses and their QR codes."""
