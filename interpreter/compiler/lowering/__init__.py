"""Lowering: from resolved rules to functions in IR, term by term, as the interpreter evaluates them."""
