"""Emitters from IR to executable code: one for each target, each a walk over the same nodes."""
