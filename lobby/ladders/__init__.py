"""Ladders: the members of a club by place, who challenge those a little above."""
