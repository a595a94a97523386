"""Passes: what makes kernels faster. Each is a module with a switch and its gain; rules mean the same without."""
