"""What stands at the door: connections, what the log and browsers are told, what is kept between requests."""
