"""Tests of the games in `games/`: general checks, second implementations, published numbers."""
