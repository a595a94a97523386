"""Analyses of IR that passes, emitters and checks share."""
