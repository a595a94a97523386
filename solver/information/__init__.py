"""Games in which players do not see everything: strategies by information states, exact or nearly, for two players.

`tree` makes the sequence form of a game, `linear` solves it exactly, `regret` nearly, `response` says how good
strategies are, `strategies` keeps them, `solving` puts it together. Perfect information and chance fit as well.
"""
