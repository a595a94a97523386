"""What rules mean: the definition that kernels, hooks and references are held to."""
