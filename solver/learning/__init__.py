"""Move patterns learned from play: situations in which a good player moved, what they have in common, what helps."""
