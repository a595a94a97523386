"""The one runtime of searches: what they do a million times a second, in plain Python and compiled once for all games.

One transposition table (`transposition`), one order of moves (`ordering`), one cache and one way to compile
(`runtime`). On them: alpha-beta by questions (`alphabeta`) and to a depth (`pvs`), proof numbers (`dfpn`), games of
connection (`connection`, `connection_pairs`), random games (`mcts`, `tree_size_estimate`), and, of all positions, a
set (`position_set`) and their values (`retrograde`). Frames, counts and settings are records with named fields, arrays
are grouped in named tuples; `functions` has their types.
"""
