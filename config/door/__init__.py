"""What stands at the door: connections and who opens them, what log and browsers are told, what is kept."""
