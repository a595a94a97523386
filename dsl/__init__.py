"""The game language: its grammar, the rule objects that files become, their checks and the diagnostics."""
