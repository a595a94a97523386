"""Solvers for games with hidden information and up to two players: optimal or near-optimal strategies.

`tree` builds the sequence form of a game, `linear` solves it exactly, `regret` approximately, `response` evaluates
strategies by best responses, `strategies` stores them, and `solving` combines these parts. `positions` samples
positions that fit what a player knows. Games with perfect information and with chance can be solved as well.
"""
