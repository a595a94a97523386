"""Expected values of games with chance: the graph of all positions, and what each is worth under best play."""
