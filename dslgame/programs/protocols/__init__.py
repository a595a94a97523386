"""The protocols by which programs play: each a contestant of a match, and a way to serve such a match with a player."""
