"""Playing games: boards, positions and the interpreter that carries out the rules, which is their definition."""
