"""`make drills`: what faults do to the site, decided by a checker from what every client sent and heard."""
