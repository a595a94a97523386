"""Expected values of games with chance: the graph of all positions, and the value of each under best play."""
