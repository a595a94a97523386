"""Passes: what makes kernels faster. Each is a module with a switch, its measured gain, and no say in what rules mean."""
