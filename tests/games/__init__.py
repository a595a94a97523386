"""Every game in `games/`: what holds for all, second implementations, published numbers."""
