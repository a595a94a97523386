"""The laboratory: families of games by params and changes of rules, their values, measures, and what a change does.

`changes` edits the text of a game file by its declarations, `family` lists the instances of a family, `identity` and
`interpreter.analysis.isomorphism` find instances that are the same game, `solving` values one instance, `runs` many of
them on all cores, `claims` tests a conjecture, `differences` compares two files, `measures` measures a game, and
`mutations` suggests changes. The commands `variants`, `diff` and `measure`, the page and `dslgame.variants` call it.
"""

GAMES, LEVEL_GAMES = 200, 20
"""Random games by which a game is measured, and games of each level of play, where nobody says otherwise."""
LEVELS = ("mcts nodes=32", "mcts nodes=128")
HIDING_LEVELS = ("ismcts nodes=32", "ismcts nodes=128")
"""Levels that play themselves, and each the one before it."""
