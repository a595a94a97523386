"""Checks of rules without a board: rules that cannot hold, bounds of expressions, what terms read, upper bounds of
cost."""
