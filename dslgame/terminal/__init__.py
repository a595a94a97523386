"""The board view of `dslgame play`: a game on the whole terminal, with the mouse or the keyboard."""
