"""The game language: its grammar, rule objects, resolution, checks and diagnostics."""
