"""Solvers in words and numbers, compiled once for all games; imported as they are they run as plain Python."""
