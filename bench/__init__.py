"""Benchmarks, beside the peers where there are some. See README.md in this folder."""
