"""The project itself: its sources, documentation, packages and benchmarks."""
