"""Analyses of IR, which passes, emitters and checks ask for by name."""
