"""Checks of rules without a board: what cannot hold, what cells can hold, what terms read, how much work they are."""
