"""From IR to what runs: one module for each target, each a walk over the same nodes."""
