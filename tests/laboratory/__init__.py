"""The laboratory: families of games, claims, differences, measures and mutations."""
