"""Learning from play: move patterns from the situations of a good player, and values from games of self-play."""
