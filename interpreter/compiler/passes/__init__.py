"""Passes that make kernels faster: each is a module with a switch and its gain; rules mean the same without them."""
