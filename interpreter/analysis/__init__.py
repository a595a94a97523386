"""Analyses of a game's rules and board: bounds, symmetries, termination; and checks that play it."""
