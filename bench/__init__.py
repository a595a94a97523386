"""Benchmarks, against other programs where there are any. See README.md in this folder."""
