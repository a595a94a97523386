"""Strong solving on kernels: the values of all reachable positions, in tables and on disk."""
