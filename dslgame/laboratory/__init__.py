"""The laboratory: solves and measures families of games, which vary by params and changes of their rules.

`changes` edits the declarations of a game file, `family` lists the instances of a family, `identity` and
`interpreter.analysis.isomorphism` find instances that are the same game, `solving` solves one instance, `runs` solves
many of them on all cores, `claims` tests a conjecture, `differences` compares two games, `measures` defines measures of
a game, which `profile` takes, and `mutations` suggests changes. The commands `variants`, `diff` and `measure`, the page
and `dslgame.variants` use it.
"""

GAMES, LEVEL_GAMES = 200, 20
"""The default numbers of random games, and of games of each level, by which a game is measured."""
LEVELS = ("mcts nodes=32", "mcts nodes=128")
HIDING_LEVELS = ("ismcts nodes=32", "ismcts nodes=128")
"""The default levels, for games of perfect and of hidden information: each plays itself and the level before it."""
