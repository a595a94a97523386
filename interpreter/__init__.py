"""Playing games: boards, positions and the interpreter, which is the reference implementation of the rules."""
