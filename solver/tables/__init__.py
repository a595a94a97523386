"""Strong solving on kernels: the values of all positions that can be reached, in tables and on disk."""
