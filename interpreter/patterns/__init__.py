"""Pattern matching: the orientations of patterns on a board, the moves that they propose, and checks of patterns."""
